package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.AddressSpace;
import dev.remus.memory.SegmentLayout;
import java.util.function.LongFunction;

/**
 * One thread's part in {@code --reclaim epochs}: reclaims what the thread has retired once every thread has passed a
 * quiescent state since.
 *
 * <p>A thread announces an epoch that it has read in a quiescent state. The epoch moves on when every thread that is
 * online has announced the present one. A block that was retired when the epoch was at most {@code d} is reclaimed in
 * epoch {@code d + 2}. The design note {@code framework/core/design/Epochs.md} proves that no thread holds a pointer to
 * it by then.
 *
 * <p>Death: a thread of a lost node counts as offline. A thread that stands still in the middle of an operation stops
 * the epoch, and the memory that all threads retire meanwhile is not reclaimed.
 *
 * <p>Round trips: every so many quiescent states one, another one if something of this thread was not placed, and one
 * if this thread moves the epoch on.
 */
final class EpochReclaimer {
    private static final int MIN_CALLS = 64;
    private static final int THREADS_PER_CALL = 8;

    /** A pause is a sign that this thread does little, so that others may be waiting for its announcement. */
    private static final int CALLS_OF_A_PAUSE = 8;

    private static final long MAX_GARBAGE = 64 << 10;
    private static final int GARBAGE_SHIFT = 8;

    /** A block that was retired in an epoch is reclaimed when the epoch has moved on so often. */
    private static final int DISTANCE = 2;

    private final int id;
    private final int threads;
    private final EpochTable table;
    private final Peers peers;
    private final AddressSpace space;
    private final Placement placement;
    private final Allocator allocator;
    private final ThreadMetrics metrics;

    /** The number of quiescent states from one look at the table to the next. */
    private final int interval;

    /** The retired bytes from which on a thread moves the epoch on. */
    private final long enough;

    private int callsLeft;
    private boolean isOnline;

    /** Whether it does something offline. */
    private boolean isAway;

    /** The epoch that this thread has announced last. */
    private long announced;

    /** How often a pointer that this thread keeps may have become stale. */
    private long staleness;

    /**
     * Creates it, offline.
     *
     * @param space that of the thread
     * @param newLocal allocates local memory
     */
    EpochReclaimer(
            ClusterConfig config,
            int id,
            AddressSpace space,
            CheckedMemory memory,
            Placement placement,
            Allocator allocator,
            Peers peers,
            ThreadMetrics metrics,
            LongFunction<LocalBuffer> newLocal) {
        this.id = id;
        this.threads = config.totalThreads();
        this.table = new EpochTable(
                memory, new SegmentLayout(config).epoch(), id, threads, newLocal.apply(EpochTable.bytes(threads)));
        this.peers = peers;
        this.space = space;
        this.placement = placement;
        this.allocator = allocator;
        this.metrics = metrics;
        this.interval = Math.max(MIN_CALLS, threads / THREADS_PER_CALL);
        long bytes = config.segmentBytes() * config.segmentsPerNode() * config.memoryNodes();
        this.enough = Math.min(MAX_GARBAGE, (bytes >> GARBAGE_SHIFT) / threads);
    }

    /** Implements {@link ComputeThread#quiescent}. */
    void quiescent() {
        if (--callsLeft < 0 && !isAway) {
            look();
        }
    }

    private void look() {
        if (!isOnline) {
            enter(); // coming back has failed
        } else {
            callsLeft = interval;
            announce(observe());
        }
    }

    /** Called when the thread pauses. */
    void paused() {
        callsLeft -= CALLS_OF_A_PAUSE;
    }

    /** Changes when this thread lets others reuse the blocks that it has seen. */
    long staleness() {
        return staleness;
    }

    /**
     * Reads the table, moves the epoch on if it is time, and reclaims what can be reclaimed. Returns the epoch. The
     * thread may hold pointers.
     */
    private long observe() {
        long roundTrips = metrics.roundTrips();
        placement.placeAll(); // so that what was retired is unreachable, and the last announcement has arrived or is
        // lost
        long epoch = table.read();
        RetiredBlocks retired = allocator.retired();
        if (retired.bytes() > 0 && retired.bytes() >= enough && isAnnouncedByAll(epoch) && table.advance(epoch)) {
            epoch++;
        }
        metrics.reclamationRoundTrips += metrics.roundTrips() - roundTrips;
        allocator.reclaimUpTo(epoch - DISTANCE);
        retired.date(epoch);
        metrics.retired = retired.count();
        return epoch;
    }

    /** Whether all threads that are online have announced the epoch that was read, this one before that READ. */
    private boolean isAnnouncedByAll(long epoch) {
        long expected = EpochTable.announcement(epoch);
        for (int thread = 0; thread < threads; thread++) {
            long found = table.announcementOf(thread);
            if (found != expected && (thread == id || found != EpochTable.OFFLINE && !peers.isLost(thread))) {
                return false;
            }
        }
        return true;
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

    /** Implements {@link ComputeThread#offline}. */
    void offline(Runnable work) {
        if (isAway) {
            work.run();
            return;
        }
        try {
            leave();
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
    }

    /** Goes offline: after this the thread holds no pointers, and nothing of it is in flight. */
    private void leave() {
        placement.placeAll();
        staleness++;
        isOnline = false;
        table.write(EpochTable.OFFLINE);
    }

    /**
     * Comes online, before the thread's first access. The announcement may be an old one: once it is placed, it stops
     * the epoch, until a later one is announced. If only that fails, the thread is online all the same.
     */
    void enter() {
        table.write(EpochTable.announcement(announced));
        isOnline = true;
        space.setOffline(false);
        look();
    }

    /** Goes offline for good. What was retired too late to be reclaimed now is lost. */
    void close() {
        if (isOnline) {
            try {
                observe();
            } catch (FabricException e) {
                // What could be reclaimed is lost. A lost node is reported by the WRITE that follows.
            }
            leave();
        }
    }
}
