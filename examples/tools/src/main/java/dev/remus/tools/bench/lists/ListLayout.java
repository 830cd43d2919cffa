// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.lists;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * How the nodes of a list lie in memory before a measurement: time depends on it where an operation is an instruction.
 *
 * @param segments the number of segments among which nodes are distributed in turn
 * @param isShuffled whether neighbours in the list lie in random places, instead of one behind the other
 */
record ListLayout(int segments, boolean isShuffled) {
    /** All layouts. */
    static final List<ListLayout> ALL = List.of(
            new ListLayout(1, false), new ListLayout(1, true), new ListLayout(2, false), new ListLayout(2, true));

    private static final long SEED = 1;

    /** Every other key of a range, in the order in which they are inserted: descending, so that searches are short. */
    List<Long> keys(int range) {
        List<Long> keys = LongStream.iterate(range - 2L, key -> key >= 0, key -> key - 2)
                .boxed()
                .collect(Collectors.toList());
        if (isShuffled) {
            Collections.shuffle(keys, new Random(SEED));
        }
        return keys;
    }

    /** For example {@code 2 segments, shuffled}. */
    @Override
    public String toString() {
        return (segments == 1 ? "1 segment, " : segments + " segments, ") + (isShuffled ? "shuffled" : "contiguous");
    }
}
