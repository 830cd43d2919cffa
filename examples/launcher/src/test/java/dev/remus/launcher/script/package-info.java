/** Tests of the launcher {@code ./remus}, with scripts that replace Maven and apt-get. */
package dev.remus.launcher.script;
