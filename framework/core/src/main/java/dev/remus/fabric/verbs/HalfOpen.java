// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The connections that are not admitted yet. Each has a certain time for that. There is room for a certain number; a
 * further one takes the place of the oldest, which is the least likely to complete its handshake.
 */
final class HalfOpen<T> {
    private final int most;
    private final long nanos;

    /** When each began, the oldest first. */
    private final Map<T, Long> since = new LinkedHashMap<>();

    HalfOpen(int most, long nanos) {
        this.most = most;
        this.nanos = nanos;
    }

    /** Adds a connection; returns one to end in its place, which is removed. */
    Optional<T> add(T connection, long now) {
        Optional<T> oldest =
                since.size() < most ? Optional.empty() : since.keySet().stream().findFirst();
        oldest.ifPresent(since::remove);
        since.put(connection, now);
        return oldest;
    }

    /** A connection is admitted, or has ended. */
    void remove(T connection) {
        since.remove(connection);
    }

    /** The connections whose time is over, to be ended. */
    List<T> late(long now) {
        return since.entrySet().stream()
                .takeWhile(entry -> now - entry.getValue() > nanos)
                .map(Map.Entry::getKey)
                .toList();
    }

    int size() {
        return since.size();
    }
}
