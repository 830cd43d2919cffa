package dev.remus.cli.progress;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** How far the threads of one node are: phases one after the other, and in each a counter per thread. */
public final class Progress {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Map<String, Phase> phases = new LinkedHashMap<>();
    private Optional<Phase> current = Optional.empty();

    /** Before the first phase. */
    public Progress() {}

    /**
     * The phase of this name, which begins when it is asked for the first time. All threads of a node pass the same
     * totals.
     *
     * @param name one word, for people
     * @param nodeTotal how much this node has to do
     * @param clusterTotal how much all nodes together have to do
     */
    public synchronized Phase phase(String name, long nodeTotal, long clusterTotal) {
        return begin(name, nodeTotal, clusterTotal, 0);
    }

    /** The same for a phase that ends after a time, however much is done by then. */
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

    /** The phase that began last; empty before the first. */
    public synchronized Optional<Phase> current() {
        return current;
    }

    /** A part of the experiment that takes long enough to be worth watching. */
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

        /** What it is called. */
        public String name() {
            return name;
        }

        /** How much this node has to do. */
        public long nodeTotal() {
            return nodeTotal;
        }

        /** How much all nodes together have to do. */
        public long clusterTotal() {
            return clusterTotal;
        }

        /**
         * Shows how far it is.
         *
         * @param wholeCluster whether what this node has done is compared with what all nodes have to do, and not only with
         *     what this node has to
         */
        void showTo(ProgressView view, boolean wholeCluster) {
            if (nanos > 0) {
                long passed = Math.min(nanos, System.nanoTime() - begun);
                view.showTime(name, done(), passed / NANOS_PER_MILLI, nanos / NANOS_PER_MILLI);
            } else {
                view.show(name, done(), wholeCluster ? clusterTotal : nodeTotal);
            }
        }

        /** A new counter, for one thread. */
        public Counter counter() {
            Counter counter = new Counter();
            counters.add(counter);
            return counter;
        }

        /** How much the threads of this node have done, a moment ago. */
        public long done() {
            return counters.stream().mapToLong(Counter::get).sum();
        }
    }

    /** What one thread has done. Written by that thread only. */
    public static final class Counter {
        // Opaque: a plain store for the processor, but the compiler may not keep it in a register for ever.
        private final AtomicLong done = new AtomicLong();

        private Counter() {}

        /** Says how much has been done in all. */
        public void set(long amount) {
            done.setOpaque(amount);
        }

        private long get() {
            return done.getOpaque();
        }
    }
}
