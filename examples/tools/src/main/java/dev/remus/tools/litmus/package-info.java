/**
 * Small tests of what a fabric does under contention: whether words are whole, whether longer transfers tear, and whether a
 * WRITE can be lost to a CAS that fails. They measure what the memory model allows, on the device that is there.
 *
 * <p>Used by {@code ./remus doctor --litmus}. Depends on the fabric contract only, so that each fabric can be measured.
 */
@NullMarked
package dev.remus.tools.litmus;

import org.jspecify.annotations.NullMarked;
