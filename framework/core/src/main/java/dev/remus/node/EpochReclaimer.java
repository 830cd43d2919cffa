// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.fabric.Environment;
import dev.remus.fabric.FabricException;
import dev.remus.memory.AddressSpace;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentLayout;
import java.time.Duration;

/**
 * One thread's part in {@code --reclaim epochs}: reclaims what the thread has retired once every thread has passed a
 * quiescent state since.
 *
 * <p>A thread announces an epoch that it has read in a quiescent state. The epoch moves on when every thread that is
 * online has announced the present one. A block that was retired when the epoch was at most {@code d} is reclaimed in
 * epoch {@code d + 2}. The design note {@code framework/core/design/Epochs.md} proves that no thread holds a pointer to
 * it by then.
 *
 * <p>Full memory: a thread waits for epochs between two operations, where it holds nothing up, so that it enters each
 * with a {@link Reserve}. An allocation that needs more waits inside the operation, and can fail.
 *
 * <p>Death: a thread of a lost node counts as offline, once that node is cut off. A thread that stands still in the
 * middle of an operation stops the epoch, and the memory that all threads retire meanwhile is not reclaimed.
 *
 * <p>Round trips: one for each look at the table ({@link LookTimes}), another one if something of this thread was not
 * placed, and one if this thread moves the epoch on.
 */
final class EpochReclaimer {
    private static final int NONE = -1;

    /** A block that was retired in an epoch is reclaimed when the epoch has moved on so often. */
    private static final int DISTANCE = 2;

    /**
     * Once the epoch has moved on so often, every thread that was online all the while has reclaimed what it had
     * retired before: it gave it a date at its next look, before it announced the second epoch, and reclaimed it before
     * it announced the fourth.
     */
    private static final int EPOCHS_OF_A_COLLECTION = 4;

    private final int id;
    private final int threads;
    private final EpochTable table;
    private final Peers peers;
    private final AddressSpace space;
    private final Placement placement;
    private final Allocator allocator;
    private final ThreadBackoff backoff;
    private final NodeEpochs node;
    private final RetiredPool pool;
    private final Environment environment;
    private final ThreadMetrics metrics;

    /** How long an allocation may wait. */
    private final Duration wait;

    private final LookTimes looks;

    private boolean isOnline;

    /** Whether it does something offline. */
    private boolean isAway;

    /** The epoch that this thread has announced last. */
    private long announced;

    /** The epoch that this thread has read last, and when it did so first. */
    private long seen = NONE;

    private long seenAt;

    /** The epoch at the end of the last look, which this thread may have moved on itself. */
    private long current;

    /** The thread that held the epoch up when this one last tried to move it on, or {@link #NONE}. */
    private int holder = NONE;

    /** Why this thread's last wait between operations was in vain; empty if it was not, or for want of memory. */
    private String waitedFor = "";

    /** How often a pointer that this thread keeps may have become stale. */
    private long staleness;

    /**
     * Creates it, offline.
     *
     * @param space that of the thread
     */
    EpochReclaimer(
            ClusterConfig config,
            int id,
            AddressSpace space,
            CheckedMemory memory,
            Placement placement,
            Allocator allocator,
            ThreadBackoff backoff,
            NodeEpochs node,
            Peers peers,
            ThreadMetrics metrics,
            OperationsFactory operations) {
        this.id = id;
        this.threads = config.threadIds();
        this.table = new EpochTable(
                memory,
                new SegmentLayout(config).epoch(),
                id,
                threads,
                operations.allocateLocal(EpochTable.bytes(threads)));
        this.peers = peers;
        this.space = space;
        this.placement = placement;
        this.allocator = allocator;
        this.backoff = backoff;
        this.node = node;
        this.pool = node.pool();
        this.environment = operations.environment();
        this.metrics = metrics;
        this.wait = config.allocationWait();
        long bytes = config.segmentBytes() * config.segmentsPerNode() * config.memoryNodes();
        this.looks = new LookTimes(environment, config.totalThreads(), bytes, wait, allocator.retired());
    }

    /** Implements {@link ComputeThread#quiescent}. */
    void quiescent() {
        boolean isDue = looks.isDue();
        if ((isDue || allocator.needsRestock()) && !isAway) {
            rest(isDue);
        }
    }

