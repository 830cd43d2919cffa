// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import dev.remus.fabric.shm.LocalClusters.Look;
import dev.remus.fabric.shm.LocalClusters.Node;
import dev.remus.fabric.shm.LocalClusters.State;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The epoch of a cluster with {@code --reclaim epochs}, how fast it moves on, and the thread that is furthest behind.
 * The nodes' notices hold the pointer to the epoch. The announcements of all threads follow it.
 */
final class Epochs {
    private static final long OFFLINE = 0;

    /** What a poll has found: the epoch, and what the threads that were online have announced. */
    private record Found(long epoch, int online, String last, long announced) {}

    private Optional<Found> found = Optional.empty();
    private long previousNanos;

    /** Epochs per second; NaN until two polls have read the epoch. */
    private double rate = Double.NaN;

    /**
     * Reads the epoch and the announcements, if the cluster has them.
     *
     * @param nanos the current time
     */
    void poll(Look look, Locks.Reader reader, long nanos) throws IOException {
        Optional<Found> now = Optional.empty();
        for (Node node : look.nodes()) {
            String pointer = node.notice().get("epoch");
            if (pointer != null && now.isEmpty()) {
                int threads = Integer.parseInt(node.notice().getOrDefault("threads", "0"));
                now = reader.words(Long.parseLong(pointer), 1 + threads).map(words -> found(look, words));
            }
        }
        double seconds = (nanos - previousNanos) / 1e9;
        rate = now.isPresent() && found.isPresent()
                ? (now.get().epoch() - found.get().epoch()) / seconds
                : Double.NaN;
        previousNanos = nanos;
        found = now;
    }

    /**
     * The oldest announcement of the threads of nodes whose process is there. Those of lost nodes hold up nothing once
     * they are cut off.
     */
    private static Found found(Look look, long[] words) {
        int online = 0;
        String last = "";
        long announced = Long.MAX_VALUE;
        for (Node node : look.nodes()) {
            if (node.state() != State.RUNNING && node.state() != State.STOPPED) {
                continue;
            }
            int first = Integer.parseInt(node.notice().getOrDefault("first", "0"));
            for (int index : Counts.of(node.notice()).keySet()) {
                long word = words[1 + first + index];
                if (word != OFFLINE) {
                    online++;
                    if (word - 1 < announced) {
                        announced = word - 1;
                        last = "node " + node.id() + ", thread " + index;
                    }
                }
            }
        }
        return new Found(words[0], online, last, announced);
    }

    /** Lines of at most 80 characters below a heading: the epoch, and the retired blocks of each node. */
    List<String> show(Look look) {
        List<String> lines = new ArrayList<>();
        found.ifPresent(at -> lines.add("  epoch " + epoch(at)));
        for (Node node : look.nodes()) {
            retired(node.notice()).ifPresent(text -> lines.add("  node " + node.id() + "  " + text));
        }
        if (!lines.isEmpty()) {
            lines.add(0, "reclamation: blocks that are retired and not yet free");
        }
        return lines;
    }

    /** The threads that nodes report to hold the epoch up, a line each. */
    static List<String> stalls(Look look) {
        List<String> lines = new ArrayList<>();
        for (Node node : look.nodes()) {
            if (node.state() == State.RUNNING && node.notice().containsKey("stalled")) {
                String[] stall = node.notice().get("stalled").split(" ");
                lines.add("node " + stall[0] + ", thread " + stall[1] + " stands still: for " + stall[2] + " s, "
                        + stall[3] + " blocks of node " + node.id() + " wait");
            }
        }
        return lines;
    }

    private String epoch(Found at) {
        String speed = Double.isNaN(rate) ? "" : String.format(Locale.ROOT, ", %,.1f/s", rate);
        String state = at.online() == 0
                ? "no thread is online"
                : at.announced() >= at.epoch()
                        ? "all threads online have announced it"
                        : String.format(Locale.ROOT, "%s is the last, at %,d", at.last(), at.announced());
        return String.format(Locale.ROOT, "%,d%s: %s", at.epoch(), speed, state);
    }

    /** The blocks that a node has retired and not reclaimed; empty if it has posted none. */
    static Optional<Long> retiredBlocks(Map<String, String> notice) {
        return Optional.ofNullable(notice.get("retired")).map(value -> Long.valueOf(value.split(" ")[0]));
    }

    private static Optional<String> retired(Map<String, String> notice) {
        return Optional.ofNullable(notice.get("retired")).map(value -> {
            String[] words = value.split(" ");
            return String.format(
                    Locale.ROOT,
                    "%,d blocks, %,d KiB",
                    Long.parseLong(words[0]),
                    (Long.parseLong(words[1]) + 1023) >> 10);
        });
    }
}
