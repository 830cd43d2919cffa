// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.transfers;

/** The direction of a transfer's bytes. */
enum Direction {
    /** From the Memory Node to the Compute Node. */
    READ,
    /** From the Compute Node to the Memory Node. */
    WRITE
}
