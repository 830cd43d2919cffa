package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.Environment;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.Words;
import dev.remus.memory.AddressSpace;
import dev.remus.memory.KnownSegments;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * A thread's context: its only access to remote memory, time, randomness and waiting. A structure uses nothing else for
 * these, so it runs unchanged on every fabric. It belongs to the thread that {@link ComputeNode#openThread opened} it.
 *
 * <p>Pointers are raw words ({@link RdmaPtr}). Every access checks them first. It throws {@link
 * dev.remus.memory.InvalidPointerException} if they are invalid, and {@link dev.remus.fabric.NodeLostException} if
 * their node is lost. The package {@code dev.remus.fabric} specifies what is atomic, ordered and visible.
 */
public final class ComputeThread implements AutoCloseable {
    private final ClusterConfig config;
    private final int nodeId;
    private final int index;
    private final int id;
    private final ThreadOwner owner;

    // Fields that each operation on words needs, here rather than one object further away.
    private final BlockingOperations memory;
    private final AddressSpace space;
    private final ThreadMetrics metrics;
    final long lastMapped;
    long[] mapped; // with lastMapped: KnownSegments of this process, all zeros after the end

    private final OperationsFactory operations;
    private final Participation participation;
    private final Environment environment;
    private final CheckedMemory checked;
    private final BufferedTransfers buffered;
    private final AsyncOperations async;
    private final Placement placement;
    private final ThreadBackoff backoff;
    private final Sequence sequence;
    private final Root root;
    private final Peers peers;
    private final HeldLocks locks = new HeldLocks();
    private final LockWords lockWords;
    private final SplittableRandom random;
    private final ControlBarrier barrier;
    private final ThreadBlocks blocks;

    ComputeThread(
            ClusterConfig config,
            int nodeId,
            int index,
            BlockingOperations memory,
            OperationsFactory operations,
            Membership membership,
            Participation participation,
            NodeEpochs epochs,
            AddressSpace spaceOfNode,
            Environment environment) {
        this.config = config;
        this.nodeId = nodeId;
        this.index = index;
        this.id = (nodeId - config.firstComputeNode()) * config.threadsPerNode() + index;
        this.owner = new ThreadOwner("Compute Thread " + index + " of Compute Node " + nodeId);
        this.memory = memory;
        this.space = spaceOfNode.forThread();
        KnownSegments known = space.mapped(memory::mappedAt);
        this.mapped = known.table();
        this.lastMapped = known.last();
        this.metrics = new ThreadMetrics(memory);
        this.operations = operations;
        this.participation = participation;
        this.environment = environment;
        this.checked = new CheckedMemory(space, memory, metrics);
        this.buffered = new BufferedTransfers(memory, metrics, operations::allocateLocal, config.threadBufferBytes());
        this.async = new AsyncOperations(space, owner, metrics, () -> operations.newEngine(owner, memory, metrics));
        this.placement = new Placement(memory, metrics, async);
        this.backoff = new ThreadBackoff(memory, membership, metrics, locks, environment);
        this.lockWords = new LockWords(id, memory, space, metrics);
        this.sequence = new Sequence(space, memory.newSequence(), metrics, async);
        this.root = new Root(
                SegmentLayout.header(config.firstMemoryNode(), 0, SegmentHeader.ROOT), checked, placement, backoff);
        this.peers = new Peers(config, membership);
        this.random = new SplittableRandom(environment.newSeed());
        this.barrier = new ControlBarrier(config, checked, membership, environment);
        Allocator allocator = new Allocator(config, nodeId, id, space, checked, placement, backoff, random);
        this.blocks = new ThreadBlocks(
                config, owner, id, space, checked, placement, allocator, backoff, epochs, peers, metrics, operations);
    }

    // ---------------------------------------------------------------------------------------------- identity

    /** The configuration of the cluster. */
    public ClusterConfig config() {
        return config;
    }

    /** The id of the Compute Node that this thread belongs to. */
    public int nodeId() {
        return nodeId;
    }

    /** This thread's number on its Compute Node, from 0. */
    public int index() {
        return index;
    }

    /** This thread's number in the cluster, from 0. The first Compute Node has the lowest numbers. */
    public int id() {
        return id;
    }

    /** The number of Compute Threads in the cluster. */
    public int threads() {
        return config.totalThreads();
    }

    /** The other threads of the cluster: their nodes, and whether they are lost. */
    public Peers peers() {
        return peers;
    }

    /** The locks that this thread holds, for programs that watch it. */
    public HeldLocks locks() {
        return locks;
    }

    /** Locks of one word, and their release. */
    public LockWords lockWords() {
        return lockWords;
    }

    /** The counts of this thread's operations. */
    public ThreadMetrics metrics() {
        return metrics;
    }

    // ---------------------------------------------------------------------------------------------- one word

    /**
     * READs the word at a pointer. One round trip; none if the word is on this node, over a fabric on which that makes
     * a difference ({@link ThreadMetrics#localReads}).
     */
    public long read(long pointer) {
        long address = KnownSegments.address(mapped, lastMapped, pointer);
        long value = address != 0 ? Words.read(address) : memory.read(space.checked(pointer));
        metrics.wordReads++;
        return value;
    }

    /**
     * WRITEs the word at a pointer, and returns when it is placed: visible to every thread on every lane. One round
     * trip. Not for a word that any thread changes by {@link #compareAndSwap} or {@link #fetchAndAdd}.
     */
    public void write(long pointer, long value) {
        long address = KnownSegments.address(mapped, lastMapped, pointer);
        if (address != 0) {
            metrics.wordWrites++; // before the store, which waits for nothing but what comes after it
            Words.write(address, value);
        } else {
            memory.write(space.checked(pointer), value);
            metrics.wordWrites++;
        }
    }

    /**
     * Posts a WRITE of the word at a pointer and returns at once. It becomes visible after finite time. Before {@link
     * #place}, it is not ordered with this thread's later operations.
     */
    public void post(long pointer, long value) {
        space.check(pointer);
        memory.post(pointer, value);
        metrics.postedWrites++;
    }

    /**
     * Returns when everything that this thread posted is placed, and its asynchronous operations have ended. They can
     * still be awaited. One round trip for each lane that was used.
     *
     * @throws dev.remus.fabric.FabricException if one of them has failed, and the failure was not reported yet
     */
    public void place() {
        placement.placeAll();
    }

    /**
     * COMPARE_AND_SWAP: if the word at the pointer is {@code expected}, it becomes {@code desired}. One round trip.
     *
     * @return the word's old value; equal to {@code expected} if and only if the word was swapped
     */
    public long compareAndSwap(long pointer, long expected, long desired) {
        long address = KnownSegments.address(mapped, lastMapped, pointer);
        long old = address != 0
                ? Words.compareAndSwap(address, expected, desired)
                : memory.compareAndSwap(space.checked(pointer), expected, desired);
        metrics.compareAndSwaps++;
        return old;
    }

    /**
     * FETCH_AND_ADD: adds to the word at the pointer, with wrap-around. One round trip.
     *
     * @return the word's old value
     */
    public long fetchAndAdd(long pointer, long delta) {
        long address = KnownSegments.address(mapped, lastMapped, pointer);
        long old = address != 0 ? Words.fetchAndAdd(address, delta) : memory.fetchAndAdd(space.checked(pointer), delta);
        metrics.fetchAndAdds++;
        return old;
    }

    /**
     * Posts a FETCH_AND_ADD and returns at once, for a word whose old value does not matter. It takes effect once,
     * after finite time, and at the latest before {@link #place} returns. Those of one thread take effect in any order.
     */
    public void postFetchAndAdd(long pointer, long delta) {
        metrics.notAwaited++;
        if (KnownSegments.address(mapped, lastMapped, pointer) != 0) {
            fetchAndAdd(pointer, delta); // an instruction, so there is no wait to save
            return;
        }
        memory.postFetchAndAdd(space.checked(pointer), delta);
        metrics.fetchAndAdds++;
    }

    /** An empty sequence, for several operations with a single wait. Each thread has one. */
    public Sequence sequence() {
        return sequence.clear();
    }

    /** Operations that are posted now and awaited later. */
    public AsyncOperations async() {
        return async;
    }

    // ---------------------------------------------------------------------------------------------- many words

    /**
     * READs as many bytes as {@code to} has remaining, a multiple of 8. Each aligned word is whole, but the READ may be
     * torn between words. One round trip for each {@code --cn-thread-bufsz} bytes.
     */
    public void read(long pointer, ByteBuffer to) {
        space.check(pointer, to.remaining());
        buffered.read(pointer, to);
    }

    /**
     * WRITEs the remaining bytes of {@code from}, a multiple of 8, and returns when they are placed. A reader may see
     * the WRITE torn between words. One round trip for each {@code --cn-thread-bufsz} bytes.
     */
    public void write(long pointer, ByteBuffer from) {
        space.check(pointer, from.remaining());
        buffered.write(pointer, from);
    }

    /**
     * READs {@code length} bytes, a multiple of 8, directly into local memory ({@link #allocateLocal}). Each aligned
     * word is whole, but the READ may be torn between words. One round trip.
     */
    public void read(long pointer, LocalBuffer to, long toOffset, int length) {
        space.check(pointer, length);
        to.check(toOffset, length);
        memory.read(pointer, to, toOffset, length);
        metrics.bulkReads++;
        metrics.bulkReadBytes += length;
    }

    /** READs as many bytes as {@code to} has, like {@link #read(long, LocalBuffer, long, int)}. */
    public void read(long pointer, LocalBuffer to) {
        int length = (int) to.bytes();
        long address = KnownSegments.address(mapped, lastMapped, pointer, length);
        if (address != 0) {
            Words.read(address, to.address(), length);
            Reference.reachabilityFence(to);
        } else {
            space.checkTransfer(pointer, length);
            memory.read(pointer, to, 0, length);
        }
        metrics.bulkReads++;
        metrics.bulkReadBytes += length;
    }

    /**
     * WRITEs {@code length} bytes, a multiple of 8, directly from local memory ({@link #allocateLocal}), and returns
     * when they are placed. A reader may see the WRITE torn between words. One round trip.
     */
    public void write(long pointer, LocalBuffer from, long fromOffset, int length) {
        space.check(pointer, length);
        from.check(fromOffset, length);
        memory.write(pointer, from, fromOffset, length);
        metrics.bulkWrites++;
        metrics.bulkWriteBytes += length;
    }

    /** Allocates registered local memory, zeroed: a multiple of 8 bytes, from 8 to 2^30. Not to be called in a loop. */
    public LocalBuffer allocateLocal(long bytes) {
        return operations.allocateLocal(bytes);
    }

    // ---------------------------------------------------------------------------------------------- blocks

    /**
     * Allocates a block, 64-byte aligned. Its contents are undefined. No round trip in most cases: a thread keeps the
     * blocks that it has freed, and takes small new ones in runs, so that up to 63 of 64 cost none. Otherwise one.
     *
     * @param bytes at least 1; rounded up to a multiple of 64
     * @throws dev.remus.memory.OutOfRemoteMemoryException if the segments of the policy are full ({@code --alloc-wait})
     * @throws IllegalStateException if the allocator's words in remote memory are damaged
     */
    public long allocate(long bytes) {
        return blocks.allocate(bytes);
    }

    /**
     * Allocates a block like {@link #allocate}, for data that one thread uses more than others: on its own node if that
     * is a Memory Node, else on one that {@link #id} selects round robin, or where the policy selects if that is full.
     */
    public long allocateNear(long bytes) {
        return allocateNear(id(), bytes);
    }

    /** Allocates a block near another thread, given its {@link #id}, on whose behalf this thread allocates. */
    public long allocateNear(int thread, long bytes) {
        return allocateOn(peers.memoryNodeNear(thread), bytes);
    }

    /** Allocates a block on a Memory Node, or where the policy selects if that has no room; as {@link #allocate}. */
    public long allocateOn(int memoryNode, long bytes) {
        return blocks.allocateOn(memoryNode, bytes);
    }

    /**
     * Frees a block that no other thread uses. With {@link ClusterConfig#checkMemory}, this thread's accesses to it
     * throw an {@link dev.remus.memory.InvalidPointerException} until the thread allocates or shares it again.
     *
     * @param bytes the size with which it was allocated
     * @throws dev.remus.memory.InvalidFreeException if the block is known not to be allocated: always if this thread
     *     has freed it already, and for all threads and nodes with {@code --check-memory}
     */
    public void free(long pointer, long bytes) {
        blocks.free(pointer, bytes);
    }

    /**
     * Retires a block: operations in progress may still reach it, later ones must not. With {@code --reclaim epochs} it
     * becomes free once every thread has passed a {@linkplain #quiescent quiescent state}, else by {@link
     * #reclaimDeferred}.
     *
     * @param bytes the size with which it was allocated
     * @throws dev.remus.memory.InvalidFreeException as {@link #free} does
     */
    public void schedReclaim(long pointer, long bytes) {
        blocks.schedReclaim(pointer, bytes);
    }

    /**
     * Frees all retired blocks. To be called when no thread relies on a pointer to any of them, such as after a barrier
     * at which no thread was inside an operation.
     *
     * @return the number of reclaimed blocks
     */
    public int reclaimDeferred() {
        return blocks.reclaimDeferred();
    }

    /**
     * Declares that this thread holds no pointer to a block that may be retired: it is inside no operation. To be
     * called between operations by the loop that calls them. A structure does not, since one that uses it may hold
     * pointers. One call of 64 takes a round trip, or up to three; it {@linkplain #place places} what this thread has
     * posted, and fails as that does. Does nothing unless {@code --reclaim} is {@code epochs}.
     */
    public void quiescent() {
        blocks.quiescent();
    }

    /**
     * Runs work without remote accesses, such as a wait for input, so that no thread waits for {@linkplain #quiescent
     * quiescent states} of this one. A {@link #barrier} waits like this. With epochs: three round trips, a placement.
     */
    public void offline(Runnable work) {
        blocks.offline(work);
    }

    /**
     * Changes when a pointer that this thread has kept may have become stale: at {@link #barrier}, {@link #offline},
     * {@link #reclaimDeferred} and {@link #free}, and some {@linkplain #quiescent quiescent states}. Code that keeps
     * pointers between operations, such as a cache, drops or checks them when this has changed since.
     */
    public long reclamationEpoch() {
        return blocks.staleness();
    }

    // ---------------------------------------------------------------------------------------------- all threads

    /** The root: one word that all threads can find. */
    public Root root() {
        return root;
    }

    /**
     * Arrives at the control barrier, and waits until all Compute Threads of the cluster have arrived. All earlier
     * writes of this thread are placed first.
     *
     * @throws dev.remus.fabric.NodeLostException if a node is lost meanwhile; the barrier then stays broken
     * @throws IllegalStateException if the barrier can never be passed, because threads have finished
     */
    public void barrier() {
        barrier(threads());
    }

    /**
     * Waits at the control barrier for some of the cluster's threads. All of them pass the same number, and no other
     * thread arrives meanwhile.
     *
     * @param participants the number of threads that wait for each other, 1 to {@link #threads}
     * @throws IllegalArgumentException if the number is out of range
     * @throws IllegalStateException also if a waiting thread has passed another number, or more threads arrive; the
     *     barrier then stays broken for all threads
     */
    public void barrier(int participants) {
        blocks.waitOffline(
                idle -> barrier.await(participants, idle)); // the first thread to leave it may reclaim at once
    }

    /**
     * To be called in every loop that waits for another thread or retries after losing to one. Pauses, for longer if
     * hardly any operation was executed since the last call.
     *
     * @throws dev.remus.fabric.NodeLostException if a node is lost, under {@code --on-node-loss abort}
     */
    public void pause() {
        backoff.pause();
        blocks.paused();
    }

    /**
     * Pauses in a loop that waits for one thread, such as the holder of a lock, given its {@link #id}.
     *
     * @throws dev.remus.fabric.NodeLostException if its node is lost, also under {@code --on-node-loss continue}
     */
    public void pauseFor(int thread) {
        backoff.pauseFor(peers.nodeOf(thread));
    }

    /** Nanoseconds since a fixed moment. Only differences have a meaning, and only on one node. */
    public long nanoTime() {
        return environment.nanoTime();
    }

    /** This thread's random numbers. */
    public SplittableRandom random() {
        return random;
    }

    ThreadBackoff backoff() {
        return backoff;
    }

    CheckedMemory checked() {
        return checked;
    }

    /**
     * Ends this thread's part in the cluster: places its WRITEs, leaves its free blocks to other threads, and informs
     * every Memory Node that it has finished, unless a loss has ended the run. May be called again.
     *
     * @throws IllegalStateException if it still holds a {@link dev.remus.lock.RemoteLock}. Its node then counts as
     *     lost, so that no thread waits for that lock for ever
     */
    @Override
    public void close() {
        if (!owner.isClosed()) {
            owner.check();
            try {
                if (!participation.isOver()) {
                    place();
                    locks.checkNoneIsLeft(owner, participation);
                    blocks.close();
                    participation.finish(1, checked::fetchAndAddHeader);
                }
            } finally {
                owner.close();
                space.closeThread();
                mapped = new long[mapped.length];
            }
        }
    }

    @Override
    public String toString() {
        return owner.toString();
    }
}
