// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

/** Takes those counts of one thread on which an audit relies, so that they outlive the thread. */
@FunctionalInterface
public interface Ledger {
    /** Takes none: nobody needs the counts of lost threads. */
    Ledger NONE = (count, value) -> {};

    /**
     * Takes a count, after each operation that changes it.
     *
     * @param count its number in the row of the thread
     */
    void record(int count, long value);
}
