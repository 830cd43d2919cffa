/** Tests of the project's own scripts, and of what they and the programs start. */
package dev.remus.launcher.scripts;
