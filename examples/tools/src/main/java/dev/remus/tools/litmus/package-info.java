// SPDX-License-Identifier: Apache-2.0
/**
 * Litmus tests of a fabric under contention: torn words, torn transfers, and WRITEs lost to a failing CAS. They measure
 * the actual device against what the memory model allows.
 *
 * <p>Used by {@code ./remus doctor --litmus}. Depends on the fabric contract only, so that each fabric can be measured.
 */
@NullMarked
package dev.remus.tools.litmus;

import org.jspecify.annotations.NullMarked;
