package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.AddressSpace;
import java.util.function.LongFunction;
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

    /**
     * Creates it. From now on the other threads wait for this one's quiescent states.
     *
     * @param newLocal allocates local memory
     */
    ThreadBlocks(
            ClusterConfig config,
            ThreadOwner owner,
            int id,
            AddressSpace space,
            CheckedMemory memory,
            Placement placement,
            Allocator allocator,
            Peers peers,
            ThreadMetrics metrics,
            LongFunction<LocalBuffer> newLocal) {
        this.owner = owner;
        this.placement = placement;
        this.allocator = allocator;
        this.metrics = metrics;
        this.epochs = config.reclaim() == Reclamation.EPOCHS
                ? new EpochReclaimer(config, id, space, memory, placement, allocator, peers, metrics, newLocal)
                : null;
        if (epochs != null) {
            epochs.enter();
        }
    }

    long allocate(long bytes) {
        owner.check();
        return allocator.allocate(bytes);
    }

    long allocateOn(int memoryNode, long bytes) {
        owner.check();
        return allocator.allocateOn(memoryNode, bytes);
    }

    void free(long pointer, long bytes) {
        owner.check();
        staleness++;
        allocator.free(pointer, bytes);
    }

    void schedReclaim(long pointer, long bytes) {
        owner.check();
        allocator.defer(pointer, bytes);
        countRetired();
    }

    int reclaimDeferred() {
        owner.check();
        staleness++;
        int reclaimed = allocator.reclaimDeferred();
        countRetired();
        return reclaimed;
    }

    private void countRetired() {
        metrics.retired = allocator.retired().count();
        metrics.retiredMost = Math.max(metrics.retiredMost, metrics.retired);
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

    /** @param work may reclaim what threads have retired before, so pointers are stale afterwards */
    void offline(Runnable work) {
        owner.check();
        placement.placeAll();
        staleness++;
        if (epochs == null) {
            work.run();
        } else {
            epochs.offline(work);
        }
    }

    void close() {
        if (epochs != null) {
            epochs.close();
        }
        allocator.close();
    }
}
