/** Chance for tests that throw whatever comes at the framework and accept documented exceptions only. */
package dev.remus.fuzz;
