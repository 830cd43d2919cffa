// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import java.util.Map;
import java.util.TreeMap;

/**
 * The remote operations of a Compute Thread: READs, WRITEs, COMPARE_AND_SWAPs, FETCH_AND_ADDs and round trips, in all
 * or per second.
 */
record Counts(double reads, double writes, double swaps, double adds, double trips) {
    static final Counts NONE = new Counts(0, 0, 0, 0, 0);

    /** The counts in a node's notice, by the index of the thread. */
    static Map<Integer, Counts> of(Map<String, String> notice) {
        Map<Integer, Counts> all = new TreeMap<>();
        notice.forEach((name, value) -> {
            String[] words = value.split(" ");
            if (name.startsWith("thread.") && words.length == 5) {
                all.put(
                        Integer.valueOf(name.substring("thread.".length())),
                        new Counts(
                                Double.parseDouble(words[0]),
                                Double.parseDouble(words[1]),
                                Double.parseDouble(words[2]),
                                Double.parseDouble(words[3]),
                                Double.parseDouble(words[4])));
            }
        });
        return all;
    }

    double operations() {
        return reads + writes + swaps + adds;
    }

    Counts plus(Counts other) {
        return new Counts(
                reads + other.reads,
                writes + other.writes,
                swaps + other.swaps,
                adds + other.adds,
                trips + other.trips);
    }

    /** The operations per second since earlier counts. */
    Counts since(Counts earlier, double seconds) {
        return new Counts(
                (reads - earlier.reads) / seconds,
                (writes - earlier.writes) / seconds,
                (swaps - earlier.swaps) / seconds,
                (adds - earlier.adds) / seconds,
                (trips - earlier.trips) / seconds);
    }
}
