// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import dev.remus.fabric.shm.LocalClusters.Look;
import dev.remus.fabric.shm.LocalClusters.Node;
import dev.remus.fabric.shm.LocalClusters.State;
import dev.remus.memory.RdmaPtr;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The locks that the notices of the nodes name, for a cluster whose memory cannot be read from outside. Each node posts
 * its notice at another moment, so a lock may have several holders here, or waiters and no holder.
 */
final class NamedLocks {
    private static final int MAX_SHOWN = 8;

    /** The threads of a lock. */
    private static final class Threads {
        final List<String> holders = new ArrayList<>();
        int waiters;
    }

    private final Map<Long, Threads> locks = new TreeMap<>();

    private NamedLocks() {}

    /** The locks that threads of living nodes held or awaited. */
    static NamedLocks of(Look look) {
        NamedLocks all = new NamedLocks();
        look.nodes().stream()
                .filter(node -> node.state() == State.RUNNING || node.state() == State.STOPPED)
                .forEach(all::add);
        return all;
    }

    private void add(Node node) {
        node.notice().forEach((name, value) -> {
            String thread = "node " + node.id() + ", thread " + name.substring(name.indexOf('.') + 1);
            if (name.startsWith("holds.")) {
                for (String pointer : value.split(" ")) {
                    at(pointer).holders.add(thread);
                }
            } else if (name.startsWith("awaits.")) {
                at(value).waiters++;
            }
        });
    }

    private Threads at(String pointer) {
        return locks.computeIfAbsent(Long.valueOf(pointer), p -> new Threads());
    }

    /** How many locks a node's threads hold. */
    static int held(Map<String, String> notice) {
        return notice.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("holds."))
                .mapToInt(entry -> entry.getValue().split(" ").length)
                .sum();
    }

    /** The locks with the most waiters, in lines of at most 80 characters below a heading; empty if there are none. */
    List<String> show() {
        List<String> lines = new ArrayList<>();
        if (!locks.isEmpty()) {
            lines.add(String.format("%-36s %-24s %7s", "locks, in the nodes' last notices", "held by", "waiting"));
            locks.entrySet().stream()
                    .sorted(Comparator.comparingInt((Map.Entry<Long, Threads> lock) -> lock.getValue().waiters)
                            .reversed())
                    .limit(MAX_SHOWN)
                    .forEach(lock -> lines.add(line(lock.getKey(), lock.getValue())));
            if (locks.size() > MAX_SHOWN) {
                lines.add("  and " + (locks.size() - MAX_SHOWN) + " more");
            }
        }
        return lines;
    }

    private static String line(long pointer, Threads threads) {
        String holder = threads.holders.isEmpty() ? "-" : threads.holders.stream().sorted().findFirst().orElse("-");
        return String.format(Locale.ROOT, "  %-34s %-24s %7d", RdmaPtr.toString(pointer), holder, threads.waiters);
    }
}
