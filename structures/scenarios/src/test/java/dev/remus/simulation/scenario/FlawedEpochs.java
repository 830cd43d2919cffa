// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * Reclamation by epochs with a flaw, which the simulator must find. Its table is a block: the epoch, and an
 * announcement of each thread. Without a flaw it is right.
 */
final class FlawedEpochs implements Retirement {
    private static final long OFFLINE = 0;
    private static final int CALLS = 2;
    private static final int MOST_WAITS = 4_000;

    /** The mistakes. */
    enum Flaw {
        /** None. */
        NONE,
        /** An announcement is posted before what was posted earlier is placed. */
        ANNOUNCED_BEFORE_PLACING,
        /** The epoch moves on although some threads have announced only the one before. */
        MOVED_ON_ONE_EARLY,
        /** Blocks are reused one epoch after the one in which they were retired. */
        FREED_AFTER_ONE_EPOCH,
        /** Blocks are reused an epoch later than they could be. */
        FREED_AFTER_THREE_EPOCHS,
        /** A block's epoch is the one that the thread has announced, which may be older than the retirement. */
        DATED_TOO_EARLY,
        /** After work offline, the thread stays offline until its next quiescent state. */
        BACK_ONLINE_TOO_LATE,
        /** A thread that comes online does not wait until its announcement is placed. */
        BACK_ONLINE_UNPLACED,
        /** The threads of a lost node are awaited. */
        DEAD_THREAD_AWAITED,
        /** A posted announcement is believed to arrive. */
        LOST_ANNOUNCEMENT_NOT_REPEATED,
        /** Kept pointers are used in the next epoch. */
        CACHE_NOT_DROPPED,
        /** Blocks that an offline thread has left get the epoch that the adopting thread has announced. */
        ADOPTED_WITH_EARLIER_DATE,
        /** A thread that needs a block inside an operation announces epochs until one is free. */
        ANNOUNCED_INSIDE,
        /** A thread enters operations without a free block, and then waits for one inside. */
        ENTERED_WITHOUT_RESERVE
    }

    /** A retired block. */
    private record Retired(long block, long epoch) {}

    private final Flaw flaw;

    /** How many blocks it may allocate. */
    private final int room;

    /** The blocks that threads have left. */
    private final Deque<Long> left;

    private final long table;
    private final int id;
    private final int threads;
    private final LocalBuffer words;
    private final List<Retired> retired = new ArrayList<>();
    private final List<Long> undated = new ArrayList<>();
    private final Deque<Long> free = new ArrayDeque<>();
    private long announced;
    private long staleness;
    private int calls;
    private int allocated;

    private FlawedEpochs(RdmaPtr<?> shared, Flaw flaw, int room, Deque<Long> left, ComputeThread ct) {
        this.flaw = flaw;
        this.room = room;
        this.left = left;
        this.table = shared.raw();
        this.id = ct.id();
        this.threads = ct.threads();
        this.words = ct.allocateLocal(Long.BYTES * (1L + threads));
        enter(ct);
    }

    static Retirement.Factory factory(Flaw flaw) {
        return factory(flaw, Integer.MAX_VALUE);
    }

    /** Makes handles that allocate so many blocks at most. */
    static Retirement.Factory factory(Flaw flaw, int room) {
        return new Retirement.Factory() {
            private Deque<Long> left = new ArrayDeque<>();

            @Override
            public RdmaPtr<?> create(ComputeThread ct) {
                left = new ArrayDeque<>();
                long table = ct.allocate(Long.BYTES * (1L + ct.threads()));
                for (int i = 0; i <= ct.threads(); i++) {
                    ct.write(table + (long) i * Long.BYTES, 0);
                }
                return new RdmaPtr<>(table);
            }

            @Override
            public Retirement open(RdmaPtr<?> shared, ComputeThread ct) {
                return new FlawedEpochs(shared, flaw, room, left, ct);
            }
        };
    }

    @Override
    public long allocate(ComputeThread ct) {
        for (int waits = 0; !hasBlock(); waits++) {
            if (waits == MOST_WAITS) {
                throw new AssertionError(ct + " gets no block");
            }
            long epoch = observe(ct);
            if (flaw == Flaw.ANNOUNCED_INSIDE) {
                announce(epoch, ct);
            }
            ct.pause();
        }
        if (free.isEmpty()) {
            allocated++;
            return ct.allocate(BLOCK_BYTES);
        }
        return free.pop();
    }