    private void rest(boolean isDue) {
        if (!isOnline) {
            enter(); // coming back has failed
        } else if (isDue) {
            look(false);
        }
        fillReserve();
    }

    private void fillReserve() {
        if (allocator.needsRestock() && !restock()) {
            collect();
        }
    }

    private long look(boolean isShort) {
        looks.beginInterval();
        long epoch = observe(isShort);
        announce(epoch);
        return epoch;
    }

    private boolean restock() {
        try {
            return allocator.restock();
        } catch (FabricException e) {
            return true; // the operation that needs the block reports it
        }
    }

    /**
     * Waits in a quiescent state until the reserve is complete, and moves the epoch on. If every thread has reclaimed
     * what was retired before, a reserve that is not empty has to do. Without success, this ends when the time is up,
     * or at once if there is no other thread.
     */
    private void collect() {
        waitedFor = "";
        backoff.beginWait(wait.toNanos());
        long last = look(true) + EPOCHS_OF_A_COLLECTION;
        while (!restock()) {
            boolean haveAllReclaimed = look(true) >= last;
            if (haveAllReclaimed && (!allocator.isReserveEmpty() || isAlone()) || !backoff.pauseInWait()) {
                waitedFor = isHeldByOther() ? describeHolder() : "";
                allocator.settleReserve();
                return;
            }
        }
    }

    /**
     * Waits inside an operation until a block is free, and reclaims meanwhile what can be reclaimed. The epoch moves on
     * at most once. A thread that is alone fails as soon as it holds the epoch up itself.
     */
    long awaitBlock(long bytes) {
        backoff.beginWait(wait.toNanos());
        do {
            observe(true);
            looks.hurry();
            long block = allocator.allocate(bytes);
            if (block != RdmaPtr.NULL) {
                return block;
            }
        } while (!(isAlone() && holder == id) && backoff.pauseInWait());
        throw allocator.full().exhausted(bytes, describe());
    }

    /** Whether there is no other thread, which could free memory in its next operation. */
    private boolean isAlone() {
        return threads == 1;
    }

    private String describe() {
        if (isAlone()) {
            return allocator.retired().count() + " blocks that this thread has retired are not free inside this"
                    + " operation; there is no other thread that could free any.";
        }
        String held = allocator.retired().count() + " blocks that this thread has retired, and "
                + node.retired() + " of its node, were not free within " + ClusterSettings.ALLOCATION_WAIT.names() + " "
                + wait.toSeconds() + " s";
        if (isHeldByOther()) {
            return held + ": " + describeHolder() + ".";
        }
        return waitedFor.isEmpty()
                ? held + "; no other thread holds the epoch up."
                : held + ". It had no block left for this operation, since after the last one " + waitedFor + ".";
    }

    private boolean isHeldByOther() {
        return holder != NONE && holder != id;
    }

    private String describeHolder() {
        return node.describe(holder, environment.nanoTime() - seenAt);
    }

    /** Called when the thread pauses. */
    void paused() {
        looks.paused();
    }

    /** Changes when this thread lets others reuse the blocks that it has seen. */
    long staleness() {
        return staleness;
    }

    /**
     * Reads the table, moves the epoch on if it is time, and reclaims what can be reclaimed. Returns the epoch. The
     * thread may hold pointers.
     *
     * @param isShort whether memory is short, so that it is always time
     */
    private long observe(boolean isShort) {
        long roundTrips = metrics.roundTrips();
        RetiredBlocks retired = allocator.retired();
        boolean hasPool = !pool.isEmpty();
        long inPool = hasPool ? pool.added() : 0;
        placement.placeAll(); // so that what was retired is unreachable, and the last announcement has arrived or is
        // lost
        long epoch = table.read();
        note(epoch);
        if (isShort || looks.hasEnough() || looks.isEnough(pool.bytes())) {
            epoch = moveOn(epoch);
        }
        metrics.reclamationRoundTrips += metrics.roundTrips() - roundTrips;
        allocator.reclaimUpTo(epoch - DISTANCE);
        retired.date(epoch);
        if (hasPool) {
            allocator.reclaimUpTo(epoch - DISTANCE, pool);
            pool.date(epoch, inPool);
        }
        if (epoch != current) {
            current = epoch;
            metrics.beginEpoch();
        }
        metrics.countRetired(retired);
        return epoch;
    }

