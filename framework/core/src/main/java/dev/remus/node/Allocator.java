// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.AllocationPolicy;
import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.fabric.FabricException;
import dev.remus.memory.AddressSpace;
import dev.remus.memory.InvalidFreeException;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Allocates blocks of remote memory for one Compute Thread, 64-byte aligned and a multiple of 64 bytes long.
 *
 * <p>A block comes, in this order, from: the blocks that this thread has freed; the run of blocks that it took from a
 * segment earlier ({@link Arena}); new memory, by advancing the bump pointer of the segment that the policy selects, or
 * of the next segment in the policy's order that has room; the blocks that other threads have freed and shared ({@link
 * SharedFreeLists}).
 *
 * <p>If more than 1/{@value #PLENTY_SHARE} of the segment is taken, it looks for shared blocks of that Memory Node
 * before it takes new memory. So memory does not fill up with blocks that nobody uses if some threads allocate and
 * others free. A thread that has found none looks there again when it has taken as much new memory of that node as it
 * may keep of a size, so that this costs few round trips. A thread that was closed and is opened again looks there for
 * as many blocks as it had left there.
 *
 * <p>So memory is exhausted when no segment has room for the block, and neither this thread nor the shared lists have a
 * free block of its size. What other threads have in their runs and among their own free blocks is out of reach until
 * they end. If a thread is lost, that is lost too: at most {@value #KEPT_BYTES} bytes of each small size, and its run.
 *
 * <p>With epochs, a thread enters its operations with a {@link Reserve}, and keeps less for itself if there is little
 * memory: all threads together at most 1/{@value #KEPT_SHARE} of it, of each size, beside their reserves.
 *
 * <p>{@code seen} holds the bump pointers as this thread last read them. They only grow, so a segment that was once too
 * full is skipped without another read.
 */
final class Allocator {
    /** For larger sizes a bump pointer is read before it is advanced: advancing it past the end wastes the rest. */
    private static final long LARGE = 4096;

    /** A thread keeps at most so many free bytes of one size for itself. When it has more, it shares half of them. */
    private static final long KEPT_BYTES = 16 << 10;

    private static final long MIN_KEPT = 4;
    private static final long KEPT_SHARE = 64;

    /** New memory is preferred as long as less than this share of a segment is taken: it needs fewer round trips. */
    private static final long PLENTY_SHARE = 4;

    private final CheckedMemory memory;
    private final Placement placement;
    private final int node;
    private final AllocationPolicy policy;
    private final SegmentLayout layout;
    /** Null unless memory is checked. */
    private final @Nullable BlockStates states;

    private final SharedFreeLists shared;
    private final FreeLists free;
    private final RetiredBlocks retired = new RetiredBlocks();
    private final RetiredBlocks due = new RetiredBlocks(); // taken from a pool; empty between two calls
    private final SurplusBlocks surplus;
    private final Arena arena;

    /** Null unless memory is reclaimed by epochs. */
    private final @Nullable Reserve reserve;

    private final long keptBytes;
    private final FullMemory full;

    private final SegmentOrder order;

    /** Those of the order, as pointers to their first byte. */
    private final long[] segments;

    /** The first offset behind the blocks of each segment. */
    private final long[] ends;

    private final long[] seen;
    private final long largestBlock;

    /**
     * Creates an allocator.
     *
     * @param node the node of its thread
     * @param thread the thread's number in the cluster
     * @param space that of the thread
     */
    Allocator(
            ClusterConfig config,
            int node,
            int thread,
            AddressSpace space,
            CheckedMemory memory,
            Placement placement,
            ThreadBackoff backoff,
            OperationsFactory operations,
            SplittableRandom random) {
        this.memory = memory;
        this.placement = placement;
        this.node = node;
        this.policy = config.allocationPolicy();
        this.layout = new SegmentLayout(config);
        this.states = config.checkMemory() ? new BlockStates(config, thread, memory, operations) : null;
        if (states != null) {
            space.watch(states);
        }
        this.free = new FreeLists();
        this.shared = new SharedFreeLists(memory, backoff, layout, operations::allocateLocal);
        long little = Math.min(KEPT_BYTES, share(config) / KEPT_SHARE);
        this.surplus = new SurplusBlocks(free, shared, placement, config.lastMemoryNode(), little);
        this.arena = new Arena(policy.isLocal() ? config.threadsPerNode() : config.totalThreads());
        this.reserve = config.reclaim() == Reclamation.EPOCHS ? new Reserve(free, arena) : null;
        this.keptBytes = reserve == null ? KEPT_BYTES : little;
        this.order = new SegmentOrder(config, node, thread, random);
        this.segments = order.segments();
        this.full = new FullMemory(config, memory, segments);
        this.ends = Arrays.stream(segments)
                .map(segment -> layout.end(RdmaPtr.segment(segment)))
                .toArray();
        this.seen = new long[segments.length];
        this.largestBlock = largestBlock();
    }

    /** A thread's share of all memory, in bytes. */
    private static long share(ClusterConfig config) {
        return config.segmentBytes() * config.segmentsPerNode() * config.memoryNodes() / config.totalThreads();
    }

    /** Allocates a block; null if memory is exhausted. */
    long allocate(long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("allocation of " + bytes + " bytes: needs at least 1");
        }
        if (bytes > largestBlock) {
            throw full.tooLarge(bytes, largestBlock);
        }
        long size = SegmentLayout.blockBytes(bytes);
        long block = free.take(size);
        if (block == RdmaPtr.NULL) {
            block = takeFromRun(size);
        }
        if (block == RdmaPtr.NULL) {
            block = takeFromAll(size);
        }
        return block == RdmaPtr.NULL ? block : noted(block, size);
    }

    /** Takes a block that no thread holds; null if there is none. */
    private long takeFromAll(long size) {
        int start = order.pick();
        long block = surplus.takesBack(size) ? takeShared(start, size) : RdmaPtr.NULL;
        if (block == RdmaPtr.NULL) {
            block = takeNew(start, size);
        }
        return block != RdmaPtr.NULL ? block : takeShared(start, size);
    }

    private long noted(long block, long size) {
        if (states != null) {
            states.allocated(block, size);
        }
        if (reserve != null) {
            reserve.take(size);
        }
        return block;
    }

    /** Whether operations have used blocks since the last successful {@link #restock}. */
    boolean needsRestock() {
        return reserve != null && reserve.isUsed();
    }

    /** Between two operations: takes blocks for the reserve, and returns whether it is complete. */
    boolean restock() {
        if (reserve == null) {
            return true;
        }
        reserve.endOperation();
        for (long size = reserve.missing(); size > 0; size = reserve.missing()) {
            long block = takeFromAll(size);
            if (block == RdmaPtr.NULL) {
                return false;
            }
            free.hold(block);
            free.put(block, size);
        }
        reserve.setUnused();
        return true;
    }

    /** Whether the reserve lacks all blocks of some size. */
    boolean isReserveEmpty() {
        return reserve != null && reserve.isEmpty();
    }

    /** Gives up making the reserve complete, until operations take more again. */
    void settleReserve() {
        if (reserve != null) {
            reserve.settle();
            reserve.setUnused();
        }
    }

    /** Allocates on a certain node as long as it has room; null if memory is exhausted. */
    long allocateOn(int memoryNode, long bytes) {
        if (bytes > 0 && bytes <= largestBlock) {
            long size = SegmentLayout.blockBytes(bytes);
            long block = free.takeOn(memoryNode, size);
            if (block == RdmaPtr.NULL && arena.isOn(memoryNode)) {
                block = takeFromRun(size);
            }
            if (block == RdmaPtr.NULL && surplus.takesBack(size)) {
                block = surplus.take(memoryNode, size);
            }
            for (int s = 0; s < segments.length && block == RdmaPtr.NULL; s++) {
                if (RdmaPtr.node(segments[s]) == memoryNode) {
                    block = takeSharedOrNew(s, size, size);
                }
            }
            if (block != RdmaPtr.NULL) {
                return noted(block, size);
            }
        }
        return allocate(bytes);
    }

    private long largestBlock() {
        long largest = 0;
        for (long end : ends) {
            largest = Math.max(largest, end - SegmentHeader.BYTES);
        }
        return largest & -SegmentLayout.BLOCK;
    }

    private long takeFromRun(long size) {
        long block = arena.take(size);
        if (block != RdmaPtr.NULL) {
            memory.checkBlock(block, size); // throws if its Memory Node is lost
        }
        return block;
    }

    private long takeNew(int start, long size) {
        long block = RdmaPtr.NULL;
        for (int i = 0; i < segments.length && block == RdmaPtr.NULL; i++) {
            int s = (start + i) % segments.length;
            block = takeSharedOrNew(s, size, arena.runFor(size, ends[s] - seen[s]));
        }
        return block;
    }

    /** Takes a block from a segment, but first looks for a shared one on its node if it is time to. */
    private long takeSharedOrNew(int s, long size, long run) {
        int memoryNode = RdmaPtr.node(segments[s]);
        long block = seen[s] > ends[s] / PLENTY_SHARE && surplus.isDue(memoryNode, size)
                ? surplus.take(memoryNode, size)
                : RdmaPtr.NULL;
        return block != RdmaPtr.NULL ? block : takeNew(s, size, run);
    }

    /** Takes a new block from a segment, and what remains of {@code run} as the thread's new run. */
    private long takeNew(int s, long size, long run) {
        long end = ends[s];
        long bump = segments[s] + SegmentHeader.ALLOCATED;
        if (size > LARGE && seen[s] <= end - size) {
            seen[s] = checked(memory.readHeader(bump), s);
        }
        if (seen[s] > end - size) {
            return RdmaPtr.NULL;
        }
        long offset = checked(memory.fetchAndAddHeader(bump, run), s);
        long block = segments[s] + offset;
        if (offset > end - size) { // full: the rest is smaller than this request
            seen[s] = Math.max(offset, end);
            if (offset < end && size <= LARGE) {
                beginRun(block, end - offset);
            }
            return RdmaPtr.NULL;
        }
        seen[s] = offset + run;
        arena.count(size, run);
        surplus.tookNew(block, size, run);
        if (run > size) {
            beginRun(block + size, Math.min(run, end - offset) - size);
        }
        return block;
    }

    private void beginRun(long start, long bytes) {
        freeRestOfRun();
        arena.begin(start, bytes);
    }

    private void freeRestOfRun() {
        for (long bytes = arena.piece(); bytes > 0; bytes = arena.piece()) {
            long block = arena.take(bytes);
            free.hold(block);
            free.put(block, bytes);
        }
    }

    /** Checks that a value can be a bump pointer: at a block, and not below its earlier value. */
    private long checked(long bump, int s) {
        if (bump < Math.max(SegmentHeader.BYTES, seen[s]) || bump % SegmentLayout.BLOCK != 0) {
            throw new IllegalStateException("the bump pointer of segment " + RdmaPtr.segment(segments[s])
                    + " of Memory Node " + RdmaPtr.node(segments[s]) + " is damaged: it is " + bump
                    + ", and needs to be a multiple of 64 from " + Math.max(SegmentHeader.BYTES, seen[s]) + " on");
        }
        return bump;
    }

    /** Takes a shared block of any Memory Node, in order from that of segment {@code start}. */
    private long takeShared(int start, long size) {
        long block = RdmaPtr.NULL;
        for (int i = 0; i < order.nodes() && block == RdmaPtr.NULL; i++) {
            block = surplus.take(RdmaPtr.node(segments[(start + i) % order.nodes()]), size);
        }
        return block;
    }

    /** The failure of {@link #allocate}. */
    FullMemory full() {
        return full;
    }

    /** Frees a block that no other thread can be using. */
    void free(long pointer, long bytes) {
        long size = checkGivenBack(pointer, bytes);
        placement.placeAll(); // the block's next owner may use another lane
        if (states != null) {
            states.freed(pointer, size);
        }
        free.hold(pointer);
        put(pointer, size);
        if (reserve != null) {
            reserve.putBack(size);
        }
    }

    /** Retires a block that other threads may still be reading, for {@link #reclaimDeferred}. */
    void defer(long pointer, long bytes) {
        long size = checkGivenBack(pointer, bytes);
        if (states != null) {
            states.retired(pointer, size);
        }
        free.hold(pointer);
        retired.add(pointer, size);
    }

    /** Makes all retired blocks available. */
    int reclaimDeferred() {
        placement.placeAll();
        int reclaimed = retired.count();
        for (long block = retired.takeNewest(); block != RdmaPtr.NULL; block = retired.takeNewest()) {
            reclaim(block);
        }
        return reclaimed;
    }

    /** Makes the retired blocks available whose date is this epoch or an earlier one. */
    void reclaimUpTo(long epoch) {
        reclaimUpTo(epoch, retired);
    }

    private void reclaimUpTo(long epoch, RetiredBlocks from) {
        long sizes = 0; // a bit for each small size
        for (long block = from.takeUpTo(epoch); block != RdmaPtr.NULL; block = from.takeUpTo(epoch)) {
            long size = from.takenBytes();
            reclaimed(block, size);
            keep(block, size);
            sizes |= SharedFreeLists.takes(size) ? 1L << size / SegmentLayout.BLOCK : 0;
        }
        for (; sizes != 0; sizes &= sizes - 1) {
            shareSurplus(Long.numberOfTrailingZeros(sizes) * (long) SegmentLayout.BLOCK);
        }
    }

    private void reclaim(long block) {
        long size = retired.takenBytes();
        reclaimed(block, size);
        put(block, size);
    }

    private void reclaimed(long block, long size) {
        if (states != null) {
            states.reclaimed(block, size);
        }
    }

    /** Leaves all retired blocks to other threads of the node. What this thread has posted must have been placed. */
    void leaveRetired(RetiredPool pool) {
        for (long block = retired.takeNewest(); block != RdmaPtr.NULL; block = retired.takeNewest()) {
            free.release(block);
            pool.put(block, retired.takenBytes());
        }
    }

    /** Makes such blocks available that other threads of the node have left. */
    void reclaimUpTo(long epoch, RetiredPool pool) {
        pool.takeUpTo(epoch, (block, size) -> {
            free.hold(block);
            due.add(block, size);
        });
        due.date(epoch);
        reclaimUpTo(epoch, due);
    }

    /** The retired blocks. */
    RetiredBlocks retired() {
        return retired;
    }

    private void put(long block, long size) {
        keep(block, size);
        shareSurplus(size);
    }

    private void keep(long block, long size) {
        free.put(block, size);
        if (policy.isLocal() && RdmaPtr.node(block) != node && SharedFreeLists.takes(size)) {
            shared.put(free.take(size), size); // this thread allocates on its own node only
        }
    }

    private void shareSurplus(long size) {
        if (SharedFreeLists.takes(size)) {
            long most = Math.max(keptBytes / size, reserve == null ? MIN_KEPT : 2L * reserve.needed(size));
            if (free.size(size) > most) {
                surplus.share(size, free.size(size) - (int) (most / 2) - 1);
            }
        }
    }

    /**
     * Leaves what is free, also in the run, to other threads: three round trips for each size and Memory Node. Blocks
     * that this thread cannot share are lost: large ones, and those that it meets a failure with.
     */
    void close() {
        freeRestOfRun();
        try {
            for (long size = SegmentLayout.BLOCK; SharedFreeLists.takes(size); size += SegmentLayout.BLOCK) {
                surplus.leave(size);
            }
        } catch (FabricException e) {
            // The end of the run needs no free blocks, and reports a lost node itself.
        }
    }

    private long checkGivenBack(long pointer, long bytes) {
        if (bytes <= 0) {
            throw new InvalidFreeException(pointer, "a block of " + bytes + " bytes is given back: needs at least 1");
        }
        long size = SegmentLayout.blockBytes(bytes);
        memory.checkBlock(pointer, size);
        if (RdmaPtr.offset(pointer) % SegmentLayout.BLOCK != 0) {
            throw new InvalidFreeException(
                    pointer,
                    "(" + RdmaPtr.toString(pointer) + ") is given back, but blocks start at multiples of 64 bytes");
        }
        if (RdmaPtr.offset(pointer) + size > allocated(pointer, size) || arena.overlaps(pointer, size)) {
            throw new InvalidFreeException(
                    pointer,
                    "(" + RdmaPtr.toString(pointer) + ") is given back with " + bytes
                            + " bytes, but was never allocated");
        }
        return size;
    }

    /** The value of the segment's bump pointer. It is read only if its last known value does not suffice. */
    private long allocated(long pointer, long size) {
        long segment = pointer - RdmaPtr.offset(pointer);
        for (int s = 0; s < segments.length; s++) {
            if (segments[s] == segment) {
                if (RdmaPtr.offset(pointer) + size > seen[s]) {
                    seen[s] = checked(memory.readHeader(segment + SegmentHeader.ALLOCATED), s);
                }
                return seen[s];
            }
        }
        return memory.readHeader(segment + SegmentHeader.ALLOCATED);
    }
}