    private boolean hasBlock() {
        return allocated < room || !free.isEmpty();
    }

    @Override
    public void retire(long block, ComputeThread ct) {
        if (flaw == Flaw.DATED_TOO_EARLY) {
            retired.add(new Retired(block, announced));
        } else {
            undated.add(block);
        }
    }

    @Override
    public void quiescent(ComputeThread ct) {
        if (++calls % CALLS == 0) {
            announce(observe(ct), ct);
        }
        if (flaw != Flaw.ENTERED_WITHOUT_RESERVE && flaw != Flaw.ANNOUNCED_INSIDE) {
            while (!hasBlock()) {
                announce(observe(ct), ct);
                ct.pause();
            }
        }
    }

    private long own() {
        return table + Long.BYTES * (1L + id);
    }

    private long observe(ComputeThread ct) {
        adopt();
        if (flaw != Flaw.ANNOUNCED_BEFORE_PLACING) {
            ct.place();
        }
        ct.read(table, words);
        long epoch = words.getLong(0);
        if (held(ct) > 0 && isAnnouncedByAll(epoch, ct) && ct.compareAndSwap(table, epoch, epoch + 1) == epoch) {
            epoch++;
        }
        reclaim(epoch - distance());
        for (long block : undated) {
            retired.add(new Retired(block, epoch));
        }
        undated.clear();
        return epoch;
    }

    private int distance() {
        return switch (flaw) {
            case FREED_AFTER_ONE_EPOCH -> 1;
            case FREED_AFTER_THREE_EPOCHS -> 3;
            default -> 2;
        };
    }

    private void adopt() {
        for (Long block = left.poll(); block != null; block = left.poll()) {
            if (flaw == Flaw.ADOPTED_WITH_EARLIER_DATE) {
                retired.add(new Retired(block, announced));
            } else {
                undated.add(block);
            }
        }
    }

    private boolean isAnnouncedByAll(long epoch, ComputeThread ct) {
        for (int thread = 0; thread < threads; thread++) {
            long found = words.getLong(Long.BYTES * (1L + thread));
            boolean isLost = flaw != Flaw.DEAD_THREAD_AWAITED && ct.peers().isLost(thread);
            boolean isEarly = flaw == Flaw.MOVED_ON_ONE_EARLY && found == epoch;
            if (found != epoch + 1 && (thread == id || found != OFFLINE && !isLost && !isEarly)) {
                return false;
            }
        }
        return true;
    }

    private void reclaim(long epoch) {
        for (Iterator<Retired> i = retired.iterator(); i.hasNext(); ) {
            Retired next = i.next();
            if (next.epoch() <= epoch) {
                free.push(next.block());
                i.remove();
            }
        }
    }

    private void announce(long epoch, ComputeThread ct) {
        boolean isNew = epoch != announced;
        announced = epoch;
        staleness += isNew && flaw != Flaw.CACHE_NOT_DROPPED ? 1 : 0;
        boolean isThere = words.getLong(own() - table) == epoch + 1;
        if (isNew || !isThere && flaw != Flaw.LOST_ANNOUNCEMENT_NOT_REPEATED) {
            ct.post(own(), epoch + 1);
        }
    }

    @Override
    public void offline(Runnable work, ComputeThread ct) {
        ct.place();
        leave();
        ct.write(own(), OFFLINE);
        staleness++;
        work.run();
        if (flaw != Flaw.BACK_ONLINE_TOO_LATE) {
            enter(ct);
        }
    }

    /** With any other mistake the thread keeps its blocks, since that shows the mistake in more schedules. */
    private void leave() {
        if (flaw != Flaw.NONE && flaw != Flaw.ADOPTED_WITH_EARLIER_DATE) {
            return;
        }
        retired.forEach(block -> left.add(block.block()));
        left.addAll(undated);
        retired.clear();
        undated.clear();
    }

    private void enter(ComputeThread ct) {
        if (flaw == Flaw.BACK_ONLINE_UNPLACED) {
            ct.post(own(), announced + 1);
        } else {
            ct.write(own(), announced + 1);
            announce(observe(ct), ct);
        }
    }

    @Override
    public long staleness(ComputeThread ct) {
        return staleness;
    }

    @Override
    public int held(ComputeThread ct) {
        return retired.size() + undated.size();
    }
}
