// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The styles of series by their names: a structure has the same colour, marker and dashes in all figures. Names that
 * are not listed get the next styles that are free in their figure.
 */
final class StyleRegistry {
    /** Names in the order of their styles. Those of a line are not compared in one figure with those of another. */
    private static final List<List<String>> KNOWN = List.of(
            List.of("nd", "nd-published", "bd", "bc", "buffered", "buffered-relaxed", "scalable"),
            List.of("lazy", "fast", "cached", "lockfree", "heap"),
            List.of("plain"), // the lazy list, as the benchmarks of lists name it
            List.of("LongLazyListSet", "LongFastLazyListSet", "LongCachedLazyListSet", "LongLockFreeListSet"),
            List.of("LazyListSet", "FastLazyListSet"),
            List.of("LockFreeQueue", "PublishedLockFreeQueue", "DecentralizedLockQueue", "CentralizedLockQueue"),
            List.of("enq_all", "enq_hop", "deq_all", "deq_hop", "bcast_all"),
            List.of("insert", "remove", "contains"),
            List.of("enqueue", "dequeue"));

    private static final Map<String, Integer> STYLES = new LinkedHashMap<>();

    static {
        KNOWN.forEach(names -> names.forEach(name -> STYLES.put(name, names.indexOf(name))));
    }

    private StyleRegistry() {}

    /** The style of each of the names. */
    static Map<String, SeriesStyle> styles(Iterable<String> names) {
        Set<Integer> taken = new HashSet<>();
        names.forEach(name -> {
            Integer known = STYLES.get(name);
            if (known != null) {
                taken.add(known);
            }
        });
        Map<String, SeriesStyle> styles = new LinkedHashMap<>();
        for (String name : names) {
            Integer number = STYLES.get(name);
            for (int next = 0; number == null && !styles.containsKey(name); next++) {
                if (taken.add(next)) {
                    number = next;
                }
            }
            if (number != null) {
                styles.put(name, new SeriesStyle(number));
            }
        }
        return styles;
    }
}
