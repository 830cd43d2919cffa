// SPDX-License-Identifier: Apache-2.0
/**
 * Compares the pages of the tutorial with its programs: code, commands and their output, links and diagrams. With
 * {@code -Dtutorial.update=true} the tests update the pages instead.
 */
package dev.remus.tutorial;
