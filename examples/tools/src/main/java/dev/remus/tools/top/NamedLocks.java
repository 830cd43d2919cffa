// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import dev.remus.fabric.shm.LocalClusters.Look;
import dev.remus.fabric.shm.LocalClusters.Node;
import dev.remus.fabric.shm.LocalClusters.State;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.LockKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The locks that the notices of the nodes name, for a cluster whose memory cannot be read from outside. Each node posts
 * its notice at another moment, so a lock may have several holders here, or waiters and no holder. Readers, permits and
 * leaders are shown in this way on any fabric.
 */
final class NamedLocks {
    private static final int MAX_SHOWN = 8;

    /** The threads of a lock. */
    private static final class Threads {
        final List<String> holders = new ArrayList<>();
        int waiters;
    }

    private final Map<NamedLock, Threads> locks =
            new TreeMap<>(Comparator.comparingLong(NamedLock::pointer).thenComparing(NamedLock::kind));

    private final Set<LockKind> leftOut;

    private NamedLocks(Set<LockKind> leftOut) {
        this.leftOut = leftOut;
    }

    /**
     * The locks that threads of living nodes held or awaited.
     *
     * @param leftOut kinds of locks that do not count
     */
    static NamedLocks of(Look look, Set<LockKind> leftOut) {
        NamedLocks all = new NamedLocks(leftOut);
        look.nodes().stream()
                .filter(node -> node.state() == State.RUNNING || node.state() == State.STOPPED)
                .forEach(all::add);
        return all;
    }

    private void add(Node node) {
        node.notice().forEach((name, value) -> {
            String thread = "node " + node.id() + ", thread " + name.substring(name.indexOf('.') + 1);
            if (name.startsWith("holds.")) {
                for (String lock : value.split(" ")) {
                    at(lock).holders.add(thread);
                }
            } else if (name.startsWith("awaits.")) {
                at(value).waiters++;
            }
        });
        locks.keySet().removeIf(lock -> leftOut.contains(lock.kind()));
    }

    private Threads at(String text) {
        return locks.computeIfAbsent(NamedLock.of(text), lock -> new Threads());
    }

    /** The locks with the most waiters, in lines of at most 80 characters below a heading; empty if there are none. */
    List<String> show() {
        List<String> lines = new ArrayList<>();
        if (!locks.isEmpty()) {
            lines.add(String.format(
                    "%-36s %-8s %-24s %8s", "locks, in the nodes' last notices", "kind", "held by", "waiting"));
            locks.entrySet().stream()
                    .sorted(Comparator.comparingInt((Map.Entry<NamedLock, Threads> lock) -> lock.getValue().waiters)
                            .reversed())
                    .limit(MAX_SHOWN)
                    .forEach(lock -> lines.add(line(lock.getKey(), lock.getValue())));
            if (locks.size() > MAX_SHOWN) {
                lines.add("  and " + (locks.size() - MAX_SHOWN) + " more");
            }
        }
        return lines;
    }

    private static String line(NamedLock lock, Threads threads) {
        String holders = threads.holders.stream().sorted().findFirst().orElse("-")
                + (threads.holders.size() > 1 ? ", +" + (threads.holders.size() - 1) : "");
        return String.format(
                Locale.ROOT,
                "  %-34s %-8s %-24s %8d",
                RdmaPtr.toString(lock.pointer()),
                lock.kind(),
                holders,
                threads.waiters);
    }
}
