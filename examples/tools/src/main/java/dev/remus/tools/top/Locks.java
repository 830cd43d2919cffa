// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import dev.remus.fabric.shm.LocalClusters.Look;
import dev.remus.fabric.shm.LocalClusters.Node;
import dev.remus.lock.LockState;
import dev.remus.lock.QueueLockState;
import dev.remus.lock.RemoteLock;
import dev.remus.lock.RemoteQueueLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.LockKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/**
 * The holders and waiters of a cluster's locks. The nodes' notices name the locks that threads held or awaited. Each
 * poll then samples the words of these locks several times, since most locks are held only briefly. A sample is
 * consistent, so a ticket lock with waiters has a holder.
 */
final class Locks {
    /** Reads words of remote memory at a pointer. */
    interface Reader {
        /** Returns the words; empty if there is no such memory. */
        Optional<long[]> words(long pointer, int count) throws IOException;
    }

    /** The kinds whose words have the holder and the waiters. */
    static final Set<LockKind> SAMPLED = EnumSet.of(LockKind.TICKET, LockKind.QUEUE);

    private static final int MAX_SHOWN = 8;

    /** The most attempts to read the words of a lock while it changes hands. */
    private static final int TRIES = 16;

    /** The samples of one lock in one poll. */
    private static final class Samples {
        final LockKind kind;
        final int threads;

        /** The number of tickets served by the start of the poll. */
        long turns;

        /** Acquisitions per second since the previous poll. */
        double rate;

        int samples;
        int held;
        int waiters;
        OptionalInt holder = OptionalInt.empty();

        Samples(LockKind kind, int threads) {
            this.kind = kind;
            this.threads = threads;
        }

        /** Its size. */
        int words() {
            return (kind == LockKind.QUEUE ? RemoteQueueLock.bytes(threads) : RemoteLock.bytes(threads)) / Long.BYTES;
        }

        Optional<LockState> state(long[] words) {
            return kind == LockKind.QUEUE ? QueueLockState.of(words) : RemoteLock.state(words);
        }

        void begin(LockState state, double seconds) {
            rate = samples == 0 ? Double.NaN : (state.turns() - turns) / seconds;
            turns = state.turns();
            samples = 0;
            held = 0;
            waiters = 0;
            add(state);
        }

        void add(LockState state) {
            samples++;
            waiters += state.waiters().size();
            if (state.holder().isPresent()) {
                held++;
                holder = state.holder();
            }
        }

        boolean isIdle() {
            return held == 0 && waiters == 0 && rate == 0;
        }

        double waiting() {
            return (double) waiters / samples;
        }
    }

    private final TreeMap<Long, Samples> locks = new TreeMap<>();
    private final TreeMap<Integer, Integer> nodes = new TreeMap<>();
    private long previousNanos;
    private boolean areUnreadable;

    /** Whether the words of locks can be read, as far as is known. */
    boolean areSampled() {
        return !areUnreadable;
    }

    /**
     * Starts a poll: reads the locks that the notices name, and those of the previous poll.
     *
     * @param nanos the current time
     */
    void begin(Look look, Reader reader, long nanos) throws IOException {
        double seconds = (nanos - previousNanos) / 1e9;
        previousNanos = nanos;
        locks.values().removeIf(Samples::isIdle);
        for (Node node : look.nodes()) {
            number(node, "first").ifPresent(first -> nodes.put(first, node.id()));
            number(node, "threads")
                    .ifPresent(threads -> node.notice().forEach((name, value) -> {
                        if (name.startsWith("holds.") || name.startsWith("awaits.")) {
                            for (String text : value.split(" ")) {
                                NamedLock lock = NamedLock.of(text);
                                if (SAMPLED.contains(lock.kind())) {
                                    locks.computeIfAbsent(lock.pointer(), p -> new Samples(lock.kind(), threads));
                                }
                            }
                        }
                    }));
        }
        boolean isAnyNamed = !locks.isEmpty();
        for (Iterator<Map.Entry<Long, Samples>> each = locks.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<Long, Samples> lock = each.next();
            Optional<LockState> state = read(lock.getKey(), lock.getValue(), reader);
            if (state.isPresent()) {
                lock.getValue().begin(state.get(), seconds);
            } else {
                each.remove(); // its memory has another use now, or cannot be read
            }
        }
        areUnreadable = isAnyNamed && locks.isEmpty();
    }

    /** Samples the locks of this poll once more. */
    void sample(Reader reader) throws IOException {
        for (Map.Entry<Long, Samples> lock : locks.entrySet()) {
            read(lock.getKey(), lock.getValue(), reader).ifPresent(lock.getValue()::add);
        }
    }

    private static OptionalInt number(Node node, String name) {
        String value = node.notice().get(name);
        return value == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(value));
    }

    private static Optional<LockState> read(long pointer, Samples lock, Reader reader) throws IOException {
        Optional<LockState> state = Optional.empty();
        for (int i = 0; i < TRIES && state.isEmpty(); i++) {
            Optional<long[]> words = reader.words(pointer, lock.words());
            if (words.isEmpty()) {
                return Optional.empty();
            }
            state = lock.state(words.get());
        }
        return state;
    }

    /** The busiest locks, in lines of at most 80 characters below a heading; empty if there are none. */
    List<String> show() {
        List<String> lines = new ArrayList<>();
        if (!locks.isEmpty()) {
            lines.add(String.format(
                    "%-36s %-17s %5s %7s %10s", "locks", "last held by", "held", "waiting", "acquired/s"));
            locks.entrySet().stream()
                    .sorted(Comparator.comparingDouble((Map.Entry<Long, Samples> lock) ->
                                    lock.getValue().waiting())
                            .thenComparingDouble(lock -> Math.max(lock.getValue().rate, 0))
                            .reversed())
                    .limit(MAX_SHOWN)
                    .forEach(lock -> lines.add(line(lock.getKey(), lock.getValue())));
            if (locks.size() > MAX_SHOWN) {
                lines.add("  and " + (locks.size() - MAX_SHOWN) + " more");
            }
        }
        return lines;
    }

    private String line(long pointer, Samples lock) {
        return String.format(
                Locale.ROOT,
                "  %-34s %-17s %3.0f %% %7.1f %10s",
                RdmaPtr.toString(pointer),
                lock.holder.isPresent() ? name(lock.holder.getAsInt()) : "-",
                100.0 * lock.held / lock.samples,
                lock.waiting(),
                Double.isNaN(lock.rate) ? "-" : String.format(Locale.ROOT, "%,.0f", lock.rate));
    }

    private String name(int thread) {
        Map.Entry<Integer, Integer> node = nodes.floorEntry(thread);
        return node == null ? "thread " + thread : "node " + node.getValue() + ", thread " + (thread - node.getKey());
    }
}
