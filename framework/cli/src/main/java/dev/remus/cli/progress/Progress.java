// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.progress;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** The progress of one node: consecutive phases, each with a counter per thread. */
public final class Progress {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Map<String, Phase> phases = new LinkedHashMap<>();
    private Optional<Phase> current = Optional.empty();

    /** Progress before the first phase. */
    public Progress() {}

    /**
     * The phase of this name, which starts with the first call. All threads of a node must pass the same totals.
     *
     * @param name a readable name, one word
     * @param nodeTotal the work of this node
     * @param clusterTotal the work of all nodes together
     */
    public synchronized Phase phase(String name, long nodeTotal, long clusterTotal) {
        return begin(name, nodeTotal, clusterTotal, 0);
    }

    /** A timed phase of this name, which ends after a time regardless of the work done. */
    public synchronized Phase timedPhase(String name, long nanos) {
        return begin(name, 0, 0, nanos);
    }

    private Phase begin(String name, long nodeTotal, long clusterTotal, long nanos) {
        return phases.computeIfAbsent(name, n -> {
            Phase begun = new Phase(n, nodeTotal, clusterTotal, nanos);
            current = Optional.of(begun);
            return begun;
        });
    }

    /** The phase that started last; empty before the first. */
    public synchronized Optional<Phase> current() {
        return current;
    }

    /** The name of the current phase and this node's work in it, such as {@code run 1234}; empty before the first. */
    @Override
    public String toString() {
        return current().map(phase -> phase.name() + " " + phase.done()).orElse("");
    }

    /** A phase of a run whose progress is shown. */
    public static final class Phase {
        private final String name;
        private final long nodeTotal;
        private final long clusterTotal;
        private final long nanos;
        private final long begun = System.nanoTime();
        private final List<Counter> counters = new CopyOnWriteArrayList<>();

        private Phase(String name, long nodeTotal, long clusterTotal, long nanos) {
            this.name = name;
            this.nodeTotal = nodeTotal;
            this.clusterTotal = clusterTotal;
            this.nanos = nanos;
        }

        /** The name of the phase. */
        public String name() {
            return name;
        }

        /** The work of this node. */
        public long nodeTotal() {
            return nodeTotal;
        }

        /** The work of all nodes together. */
        public long clusterTotal() {
            return clusterTotal;
        }

        /**
         * Shows the progress of this phase.
         *
         * @param wholeCluster whether the total is the work of all nodes, rather than that of this node
         */
        void showTo(ProgressView view, boolean wholeCluster) {
            if (nanos > 0) {
                long passed = Math.min(nanos, System.nanoTime() - begun);
                view.showTime(name, done(), passed / NANOS_PER_MILLI, nanos / NANOS_PER_MILLI);
            } else {
                view.show(name, done(), wholeCluster ? clusterTotal : nodeTotal);
            }
        }

        /** Adds a counter for one thread. */
        public Counter counter() {
            Counter counter = new Counter();
            counters.add(counter);
            return counter;
        }

        /** The recent sum of the counters of this node's threads. */
        public long done() {
            return counters.stream().mapToLong(Counter::get).sum();
        }
    }

    /** A counter of one thread's work. Only that thread writes it. */
    public static final class Counter {
        // Opaque: a plain store for the processor, but the compiler cannot keep it in a register forever.
        private final AtomicLong done = new AtomicLong();

        private Counter() {}

        /** Sets the work done so far. */
        public void set(long amount) {
            done.setOpaque(amount);
        }

        private long get() {
            return done.getOpaque();
        }
    }
}
