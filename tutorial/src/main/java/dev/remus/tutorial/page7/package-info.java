/**
 * The programs of page 7 of the tutorial, {@code tutorial/7-proving-it-right.md}, and the solution of its exercise: finding mistakes in the simulator.
 */
package dev.remus.tutorial.page7;