    /** Records when an epoch was seen first. */
    private void note(long epoch) {
        long now = environment.nanoTime();
        looks.looked(epoch != seen, now);
        if (epoch != seen) {
            seen = epoch;
            seenAt = now;
            node.seen(epoch, now);
        }
    }

    /** Moves the epoch on, if no thread holds it up. Returns the epoch. */
    private long moveOn(long epoch) {
        holder = straggler(epoch);
        if (holder == NONE) {
            return table.advance(epoch) ? epoch + 1 : epoch;
        }
        if (isHeldByOther() && node.held(holder, seen, seenAt, environment.nanoTime())) {
            metrics.stalls++;
        }
        return epoch;
    }

    /**
     * A thread that is online and has not announced the epoch that was read. This one only if no other holds the epoch
     * up; {@link #NONE} if all have announced it, this one before that READ.
     */
    private int straggler(long epoch) {
        long expected = EpochTable.announcement(epoch);
        for (int thread = 0; thread < threads; thread++) {
            long found = table.announcementOf(thread);
            if (found != expected && thread != id && found != EpochTable.OFFLINE && !peers.isLost(thread)) {
                return thread;
            }
        }
        return table.announcementOf(id) == expected ? NONE : id;
    }

    /** Announces an epoch that was read in this quiescent state. If the announcement is there, does nothing. */
    private void announce(long epoch) {
        if (epoch != announced) {
            announced = epoch;
            staleness++;
            metrics.epochs++;
        }
        long announcement = EpochTable.announcement(epoch);
        if (table.announcementOf(id) != announcement) {
            table.post(announcement);
        }
    }

    /**
     * Runs work while this thread is offline.
     *
     * @param isLong whether the work may take so long that other threads of the node should reclaim what this one has
     *     retired
     */
    void offline(Runnable work, boolean isLong) {
        if (isAway) {
            work.run();
            return;
        }
        try {
            if (allocator.needsRestock()) {
                restock(); // others may exhaust memory meanwhile
            }
            leave(isLong);
            isAway = true;
            space.setOffline(true);
            work.run();
        } catch (RuntimeException | Error e) {
            try {
                isAway = false;
                enter();
            } catch (RuntimeException also) {
                e.addSuppressed(also);
            }
            throw e;
        }
        isAway = false;
        enter();
        fillReserve();
    }

    /** Goes offline: after this the thread holds no pointers, and nothing of it is in flight. */
    private void leave(boolean isLong) {
        placement.placeAll();
        if (isLong) {
            allocator.leaveRetired(pool);
            metrics.countRetired(allocator.retired());
        }
        staleness++;
        isOnline = false;
        table.write(EpochTable.OFFLINE);
    }

    /** Comes online for the first time, or again after {@link #close}. */
    void open() {
        enter();
        restock();
    }

    /**
     * Comes online, before the thread's first access. The announcement may be an old one: once it is placed, it stops
     * the epoch, until a later one is announced. If only that fails, the thread is online all the same.
     */
    private void enter() {
        table.write(EpochTable.announcement(announced));
        isOnline = true;
        seen = NONE; // another thread may have come online meanwhile, and has not stood still for so long
        space.setOffline(false);
        look(false);
    }

    /** To be called at times while this thread waits offline for other threads: reclaims what can be reclaimed. */
    void waitsOffline() {
        if ((allocator.retired().bytes() > 0 || !pool.isEmpty()) && looks.isDueOffline()) {
            space.setOffline(false);
            try {
                observe(false);
            } catch (FabricException e) {
                // The wait notices a loss itself.
            } finally {
                space.setOffline(true);
            }
        }
    }

    /**
     * Goes offline for good. What was retired too late to be reclaimed now is left to the other threads of the node. If
     * there are none, it is lost.
     */
    void close() {
        if (isOnline) {
            try {
                observe(false);
            } catch (FabricException e) {
                // What could be reclaimed is lost. A lost node is reported by the WRITE that follows.
            }
            leave(true);
        }
    }
}
