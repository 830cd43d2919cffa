/**
 * Holds the pages of the tutorial to its programs: code, commands and their output, links and diagrams. With {@code
 * -Dtutorial.update=true} the tests write what they find into the pages instead of comparing it.
 */
package dev.remus.tutorial;
