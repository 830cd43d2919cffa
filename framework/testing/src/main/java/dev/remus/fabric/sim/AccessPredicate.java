// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

/** A question about accesses to consecutive words of remote memory. */
public interface AccessPredicate {
    /**
     * Whether it holds for an access.
     *
     * @param first the number of the first word; words of a segment have consecutive numbers, and no other segment of
     *     the run has the same
     * @param words how many, at least 1
     * @param changes whether the access may change the words
     */
    boolean test(long first, int words, boolean changes);
}
