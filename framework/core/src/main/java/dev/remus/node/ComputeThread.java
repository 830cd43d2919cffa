// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.Operation;
import dev.remus.fabric.Words;
import dev.remus.memory.AddressSpace;
import dev.remus.memory.KnownSegments;
import dev.remus.memory.RdmaPtr;
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
    final ThreadParts parts;
    private final int id;

    // Fields that each operation on words needs, here rather than one object further away.
    private final BlockingOperations memory;
    private final AddressSpace space;
    private final ThreadMetrics metrics;
    final long lastMapped;
    long[] mapped; // with lastMapped: KnownSegments of this process, all zeros after the end

    private final ThreadBackoff backoff;
    private final ThreadBlocks blocks;

    ComputeThread(ThreadParts parts) {
        this.parts = parts;
        this.id = parts.id;
        this.memory = parts.memory;
        this.space = parts.space;
        this.metrics = parts.metrics;
        KnownSegments known = space.mapped(memory::mappedAt);
        this.mapped = known.table();
        this.lastMapped = known.last();
        this.backoff = parts.backoff;
        this.blocks = parts.blocks;
    }

    // ---------------------------------------------------------------------------------------------- identity

    /** The configuration of the cluster. */
    public ClusterConfig config() {
        return parts.config;
    }

    /** The id of the Compute Node that this thread belongs to. */
    public int nodeId() {
        return parts.nodeId;
    }

    /** This thread's number on its Compute Node, from 0. */
    public int index() {
        return parts.index;
    }

    /** This thread's number in the cluster, from 0, node by node. A node that has come back has new, higher ones. */
    public int id() {
        return id;
    }

    /** The number of ids of Compute Threads: that of the threads, and a multiple of it with {@code --returns}. */
    public int threads() {
        return parts.config.threadIds();
    }

    /** The other threads of the cluster: their nodes, and whether they are lost. */
    public Peers peers() {
        return parts.peers;
    }

    /** The locks that this thread holds, for programs that watch it. */
    public HeldLocks locks() {
        return parts.locks;
    }

    /** Locks of one word, and their release. */
    public LockWords lockWords() {
        return parts.lockWords;
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
        long value = address != 0 ? Words.read(address) : memory.read(space.admitted(Operation.READ, pointer));
        metrics.wordReads++;
        backoff.takeTurn();
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
            memory.write(space.admitted(Operation.WRITE, pointer), value);
            metrics.wordWrites++;
        }
    }

    /**
     * Posts a WRITE of the word at a pointer and returns at once. It becomes visible after finite time. Before {@link
     * #place}, it is not ordered with this thread's later operations.
     */
    public void post(long pointer, long value) {
        memory.post(space.admitted(Operation.WRITE, pointer), value);
        metrics.postedWrites++;
    }

    /**
     * Returns when everything that this thread posted is placed, and its asynchronous operations have ended. They can
     * still be awaited. One round trip for each lane that was used.
     *
     * @throws dev.remus.fabric.FabricException if one has failed unreported or is unsettled, or a {@link Cleanup} fails
     */
    public void place() {
        parts.placement.placeAll();
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
                : memory.compareAndSwap(space.admitted(Operation.COMPARE_AND_SWAP, pointer), expected, desired);
        metrics.compareAndSwaps++;
        backoff.takeTurn();
        return old;
    }

    /** FETCH_AND_ADD: adds to the word at the pointer, with wrap-around, and returns its old value. One round trip. */
    public long fetchAndAdd(long pointer, long delta) {
        long address = KnownSegments.address(mapped, lastMapped, pointer);
        long old = address != 0
                ? Words.fetchAndAdd(address, delta)
                : memory.fetchAndAdd(space.admitted(Operation.FETCH_AND_ADD, pointer), delta);
        metrics.fetchAndAdds++;
        backoff.takeTurn();
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
        memory.postFetchAndAdd(space.admitted(Operation.FETCH_AND_ADD, pointer), delta);
        metrics.fetchAndAdds++;
    }

    /** An empty sequence, for several operations with a single wait. Each thread has one. */
    public Sequence sequence() {
        return parts.sequence.clear();
    }

    /** Operations that are posted now and awaited later. */
    public AsyncOperations async() {
        return parts.async;
    }

    // ---------------------------------------------------------------------------------------------- many words

    /**
     * READs as many bytes as {@code to} has remaining, a multiple of 8. Each aligned word is whole, but the READ may be
     * torn between words. One round trip for each {@code --cn-thread-bufsz} bytes.
     */
    public void read(long pointer, ByteBuffer to) {
        space.admit(Operation.READ, pointer, to.remaining());
        parts.buffered.read(pointer, to);
    }

    /**
     * WRITEs the remaining bytes of {@code from}, a multiple of 8, and returns when they are placed. A reader may see
     * the WRITE torn between words. One round trip for each {@code --cn-thread-bufsz} bytes.
     */
    public void write(long pointer, ByteBuffer from) {
        space.admit(Operation.WRITE, pointer, from.remaining());
        parts.buffered.write(pointer, from);
    }

    /**
     * READs {@code length} bytes, a multiple of 8, directly into local memory ({@link #allocateLocal}). Each aligned
     * word is whole, but the READ may be torn between words. One round trip.
     */
    public void read(long pointer, LocalBuffer to, long toOffset, int length) {
        long address = KnownSegments.transferAddress(mapped, lastMapped, pointer, length);
        if (address != 0) {
            to.check(toOffset, length);
            Words.read(address, to.address() + toOffset, length);
            Reference.reachabilityFence(to);
        } else {
            space.admit(Operation.READ, pointer, length);
            to.check(toOffset, length);
            memory.read(pointer, to, toOffset, length);
        }
        metrics.countRead(length);
        backoff.takeTurn();
    }

    /** READs as many bytes as {@code to} has, like {@link #read(long, LocalBuffer, long, int)}. */
    public void read(long pointer, LocalBuffer to) {
        int length = (int) to.bytes();
        long address = KnownSegments.address(mapped, lastMapped, pointer, length);
        if (address != 0) {
            Words.read(address, to.address(), length);
            Reference.reachabilityFence(to);
        } else {
            space.admitTransfer(Operation.READ, pointer, length);
            memory.read(pointer, to, 0, length);
        }
        metrics.countRead(length);
        backoff.takeTurn();
    }

    /**
     * WRITEs {@code length} bytes, a multiple of 8, directly from local memory ({@link #allocateLocal}), and returns
     * when they are placed. A reader may see the WRITE torn between words. One round trip.
     */
    public void write(long pointer, LocalBuffer from, long fromOffset, int length) {
        space.admit(Operation.WRITE, pointer, length);
        from.check(fromOffset, length);
        memory.write(pointer, from, fromOffset, length);
        metrics.bulkWrites++;
        metrics.bulkWriteBytes += length;
    }

    /** Allocates registered local memory, zeroed: a multiple of 8 bytes, from 8 to 2^30. Not to be called in a loop. */
    public LocalBuffer allocateLocal(long bytes) {
        return parts.operations.allocateLocal(bytes);
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
     * Allocates a block as {@link #allocate} does, for data that one thread uses more than others: on its node if that
     * is a Memory Node, else on one that {@link #id} selects round robin; where the policy selects if that is full.
     */
    public long allocateNear(long bytes) {
        return allocateNear(id(), bytes);
    }

    /** Allocates a block near another thread, given its {@link #id}, on whose behalf this thread allocates. */
    public long allocateNear(int thread, long bytes) {
        return allocateOn(parts.peers.memoryNodeNear(thread), bytes);
    }

    /** Allocates a block on a Memory Node, or where the policy selects if that has no room; as {@link #allocate}. */
    public long allocateOn(int memoryNode, long bytes) {
        return blocks.allocateOn(memoryNode, bytes);
    }

    /**
     * Frees a block that no thread uses from now on. {@link ClusterConfig#checkMemory} reports those that do.
     *
     * @param bytes the size with which it was allocated
     * @throws dev.remus.memory.InvalidFreeException if the block is known not to be allocated: always if this thread
     *     has freed it already, and for all threads and nodes with {@code --check-memory}
     */
    public void free(long pointer, long bytes) {
        blocks.free(pointer, bytes);
    }

    /**
     * Retires a block: operations in progress may still reach it, later ones must not. It becomes free once all threads
     * have passed a {@link #quiescent} state; with {@code --reclaim barrier}, only by {@link #reclaimDeferred}.
     *
     * @param bytes the size with which it was allocated
     * @throws dev.remus.memory.InvalidFreeException as {@link #free} does
     */
    public void schedReclaim(long pointer, long bytes) {
        blocks.schedReclaim(pointer, bytes);
    }

    /**
     * Frees all retired blocks, and returns their number. To be called when no thread relies on a pointer to any of
     * them, such as after a barrier at which no thread was inside an operation.
     */
    public int reclaimDeferred() {
        return blocks.reclaimDeferred();
    }

    /**
     * Declares that this thread holds no pointer to a block that may be retired: it is inside no operation. To be
     * called between operations by the loop that calls them. A structure does not, since one that uses it may hold
     * pointers. One call of 64 takes a round trip, or up to three, and fewer calls do while the thread {@linkplain
     * #pause waits}. Such a call {@linkplain #place places} what this thread has posted, and fails as that does. Does
     * nothing with {@code --reclaim barrier}.
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
        return parts.roots.unnamed();
    }

    /**
     * A root of its own for each name, for structures and services that share a cluster. The first thread that asks for
     * it adds it, and it stays. A round trip for each name of the cluster when this thread asks for the first time, and
     * three or four if the name is new; afterwards none.
     *
     * @param name 1 to 40 bytes in UTF-8
     * @throws IllegalStateException if it is new, and the cluster has 64 names already
     */
    public Root root(String name) {
        parts.owner.check();
        return parts.roots.named(name);
    }

    /**
     * Arrives at the barrier of all threads, and waits until all Compute Threads of the cluster have arrived. All
     * earlier writes of this thread are placed first. Under {@code --on-node-loss continue}, it does not wait for
     * threads that are closed, or whose node is {@linkplain Peers#isLost cut off}: {@link Peers#tookPart} shows which.
     *
     * @throws dev.remus.fabric.NodeLostException if a node is lost meanwhile; the barrier then stays broken. Under
     *     {@code --on-node-loss continue}, only if the first Memory Node is lost, or a node was not cut off within the
     *     loss time-out
     * @throws IllegalStateException if the barrier can never be passed, because threads have finished; only under
     *     {@code --on-node-loss abort}
     */
    public void barrier() {
        barrier(threads());
    }

    /**
     * Waits at the control barrier for some of the cluster's threads. All of them pass the same number, and no other
     * thread arrives meanwhile. The number of all threads is that of {@link #barrier()}; for fewer, a loss breaks it.
     *
     * @param participants the number of threads that wait for each other, 1 to {@link #threads}
     * @throws IllegalArgumentException if the number is out of range
     * @throws IllegalStateException also if a waiting thread has passed another number, or more threads arrive; the
     *     barrier then stays broken for all threads
     */
    public void barrier(int participants) {
        blocks.waitOffline(
                idle -> parts.barriers.await(participants, idle)); // the first to leave it may reclaim at once
        metrics.barriers++;
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

    /** Pauses for a time, in a loop that can tell when its next poll is due; throws as {@link #pause()} does. */
    public void pause(long nanos) {
        backoff.pause(nanos);
        blocks.paused();
    }

    /**
     * Pauses in a loop that waits for one thread, such as the holder of a lock, given its {@link #id}.
     *
     * @throws dev.remus.fabric.NodeLostException if its node is lost, also under {@code --on-node-loss continue}
     */
    public void pauseFor(int thread) {
        backoff.pauseFor(thread);
    }

    /**
     * Pauses in a loop that waits for a lock ({@link LockWords}), given the {@link #id} of its holder. If the holder is
     * lost, the wait is until it is cut off: then the lock can be taken from it.
     *
     * @throws dev.remus.fabric.NodeLostException if its node is lost, and was not cut off within the loss time-out
     */
    public void pauseForHolder(int thread) {
        backoff.pauseForHolder(thread);
    }

    /** Nanoseconds since a fixed moment. Only differences have a meaning, and only on one node. */
    public long nanoTime() {
        return parts.environment.nanoTime();
    }

    /** This thread's random numbers. */
    public SplittableRandom random() {
        return parts.random;
    }

    /**
     * Ends this thread's part in the cluster: places its WRITEs, leaves its free blocks to other threads, and informs
     * every Memory Node that it has finished, unless a loss has ended the run. May be called again. Afterwards, any
     * thread may {@linkplain ComputeNode#openThread open it again}, unless this fails.
     *
     * @throws IllegalStateException if it still holds a {@link dev.remus.lock.RemoteLock}, a permit of a semaphore or
     *     a leader slot. Its node then counts as lost, so that no thread waits for that for ever
     */
    @Override
    public void close() {
        if (!parts.owner.isClosed()) {
            parts.owner.check();
            boolean isInOrder = false;
            try {
                isInOrder = parts.finish();
            } finally {
                leave(isInOrder);
            }
        }
    }

    private void leave(boolean isInOrder) {
        space.closeThread();
        mapped = new long[mapped.length];
        parts.owner.close(isInOrder); // the last step: then another thread may open it again
    }

    /** Opens it for the calling thread, if it was closed in good order. Returns whether it was. */
    boolean tryReopen() {
        if (!parts.owner.tryTake()) {
            return false;
        }
        try {
            KnownSegments known = space.openThread(memory::mappedAt);
            mapped = known.last() == lastMapped ? known.table() : mapped;
            parts.resume();
        } catch (RuntimeException | Error e) {
            leave(false);
            throw e;
        }
        return true;
    }

    @Override
    public String toString() {
        return parts.owner.toString();
    }
}
