// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.latency;

import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.NodeLostException;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;

/**
 * Collects the exact latencies of all threads on the one that leads, through 1 KiB of remote memory. The threads that
 * took part in the last barrier take turns in the order of their ids. The sender fills the buffer as often as it needs,
 * and the thread that leads ({@link dev.remus.node.Peers#leader}) empties it. If a sender is lost, it is passed over
 * once it is cut off.
 *
 * <pre>
 *   word 0        how often the buffer was filled or emptied: even means empty, odd full
 *   word 1        the id of the sender
 *   word 2        the number of words that follow
 *   word 3..127   entries: kind and nanoseconds (3 and 61 bits), then the count; -1 ends them
 * </pre>
 *
 * <p>An entry of {@link LatencyIntervals} has bit 60 set, which no latency needs. Below this bit it has the logarithm
 * of the interval's length, the interval's number and nanoseconds (6, 8 and 46 bits).
 *
 * <p>After {@link #create}, the first word changes only by FETCH_AND_ADD, the others by WRITE.
 *
 * @param <K> the kinds of operations, eight at most
 */
public final class LatencyExchange<K extends Enum<K>> extends RemoteRecord {
    private static final int WORDS = 125;
    private static final int WORDS_OF_ENTRY = 2;
    private static final int KIND_SHIFT = 61;
    private static final long NANOS = (1L << KIND_SHIFT) - 1;
    private static final int OVER_TIME_SHIFT = 60;
    private static final long OVER_TIME = 1L << OVER_TIME_SHIFT;
    private static final int LOG2_SHIFT = 54;
    private static final int INTERVAL_SHIFT = 46;
    private static final long LAST = -1;
    private static final int NOBODY = -1;
    private static final int MAX_KINDS = 1 << Long.SIZE - KIND_SHIFT;

    private final K[] kinds;

    private final RemoteLong transfers = longField();
    private final RemoteLong turn = longField();
    private final RemoteLongArray buffer = longArrayField(1 + WORDS);

    /**
     * A handle that points to no object yet.
     *
     * @param kinds the class of the kinds
     */
    public LatencyExchange(Class<K> kinds) {
        this.kinds = kinds.getEnumConstants();
        if (this.kinds.length > MAX_KINDS) {
            throw new IllegalArgumentException(
                    kinds + " has " + this.kinds.length + " kinds of operations; at most " + MAX_KINDS + " fit");
        }
    }

    /** Makes an exchange in remote memory. */
    public void create(ComputeThread ct) {
        allocate(ct);
        transfers.store(0, ct);
        turn.store(NOBODY, ct);
    }

    /** Makes it ready for another {@link #collect}, while no other thread uses it. */
    public void reset(ComputeThread ct) {
        transfers.fetchAdd(-transfers.load(ct), ct);
        turn.store(NOBODY, ct);
    }

    /** The participant after another one. */
    private static int next(int thread, ComputeThread ct) {
        int next = thread + 1;
        while (next < ct.threads() && !ct.peers().tookPart(next)) {
            next++;
        }
        return next;
    }

    /**
     * Sends or receives one thread's latencies. All threads must call it.
     *
     * @param own the latencies of this thread; on the thread that leads, those of all others are added to them
     * @throws NodeLostException if the thread that leads is lost, or any under {@code --on-node-loss abort}
     */
    public void collect(Latencies<K> own, ComputeThread ct) {
        LocalBuffer local = ct.allocateLocal((1L + WORDS) * Long.BYTES);
        int leader = ct.peers().leader();
        if (ct.id() != leader) {
            new Sender(local, leader, ct).send(own);
            return;
        }
        long seen = 0;
        for (int thread = next(leader, ct); thread < ct.threads(); thread = next(thread, ct)) {
            turn.store(thread, ct);
            try {
                seen = receive(thread, seen, local, own, ct);
            } catch (NodeLostException e) {
                if (e.node() != ct.peers().nodeOf(thread)) {
                    throw e;
                }
                seen = passOver(thread, ct);
            }
        }
    }

