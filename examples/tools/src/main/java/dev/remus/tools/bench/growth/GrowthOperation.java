// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.growth;

/** The operations on the map that grows. */
enum GrowthOperation {
    /** Sets the value of a key that is new. */
    INSERT,
    /** Looks up a key that is there. */
    READ,
    /** Replaces the value of a key that is there. */
    UPDATE
}
