/** The launcher, {@code ./remus}, called as a user calls it, with scripts in the place of Maven and apt-get. */
package dev.remus.launcher.script;
