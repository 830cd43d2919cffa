// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.memory.AddressSpace;
import dev.remus.memory.RdmaPtr;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of one Compute Thread: allocates and frees them, and reclaims what it has retired. Each method implements
 * that of {@link ComputeThread}.
 */
final class ThreadBlocks {
    private final ThreadOwner owner;
    private final Placement placement;
    private final Allocator allocator;
    private final ThreadMetrics metrics;

    /** Null unless memory is reclaimed by epochs. */
    private final @Nullable EpochReclaimer epochs;

    private long staleness;

    /** Creates it. From now on the other threads wait for this one's quiescent states. */
    ThreadBlocks(
            ClusterConfig config,
            ThreadOwner owner,
            int id,
            AddressSpace space,
            CheckedMemory memory,
            Placement placement,
            Allocator allocator,
            ThreadBackoff backoff,
            NodeEpochs nodeEpochs,
            Peers peers,
            ThreadMetrics metrics,
            OperationsFactory operations) {
        this.owner = owner;
        this.placement = placement;
        this.allocator = allocator;
        this.metrics = metrics;
        this.epochs = config.reclaim() == Reclamation.EPOCHS
                ? new EpochReclaimer(
                        config,
                        id,
                        space,
                        memory,
                        placement,
                        allocator,
                        backoff,
                        nodeEpochs,
                        peers,
                        metrics,
                        operations)
                : null;
        if (epochs != null) {
            epochs.open();
        }
    }

    long allocate(long bytes) {
        owner.check();
        long block = allocator.allocate(bytes);
        return block != RdmaPtr.NULL ? block : awaitBlock(bytes);
    }

    private long awaitBlock(long bytes) {
        if (epochs != null) {
            return epochs.awaitBlock(bytes);
        }
        throw allocator
                .full()
                .exhausted(bytes, allocator.retired().count() + " blocks of this thread wait for reclaimDeferred.");
    }

    long allocateOn(int memoryNode, long bytes) {
        owner.check();
        long block = allocator.allocateOn(memoryNode, bytes);
        return block != RdmaPtr.NULL ? block : awaitBlock(bytes);
    }

    void free(long pointer, long bytes) {
        owner.check();
        staleness++;
        allocator.free(pointer, bytes);
    }

    void schedReclaim(long pointer, long bytes) {
        owner.check();
        allocator.defer(pointer, bytes);
        metrics.retirements++;
        metrics.countRetiredInEpoch(1);
        metrics.countRetired(allocator.retired());
    }

    int reclaimDeferred() {
        owner.check();
        staleness++;
        int reclaimed = allocator.reclaimDeferred();
        metrics.countRetired(allocator.retired());
        return reclaimed;
    }

    long staleness() {
        return epochs == null ? staleness : staleness + epochs.staleness();
    }

    void quiescent() {
        if (epochs != null) {
            epochs.quiescent();
        }
    }

    void paused() {
        if (epochs != null) {
            epochs.paused();
        }
    }

    /** Implements {@link ComputeThread#offline}. With epochs, going offline places what was posted. */
    void offline(Runnable work) {
        owner.check();
        staleness++;
        if (epochs == null) {
            placement.placeAll();
            work.run();
        } else {
            epochs.offline(work, true);
        }
    }

    /**
     * Waits for other threads. They may reclaim what threads have retired before, so pointers are stale afterwards.
     *
     * @param wait gets something to call again and again while it waits
     */
    void waitOffline(Consumer<Runnable> wait) {
        owner.check();
        staleness++;
        if (epochs == null) {
            placement.placeAll();
            wait.accept(() -> {});
        } else {
            epochs.offline(() -> wait.accept(epochs::waitsOffline), false);
        }
    }

    /** Takes part again after {@link #close}. */
    void reopen() {
        staleness++;
        if (epochs != null) {
            epochs.open();
        }
    }

    void close() {
        if (epochs != null) {
            epochs.close();
        }
        allocator.close();
    }
}
