// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import dev.remus.fabric.shm.LocalClusters.Look;
import dev.remus.fabric.shm.LocalClusters.Node;
import dev.remus.fabric.shm.LocalClusters.State;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;

/** The times of day at which nodes were first seen lost. */
final class LossTimes {
    /** How times of day are shown. */
    static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

    /** A node's part as a Memory Node, or as a Compute Node. */
    private record Part(boolean isMemoryNode, int id) {
        static Part of(Node node) {
            return new Part(node.isMemoryNode(), node.id());
        }
    }

    /** By part, the time, or an empty text while it is not lost. */
    private final Map<Part, String> times = new HashMap<>();

    /** Records the states of a cluster's nodes at a time of day. */
    void note(Look look, LocalTime now) {
        for (Node node : look.nodes()) {
            String before = times.get(Part.of(node));
            if (node.state() != State.LOST) {
                times.put(Part.of(node), "");
            } else if (before != null && before.isEmpty()) { // else it was lost before anybody looked
                times.put(Part.of(node), CLOCK.format(now));
            }
        }
    }

    /** When a node was lost, such as {@code LOST at 13:45:10}; without a time if that was before the first look. */
    String text(Node node) {
        String time = times.getOrDefault(Part.of(node), "");
        return time.isEmpty() ? "LOST" : "LOST at " + time;
    }
}
