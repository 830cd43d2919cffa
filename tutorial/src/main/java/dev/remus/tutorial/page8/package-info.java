/**
 * The programs of page 8 of the tutorial, {@code tutorial/8-a-queue.md}, and the solution of its exercise: a queue.
 */
package dev.remus.tutorial.page8;
