// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** An operation on an ordered map as a whole. It returns the entries that it finds. */
public sealed interface OrderedMapOperation {
    /**
     * An operation on one key. It finds the value that {@link MapOperation} returns.
     *
     * @param operation the operation
     */
    record OnKey(MapOperation<Long, Long> operation) implements OrderedMapOperation {
        @Override
        public String toString() {
            return operation.toString();
        }
    }

    /**
     * The entries of an interval at one moment.
     *
     * @param from its lowest key
     * @param to its highest key
     * @param limit the most entries
     */
    record Snapshot(long from, long to, long limit) implements OrderedMapOperation {
        @Override
        public String toString() {
            return "snapshot(" + from + " to " + to + ", at most " + limit + ")";
        }
    }

    /**
     * A bulk load. It finds nothing if it has loaded its entries, and {@link #REFUSAL} if the map had some, which it
     * then keeps.
     *
     * @param entries those of the map afterwards
     */
    record Load(SortedMap<Long, Long> entries) implements OrderedMapOperation {
        /** What a load finds that is refused: no entry of a map. */
        public static final SortedMap<Long, Long> REFUSAL =
                Collections.unmodifiableSortedMap(new TreeMap<>(Map.of(Long.MIN_VALUE, Long.MIN_VALUE)));

        @Override
        public String toString() {
            return "load(" + entries + ")";
        }
    }
}
