// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import java.util.random.RandomGenerator;

/**
 * Numbers for the incarnations of nodes: one start of a node has another number than the next, so that a request to cut
 * off the earlier one does not meet the later one.
 */
public final class Incarnation {
    /** Incarnations are smaller than this, so that a word has room for more. */
    private static final long BOUND = 1L << 57;

    private Incarnation() {}

    /** A number for a new incarnation, from 1 to 2<sup>57</sup> - 1. */
    public static long next(RandomGenerator random) {
        return random.nextLong(1, BOUND);
    }
}
