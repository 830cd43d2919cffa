// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import java.util.ArrayList;
import java.util.List;

/**
 * What happened to one key of a map, from which follows what another operation may see of it. Times are numbers that
 * grow; changes that overlap in time may have taken effect in either order.
 */
final class KeyChanges {
    /** What a key has instead of a value if it is not in the map. */
    static final long MISSING = 0;

    private final List<Change> changes = new ArrayList<>();

    /** A change, or an attempt at it. */
    static final class Change {
        private final long value;
        private final long begin;
        private long end = Long.MAX_VALUE;

        private Change(long value, long begin) {
            this.value = value;
            this.begin = begin;
        }

        /** The change has taken effect. */
        void end(long time) {
            end = time;
        }

        private boolean mayPrecede(Change other) {
            return begin < other.end;
        }
    }

    /** Begins to set the value, or to remove the key. */
    Change begin(long value, long time) {
        Change change = new Change(value, time);
        changes.add(change);
        return change;
    }

    /** Whether the key may have had a value at some moment of an interval. */
    boolean mayHave(long value, long from, long to) {
        return changes.stream()
                .filter(change -> change.value == value && change.begin < to)
                .anyMatch(change -> isNotOver(change, from));
    }

    /** Whether the key may have been in the map at some moment of an interval. */
    boolean mayBeThere(long from, long to) {
        return changes.stream()
                .filter(change -> change.value != MISSING && change.begin < to)
                .anyMatch(change -> isNotOver(change, from));
    }

    /** Whether no other change has surely followed before a time. */
    private boolean isNotOver(Change change, long time) {
        return changes.stream().allMatch(other -> change.end > other.begin || other.end > time);
    }

    /** Whether the key was surely in the map during a whole interval. */
    boolean isThere(long from, long to) {
        return changes.stream()
                .filter(change -> change.value != MISSING && change.end < from)
                .anyMatch(change -> changes.stream()
                        .noneMatch(other -> other.value == MISSING && change.mayPrecede(other) && other.begin < to));
    }
}
