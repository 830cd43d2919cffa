// SPDX-License-Identifier: Apache-2.0
/** Tests of the launcher {@code ./remus} up to the start of Java. Scripts replace Maven and apt-get. */
package dev.remus.launcher.startup;
