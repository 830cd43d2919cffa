/**
 * The programs of page 7 of the tutorial, {@code tutorial/7-proving-it-right.md}, and the solution of its exercise: finding mistakes in the simulator.
 *
 * <p>Not {@code @NullMarked} as the other pages are: what the page quotes is not to become longer for the sake of a check.
 */
package dev.remus.tutorial.page7;
