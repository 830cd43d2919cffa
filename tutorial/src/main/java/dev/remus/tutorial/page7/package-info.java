// SPDX-License-Identifier: Apache-2.0
/**
 * The programs of page 7 of the tutorial, {@code tutorial/7-proving-it-right.md}, and the solution of its exercise:
 * finding mistakes in the simulator.
 *
 * <p>Not {@code @NullMarked} as the other pages are: annotations would only lengthen the code that the page quotes.
 */
package dev.remus.tutorial.page7;