    /** The same, but if the thread that leads is lost, returns without an effect on the others. */
    public void collectUnlessLost(Latencies<K> own, ComputeThread ct) {
        int leader = ct.peers().leader();
        try {
            collect(own, ct);
        } catch (NodeLostException e) {
            if (ct.id() == leader || e.node() != ct.peers().nodeOf(leader)) {
                throw e;
            }
        }
    }

    /** Returns how often the buffer was filled or emptied. */
    private long receive(int thread, long seenBefore, LocalBuffer local, Latencies<K> all, ComputeThread ct) {
        long seen = seenBefore;
        boolean last = false;
        while (!last) {
            await(transfers, ++seen, thread, ct);
            ct.read(buffer.pointer(0), local, 0, (1 + WORDS) * Long.BYTES);
            last = empty(local, all);
            seen = transfers.fetchAdd(1, ct) + 1;
        }
        return seen;
    }

    /** Empties the buffer once a lost sender can no longer fill it. Returns how often it was filled or emptied. */
    private long passOver(int thread, ComputeThread ct) {
        while (!ct.peers().isLost(thread)) {
            ct.pauseForHolder(thread);
        }
        long seen = transfers.load(ct);
        return seen % 2 == 0 ? seen : transfers.fetchAdd(1, ct) + 1;
    }

    /** Adds the entries in the buffer; returns whether they were the sender's last. */
    private boolean empty(LocalBuffer local, Latencies<K> all) {
        int words = (int) local.getLong(0);
        for (int i = 1; i <= words; i += WORDS_OF_ENTRY) {
            long entry = local.getLong((long) i * Long.BYTES);
            if (entry == LAST) {
                return true;
            }
            long count = local.getLong((i + 1L) * Long.BYTES);
            K kind = kinds[(int) (entry >>> KIND_SHIFT)];
            if ((entry & OVER_TIME) == 0) {
                all.add(kind, entry & NANOS, count);
            } else {
                int interval = (int) (entry >>> INTERVAL_SHIFT) & (1 << LOG2_SHIFT - INTERVAL_SHIFT) - 1;
                int log2 = (int) (entry >>> LOG2_SHIFT) & (1 << OVER_TIME_SHIFT - LOG2_SHIFT) - 1;
                all.addInterval(kind, interval, log2, entry & (1L << INTERVAL_SHIFT) - 1, count);
            }
        }
        return false;
    }

    /** Waits until another thread has set a word to a value, or since to a higher one. */
    private static void await(RemoteLong word, long expected, int thread, ComputeThread ct) {
        while (word.load(ct) < expected) {
            ct.pauseFor(thread);
        }
    }

    /** Sends one thread's latencies in as many buffers as they need. */
    private final class Sender {
        private final LocalBuffer local;
        private final int leader;
        private final ComputeThread ct;
        private int words;

        Sender(LocalBuffer local, int leader, ComputeThread ct) {
            this.local = local;
            this.leader = leader;
            this.ct = ct;
        }

        void send(Latencies<K> own) {
            await(turn, ct.id(), leader, ct);
            for (K kind : kinds) {
                long bits = (long) kind.ordinal() << KIND_SHIFT;
                own.forEach(kind, (nanos, count) -> put(bits | nanos, count));
                own.forEachInterval(kind, (interval, log2, nanos, count) -> {
                    long place = (long) log2 << LOG2_SHIFT | (long) interval << INTERVAL_SHIFT;
                    put(bits | OVER_TIME | place | nanos, count);
                });
            }
            put(LAST, 0);
            flush();
        }

        private void put(long entry, long count) {
            if (words + WORDS_OF_ENTRY > WORDS) {
                flush();
            }
            local.putLong((words + 1L) * Long.BYTES, entry);
            local.putLong((words + 2L) * Long.BYTES, count);
            words += WORDS_OF_ENTRY;
        }

        /** Writes the buffer and waits until it has been emptied. */
        private void flush() {
            local.putLong(0, words);
            ct.write(buffer.pointer(0), local, 0, (1 + words) * Long.BYTES);
            long full = transfers.fetchAdd(1, ct) + 1;
            await(transfers, full + 1, leader, ct);
            words = 0;
        }
    }
}
