/** Tests of the launcher {@code ./remus} up to the start of Java. Scripts replace Maven and apt-get. */
package dev.remus.launcher.startup;
