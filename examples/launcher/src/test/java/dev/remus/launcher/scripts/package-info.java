/** Tests of the project's own scripts, and of the programs that scripts and Java code start. */
package dev.remus.launcher.scripts;
