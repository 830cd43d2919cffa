// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.logging.Loggers;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * What the threads of a Compute Node share for {@code --reclaim epochs}: the retired blocks that some have left, and
 * the thread that holds the epoch up, if one does for long. Any thread may call its methods.
 */
final class NodeEpochs {
    private static final Logger LOG = Loggers.of(NodeEpochs.class);
    private static final long SECOND = 1_000_000_000L;

    /** How long an epoch may last, while some thread would move it on, before it is reported. */
    static final long STALL_NANOS = 5 * SECOND;

    /**
     * A thread that stands still.
     *
     * @param thread its number in the cluster
     * @param epoch the epoch that it has not announced
     * @param since when this node first saw that epoch, in nanoseconds
     */
    private record Stall(int thread, long epoch, long since) {}

    private final ClusterConfig config;
    private final IntSupplier retiredByThreads;
    private final RetiredPool pool = new RetiredPool();
    private volatile @Nullable Stall stall;

    /** @param retiredByThreads the number of blocks that the threads of this node hold, retired and not reclaimed */
    NodeEpochs(ClusterConfig config, IntSupplier retiredByThreads) {
        this.config = config;
        this.retiredByThreads = retiredByThreads;
    }

    RetiredPool pool() {
        return pool;
    }

    /** The number of blocks that the threads of this node have retired and not reclaimed, or left in the pool. */
    int retired() {
        return retiredByThreads.getAsInt() + pool.count();
    }

    /**
     * A thread of this node cannot move the epoch on. Reports it once if that lasts for long, and returns whether it
     * has.
     *
     * @param thread the number of the thread that has not announced the epoch
     * @param since when the caller first saw the epoch, in nanoseconds
     */
    boolean held(int thread, long epoch, long since, long now) {
        return now - since > STALL_NANOS && isNew(epoch) && report(new Stall(thread, epoch, since), now);
    }

    private boolean isNew(long epoch) {
        Stall last = stall;
        return last == null || last.epoch() < epoch;
    }

    private synchronized boolean report(Stall seen, long now) {
        if (!isNew(seen.epoch())) {
            return false; // another thread was first
        }
        stall = seen;
        LOG.warn(
                "{}, and holds up {} retired blocks of this node",
                describe(seen.thread(), now - seen.since()),
                retired());
        return true;
    }

    /** A thread of this node has seen this epoch. Reports the end of a stall. */
    void seen(long epoch, long now) {
        Stall last = stall;
        if (last != null && epoch > last.epoch()) {
            end(last, now);
        }
    }

    private synchronized void end(Stall last, long now) {
        if (last.equals(stall)) {
            stall = null;
            LOG.info("{} holds up nothing any more, after {} s", name(last.thread()), (now - last.since()) / SECOND);
        }
    }

    /** A sentence without its full stop: what is wrong with a thread, given its number in the cluster. */
    String describe(int thread, long nanos) {
        return name(thread) + " has announced no quiescent state for " + nanos / SECOND + " s";
    }

    private String name(int thread) {
        return "Compute Thread " + ThreadIds.index(config, thread) + " of Compute Node "
                + ThreadIds.node(config, thread);
    }

    /**
     * For {@link NodeNotice}: the node and the index of the thread that stands still, for how many seconds, and the
     * retired blocks of this node; empty if none does.
     */
    String notice(long now) {
        Stall last = stall;
        return last == null
                ? ""
                : ThreadIds.node(config, last.thread()) + " "
                        + ThreadIds.index(config, last.thread()) + " " + (now - last.since()) / SECOND + " "
                        + retired();
    }
}
