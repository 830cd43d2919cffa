package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Environment;
import dev.remus.fabric.LocalMemory;
import dev.remus.fabric.RemoteMemory;
import dev.remus.memory.AddressSpace;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A thread's context: the only door to remote memory, time, randomness and waiting. Everything that a structure does with
 * these goes through here, so that it runs unchanged on every fabric.
 *
 * <p>Pointers are raw words ({@link RdmaPtr}); every access checks them first and throws {@link
 * dev.remus.memory.InvalidPointerException} if they cannot be used, {@link dev.remus.fabric.NodeLostException} if the
 * node behind them is lost. What is atomic, ordered and visible says the package {@code dev.remus.fabric}.
 *
 * <p>Belongs to the thread that opened it ({@link ComputeNode#openThread}); no method may be called from another one.
 */
public final class ComputeThread implements AutoCloseable {
    /** A waiter reads a word, and perhaps tries to change it, between one pause and the next. */
    private static final int ROUND_TRIPS_OF_A_WAIT = 2;

    private static final int SMALLEST_BUFFER = 64;

    private final ComputeNode node;
    private final ClusterConfig config;
    private final int index;
    private final RemoteMemory memory;
    private final ThreadMetrics metrics;
    private final HeldLocks locks = new HeldLocks();
    private final SplittableRandom random;
    private final Environment environment;
    private final Backoff backoff;
    private final ControlBarrier barrier;
    private final Allocator allocator;
    private final Sequence sequence;
    private final long root;

    /** Replaced by one that refuses everything when the thread is closed. */
    private AddressSpace space;

    /** Made when the first asynchronous operation is posted. */
    private @Nullable AsyncOperations async;

    private @Nullable LocalMemory buffer;
    private long roundTripsAtLastPause;
    private long reclamationEpoch;
    private boolean closed;

    ComputeThread(
            ComputeNode node,
            ClusterConfig config,
            int index,
            RemoteMemory memory,
            AddressSpace space,
            Environment environment) {
        this.node = node;
        this.config = config;
        this.index = index;
        this.memory = memory;
        this.metrics = new ThreadMetrics(memory);
        this.space = space;
        this.environment = environment;
        this.backoff = new Backoff(environment);
        this.random = new SplittableRandom(environment.newSeed());
        this.barrier = new ControlBarrier(config);
        this.allocator = new Allocator(this, config, node.id());
        this.sequence = new Sequence(this, memory.newSequence(), metrics);
        this.root = SegmentLayout.header(config.firstMemoryNode(), 0, SegmentHeader.ROOT);
    }

    // ---------------------------------------------------------------------------------------------- who this is

    /** The Compute Node that this thread belongs to. */
    public ComputeNode node() {
        return node;
    }

    /** This thread's number on its Compute Node, from 0. */
    public int index() {
        return index;
    }

    /** This thread's number in the cluster, from 0: those of the first Compute Node come first. */
    public int id() {
        return (node.id() - config.firstComputeNode()) * config.threadsPerNode() + index;
    }

    /** The id of the Compute Node that a thread belongs to, given the thread's {@link #id}. */
    public int nodeOf(int thread) {
        return config.firstComputeNode() + thread / config.threadsPerNode();
    }

    /** How many Compute Threads the cluster has. */
    public int threads() {
        return config.totalThreads();
    }

    /** Which locks this thread has, for those who watch it. */
    public HeldLocks locks() {
        return locks;
    }

    /** What this thread has done so far. */
    public ThreadMetrics metrics() {
        return metrics;
    }

    // ---------------------------------------------------------------------------------------------- one word

    /**
     * READs the word at a pointer. One round trip; none if the word is on this very node, over a fabric on which that makes
     * a difference ({@link ThreadMetrics#localReads}).
     */
    public long read(long pointer) {
        space.check(pointer);
        long value = memory.read(pointer);
        metrics.wordReads++;
        return value;
    }

    /**
     * WRITEs the word at a pointer, and returns when it is placed: visible to every thread on every lane. One round trip.
     * Not for a word that anybody changes by {@link #compareAndSwap} or {@link #fetchAndAdd}.
     */
    public void write(long pointer, long value) {
        space.check(pointer);
        memory.write(pointer, value);
        metrics.wordWrites++;
    }

    /**
     * Posts a WRITE of the word at a pointer and returns at once. It becomes visible after finite time, but, towards what
     * this thread does next, in no particular order before {@link #place}.
     */
    public void post(long pointer, long value) {
        space.check(pointer);
        memory.post(pointer, value);
        metrics.postedWrites++;
    }

    /**
     * Returns when all that this thread posted is placed, and its asynchronous operations have ended, which can still be
     * awaited. One round trip for each lane that it was posted on.
     *
     * @throws dev.remus.fabric.FabricException if one of them has failed that nobody was told of
     */
    public void place() {
        metrics.placements += memory.unplacedLanes();
        memory.place();
        if (async != null) {
            async.awaitAll();
            async.throwFailure();
        }
    }

    /**
     * COMPARE_AND_SWAP: if the word at the pointer is {@code expected}, it becomes {@code desired}. One round trip.
     *
     * @return what the word was; equal to {@code expected} if and only if it was swapped
     */
    public long compareAndSwap(long pointer, long expected, long desired) {
        space.check(pointer);
        long old = memory.compareAndSwap(pointer, expected, desired);
        metrics.compareAndSwaps++;
        return old;
    }

    /**
     * FETCH_AND_ADD: adds to the word at the pointer, with wrap-around. One round trip.
     *
     * @return what the word was
     */
    public long fetchAndAdd(long pointer, long delta) {
        space.check(pointer);
        long old = memory.fetchAndAdd(pointer, delta);
        metrics.fetchAndAdds++;
        return old;
    }

    /**
     * Posts a FETCH_AND_ADD and returns at once: for a word of which nobody needs to know what it was. It takes effect
     * once, after finite time, and at the latest before {@link #place} returns; those of one thread in any order.
     */
    public void postFetchAndAdd(long pointer, long delta) {
        space.check(pointer);
        memory.postFetchAndAdd(pointer, delta);
        metrics.fetchAndAdds++;
        metrics.notAwaited++;
    }

    /** An empty sequence: several operations that are waited for once. There is one of them in each thread. */
    public Sequence sequence() {
        return sequence.clear();
    }

    // ---------------------------------------------------------------------------------------------- asynchronously

    // All of these return at once. RemoteFuture.await then promises what the blocking operation of the same name does.
    // Until then they may run in any order, also relative to everything else that this thread does. At most
    // --cn-ops-per-thread may be outstanding or not yet awaited.

    /**
     * Posts a READ of the word at a pointer; its future has the word.
     *
     * @throws IllegalStateException if {@code --cn-ops-per-thread} operations are outstanding, none of them detached
     */
    public RemoteFuture readAsync(long pointer) {
        space.check(pointer);
        AsyncOperations async = async();
        RemoteFuture future = async.begin(pointer);
        async.read(future, pointer);
        metrics.wordReads++;
        metrics.notAwaited++;
        return future;
    }

    /**
     * Posts a WRITE of the word at a pointer, which is placed when its future was awaited. Not for a word that anybody
     * changes by an atomic.
     *
     * @throws IllegalStateException as {@link #readAsync(long)}
     */
    public RemoteFuture writeAsync(long pointer, long value) {
        space.check(pointer);
        AsyncOperations async = async();
        RemoteFuture future = async.begin(pointer);
        async.write(future, pointer, value);
        metrics.wordWrites++;
        metrics.notAwaited++;
        return future;
    }

    /**
     * Posts a COMPARE_AND_SWAP; its future has what the word was.
     *
     * @throws IllegalStateException as {@link #readAsync(long)}
     */
    public RemoteFuture compareAndSwapAsync(long pointer, long expected, long desired) {
        space.check(pointer);
        AsyncOperations async = async();
        RemoteFuture future = async.begin(pointer);
        async.compareAndSwap(future, pointer, expected, desired);
        metrics.compareAndSwaps++;
        metrics.notAwaited++;
        return future;
    }

    /**
     * Posts a FETCH_AND_ADD; its future has what the word was.
     *
     * @throws IllegalStateException as {@link #readAsync(long)}
     */
    public RemoteFuture fetchAndAddAsync(long pointer, long delta) {
        space.check(pointer);
        AsyncOperations async = async();
        RemoteFuture future = async.begin(pointer);
        async.fetchAndAdd(future, pointer, delta);
        metrics.fetchAndAdds++;
        metrics.notAwaited++;
        return future;
    }

    /**
     * Posts a READ of {@code length} bytes, a multiple of 8, straight into local memory ({@link #allocateLocal}), which is
     * in use until the future was awaited. Each aligned word is whole, the rest may be torn.
     *
     * @throws IllegalStateException as {@link #readAsync(long)}
     */
    public RemoteFuture readAsync(long pointer, LocalMemory to, long toOffset, int length) {
        space.check(pointer, length);
        to.check(toOffset, length);
        AsyncOperations async = async();
        RemoteFuture future = async.begin(pointer);
        async.read(future, pointer, to, toOffset, length);
        metrics.bulkReads++;
        metrics.bulkReadBytes += length;
        metrics.notAwaited++;
        return future;
    }

    /**
     * Posts a WRITE of {@code length} bytes, a multiple of 8, straight from local memory ({@link #allocateLocal}), which
     * is in use until the future was awaited; the WRITE is placed then. A reader may see it torn between words.
     *
     * @throws IllegalStateException as {@link #readAsync(long)}
     */
    public RemoteFuture writeAsync(long pointer, LocalMemory from, long fromOffset, int length) {
        space.check(pointer, length);
        from.check(fromOffset, length);
        AsyncOperations async = async();
        RemoteFuture future = async.begin(pointer);
        async.write(future, pointer, from, fromOffset, length);
        metrics.bulkWrites++;
        metrics.bulkWriteBytes += length;
        metrics.notAwaited++;
        return future;
    }

    /**
     * Returns when all asynchronous operations of this thread have ended and their WRITEs are placed: one round trip for
     * all of them. Each future must still be awaited, which takes no time then, and throws if the operation has failed.
     *
     * @throws dev.remus.fabric.NodeLostException if one of their Memory Nodes is lost, or the run is over
     */
    public void awaitAll() {
        async().awaitAll();
    }

    /**
     * Waits as {@link #awaitAll} does, but not for longer than a limit. May be repeated.
     *
     * @param nanos how long to wait; 0 or less looks once
     * @return false if not all of them have ended and are placed yet
     * @throws dev.remus.fabric.NodeLostException as {@link #awaitAll}
     */
    public boolean tryAwaitAll(long nanos) {
        AsyncOperations async = async();
        return async.awaitAll(async.deadline(nanos));
    }

    /**
     * Reports up to which id this thread's asynchronous operations to a Memory Node are complete.
     *
     * @param memoryNode its id
     * @throws IllegalArgumentException if no Memory Node has that id
     */
    public CompletionBarrier completionBarrier(int memoryNode) {
        return async().destination(memoryNode);
    }

    /**
     * Sleeps until all operations up to an id that {@link CompletionBarrier#poll} has armed are complete, or one of them
     * has failed, and reports it, once. Completions before that do not wake this thread.
     *
     * @return the barrier whose id it is; ask it what is complete
     * @throws IllegalStateException if no id is armed
     * @throws dev.remus.fabric.NodeLostException if the Memory Node of an armed id is lost, or the run is over
     */
    public CompletionBarrier awaitArmed() {
        return Objects.requireNonNull(async().awaitArmed(Backoff.FOREVER));
    }

    /**
     * Sleeps as {@link #awaitArmed} does, but not for longer than a limit. May be repeated: the id stays armed until it is
     * reported.
     *
     * @param nanos how long to wait; 0 or less looks once
     * @return null if there is nothing to report yet
     * @throws IllegalStateException as {@link #awaitArmed}
     * @throws dev.remus.fabric.NodeLostException as {@link #awaitArmed}
     */
    public @Nullable CompletionBarrier tryAwaitArmed(long nanos) {
        AsyncOperations async = async();
        return async.awaitArmed(async.deadline(nanos));
    }

    /**
     * Sleeps until any asynchronous operation of this thread completes, well or not, whether an id is armed or not. Each
     * completion is reported at most once; one report covers all operations to that Memory Node that have completed by
     * then. Returns at once if an operation has completed since this thread last looked, so that none is missed between a
     * look and the sleep:
     *
     * <pre>{@code
     * while (!left.isDone() && !right.isDone()) {
     *     ct.awaitAny();
     * }
     * }</pre>
     *
     * <p>Not reported is what this thread has been told otherwise: by the operation's future ({@link RemoteFuture#isDone},
     * {@link RemoteFuture#tryAwait}, {@link RemoteFuture#await}), by {@link CompletionBarrier#await} for its id or a later
     * one, or by {@link #awaitAll} or {@link #place}. The other answers of a {@code CompletionBarrier} do not count, since
     * they may be about several operations of which the caller has asked for one.
     *
     * <p>A completion is one of grade {@link CompletionGrade#LOCAL}: a WRITE has been acknowledged, and may not be placed yet.
     *
     * @return the barrier of the Memory Node that the operation went to
     * @throws IllegalStateException if no completion can come: no operation is outstanding, and this thread has been told of
     *     all that have completed
     * @throws dev.remus.fabric.NodeLostException if the Memory Node of an outstanding operation is lost, or the run is over
     */
    public CompletionBarrier awaitAny() {
        return Objects.requireNonNull(async().awaitAny(Backoff.FOREVER));
    }

    /**
     * Sleeps as {@link #awaitAny} does, but not for longer than a limit. May be repeated.
     *
     * @param nanos how long to wait; 0 or less looks once
     * @return null if no operation has completed yet
     * @throws IllegalStateException as {@link #awaitAny}
     * @throws dev.remus.fabric.NodeLostException as {@link #awaitAny}
     */
    public @Nullable CompletionBarrier tryAwaitAny(long nanos) {
        AsyncOperations async = async();
        return async.awaitAny(async.deadline(nanos));
    }

    AsyncOperations async() {
        if (async == null) {
            checkOpen();
            async = node.newOperations(this, memory, metrics);
        }
        return async;
    }

    // ---------------------------------------------------------------------------------------------- many words

    /**
     * READs as many bytes as {@code to} has remaining, a multiple of 8. Each aligned word is whole, the rest may be torn.
     * One round trip for each {@code --cn-thread-bufsz} bytes.
     */
    public void read(long pointer, ByteBuffer to) {
        int length = to.remaining();
        space.check(pointer, length);
        LocalMemory buffer = buffer(length);
        for (int done = 0; done < length; ) {
            int part = (int) Math.min(buffer.bytes(), length - done);
            this.buffer = null; // if the wait is given up, what is outstanding may still use it
            memory.read(pointer + done, buffer, 0, part);
            this.buffer = buffer;
            metrics.bulkReads++;
            to.put(buffer.view(0, part));
            done += part;
        }
        metrics.bulkReadBytes += length;
    }

    /**
     * WRITEs the remaining bytes of {@code from}, a multiple of 8, and returns when they are placed. A reader may see it
     * torn between words. One round trip for each {@code --cn-thread-bufsz} bytes.
     */
    public void write(long pointer, ByteBuffer from) {
        int length = from.remaining();
        space.check(pointer, length);
        LocalMemory buffer = buffer(length);
        for (int done = 0; done < length; ) {
            int part = (int) Math.min(buffer.bytes(), length - done);
            buffer.view(0, part).put(from.slice(from.position(), part));
            from.position(from.position() + part);
            this.buffer = null; // as above
            memory.write(pointer + done, buffer, 0, part);
            this.buffer = buffer;
            metrics.bulkWrites++;
            done += part;
        }
        metrics.bulkWriteBytes += length;
    }

    /**
     * READs {@code length} bytes, a multiple of 8, straight into local memory ({@link #allocateLocal}). Each aligned word
     * is whole, the rest may be torn. One round trip.
     */
    public void read(long pointer, LocalMemory to, long toOffset, int length) {
        space.check(pointer, length);
        to.check(toOffset, length);
        memory.read(pointer, to, toOffset, length);
        metrics.bulkReads++;
        metrics.bulkReadBytes += length;
    }

    /** READs as many bytes as {@code to} has. Each aligned word is whole, the rest may be torn. One round trip. */
    public void read(long pointer, LocalMemory to) {
        int length = (int) to.bytes();
        space.checkTransfer(pointer, length);
        memory.read(pointer, to, 0, length);
        metrics.bulkReads++;
        metrics.bulkReadBytes += length;
    }

    /**
     * WRITEs {@code length} bytes, a multiple of 8, straight from local memory ({@link #allocateLocal}), and returns when
     * they are placed. A reader may see it torn between words. One round trip.
     */
    public void write(long pointer, LocalMemory from, long fromOffset, int length) {
        space.check(pointer, length);
        from.check(fromOffset, length);
        memory.write(pointer, from, fromOffset, length);
        metrics.bulkWrites++;
        metrics.bulkWriteBytes += length;
    }

    /**
     * Registered local memory, zeroed. To be allocated once, not in a loop.
     *
     * @param bytes a multiple of 8, from 8 to 2^30
     * @throws IllegalArgumentException if it is not
     */
    public LocalMemory allocateLocal(long bytes) {
        return node.allocateLocal(bytes);
    }

    /** Memory for so many bytes, or as many as a thread may have: it grows with the longest transfer. */
    private LocalMemory buffer(int length) {
        int needed = Math.min(length, config.threadBufferBytes());
        if (buffer == null || buffer.bytes() < needed) {
            buffer = node.allocateLocal(Integer.highestOneBit(Math.max(needed, SMALLEST_BUFFER) - 1) << 1);
        }
        return buffer;
    }

    // ---------------------------------------------------------------------------------------------- blocks

    /**
     * Allocates a block, 64-byte aligned. Its contents are undefined. One round trip, none if this thread has a free one.
     *
     * @param bytes at least 1; rounded up to a multiple of 64
     * @throws dev.remus.memory.OutOfRemoteMemoryException if no segment that the allocation policy may use has room
     * @throws IllegalStateException if the memory is damaged where it says what is free
     */
    public long allocate(long bytes) {
        checkOpen();
        return allocator.allocate(bytes);
    }

    /**
     * Allocates a block near this thread: on its own node if that is a Memory Node too, else on the Memory Node that its
     * {@link #id} comes to when threads are dealt out in turn. If there is no room, where the policy says. For what one
     * thread uses more than others; otherwise like {@link #allocate}.
     */
    public long allocateNear(long bytes) {
        return allocateNear(id(), bytes);
    }

    /** The same near another thread, given its {@link #id}: for a thread that allocates on behalf of others. */
    public long allocateNear(int thread, long bytes) {
        checkOpen();
        int own = nodeOf(thread);
        int turn = config.firstMemoryNode() + thread % config.memoryNodes();
        return allocator.allocateOn(config.isMemoryNode(own) ? own : turn, bytes);
    }

    /**
     * Gives back a block that no other thread can be using, at once.
     *
     * @param bytes what it was allocated with
     * @throws dev.remus.memory.InvalidFreeException if it is not allocated, as far as that is known: always if this
     *     thread has given it back already, and for all threads and nodes with {@code --check-memory}
     */
    public void free(long pointer, long bytes) {
        checkOpen();
        reclamationEpoch++;
        allocator.free(pointer, bytes);
    }

    /**
     * Gives back a block that other threads may still be reading: it is kept until {@link #reclaimDeferred}. To be called
     * when no thread can find the block any more.
     *
     * @param bytes what it was allocated with
     * @throws dev.remus.memory.InvalidFreeException as {@link #free} does
     */
    public void schedReclaim(long pointer, long bytes) {
        checkOpen();
        allocator.defer(pointer, bytes);
    }

    /**
     * Makes all blocks given to {@link #schedReclaim} available again. To be called when it is certain that no thread
     * holds a pointer to any of them, such as after a barrier at which no thread was inside an operation: all that threads
     * have cached dies at the barrier ({@link #reclamationEpoch}).
     *
     * @return how many there were
     */
    public int reclaimDeferred() {
        checkOpen();
        reclamationEpoch++;
        return allocator.reclaimDeferred();
    }

    /**
     * How full each segment of each Memory Node is, in their order. For people and their reports: two round trips for each
     * segment.
     */
    public List<SegmentUse> segmentUse() {
        List<SegmentUse> all = new ArrayList<>();
        for (int m = config.firstMemoryNode(); m <= config.lastMemoryNode(); m++) {
            for (int s = 0; s < config.segmentsPerNode(); s++) {
                long end = readHeader(SegmentLayout.header(m, s, SegmentHeader.END));
                long allocated = readHeader(SegmentLayout.header(m, s, SegmentHeader.ALLOCATED));
                all.add(new SegmentUse(m, s, Math.min(allocated, end), end)); // who asked in vain has raised it too
            }
        }
        return List.copyOf(all);
    }

    /**
     * Changes whenever a pointer that this thread has kept may have become one to something else: at each {@link #barrier},
     * {@link #reclaimDeferred} and {@link #free} of this thread. Whatever keeps pointers from one operation to the next,
     * such as a cache, remembers the epoch in which it got them, and drops them when that is over.
     */
    public long reclamationEpoch() {
        return reclamationEpoch;
    }

    // ---------------------------------------------------------------------------------------------- all together

    // The root is one word that all threads can find. Each call that changes it happens in one step, and first places
    // everything that this thread has written: a thread that sees the change sees what was written before.

    /**
     * Makes a pointer known to all threads of the cluster. Everything that this thread has written is placed first. Two
     * round trips, more while other threads change the root at the same time.
     *
     * @param pointer null or not marked
     */
    public void setRoot(RdmaPtr<?> pointer) {
        getAndSetRoot(pointer);
    }

    /** The root: null until a thread has set it. One round trip. */
    public <T> RdmaPtr<T> getRoot() {
        return new RdmaPtr<>(readHeader(root));
    }

    /**
     * Sets the root, as {@link #setRoot} does, and returns what it was. Of several threads that swap at the same time, each
     * gets a different pointer.
     *
     * @param pointer null or not marked
     */
    public <T> RdmaPtr<T> getAndSetRoot(RdmaPtr<?> pointer) {
        checkRoot(pointer);
        place();
        long seen = readHeader(root);
        while (true) {
            long found = compareAndSwapHeader(root, seen, pointer.raw());
            if (found == seen) {
                return new RdmaPtr<>(found);
            }
            seen = found;
            pause();
        }
    }

    /**
     * Sets the root if it is as expected, and returns what it was. Everything that this thread has written is placed first.
     * One round trip.
     *
     * @param desired null or not marked
     * @return what the root was; equal to {@code expected} if and only if it was set
     */
    public <T> RdmaPtr<T> compareAndExchangeRoot(RdmaPtr<?> expected, RdmaPtr<?> desired) {
        checkRoot(desired);
        place();
        return new RdmaPtr<>(compareAndSwapHeader(root, expected.raw(), desired.raw()));
    }

    /** The same as {@link #compareAndExchangeRoot}, but returns whether the root was set. */
    public boolean compareAndSetRoot(RdmaPtr<?> expected, RdmaPtr<?> desired) {
        return compareAndExchangeRoot(expected, desired).equals(expected);
    }

    /**
     * Adds to the root word, with wrap-around, and returns what it was: for a root that is a number, or a pointer that moves
     * through an array. Nothing checks the sum until it is used as a pointer. Everything that this thread has written is
     * placed first. One round trip.
     */
    public long fetchAddRoot(long delta) {
        place();
        return fetchAndAddHeader(root, delta);
    }

    private void checkRoot(RdmaPtr<?> pointer) {
        if (!pointer.isNull()) {
            space.check(pointer.raw());
        }
    }

    /**
     * Arrives at the control barrier and waits until all Compute Threads of the cluster have. Everything that this thread
     * has written is placed before.
     *
     * @throws dev.remus.fabric.NodeLostException if a node is lost meanwhile; the barrier then stays broken
     * @throws IllegalStateException if it can never be passed, since threads have finished
     */
    public void barrier() {
        barrier(threads());
    }

    /**
     * The same for some of the cluster's threads; all of them pass the same number, and no other thread arrives
     * meanwhile.
     *
     * @param participants how many threads wait for each other, 1 to {@link #threads}
     * @throws IllegalArgumentException if there cannot be so many
     * @throws IllegalStateException also if a thread that waits there has passed another number, or more threads arrive than
     *     that; the barrier then stays broken for everybody
     */
    public void barrier(int participants) {
        checkOpen();
        place();
        reclamationEpoch++; // who leaves the barrier first may reclaim at once
        barrier.await(this, participants, node.membership(), new Backoff(environment));
    }

    // ---------------------------------------------------------------------------------------------- time and chance

    /**
     * To be called in every loop that waits for another thread or tries again after losing to one: waits a little, longer
     * when called again with hardly anything done in between.
     *
     * @throws dev.remus.fabric.NodeLostException if a node is lost and {@code --on-node-loss} says abort
     */
    public void pause() {
        node.membership().check();
        long roundTrips = metrics.roundTrips();
        if (roundTrips - roundTripsAtLastPause > ROUND_TRIPS_OF_A_WAIT) {
            backoff.reset();
        }
        roundTripsAtLastPause = roundTrips;
        backoff.pause();
    }

    /**
     * The same for a loop that waits for one particular thread, such as the holder of a lock: also under {@code
     * --on-node-loss continue}, it ends when that thread's node is lost.
     *
     * @param thread the {@link #id} of the thread that is waited for
     * @throws dev.remus.fabric.NodeLostException if its node is lost
     */
    public void pauseFor(int thread) {
        node.membership().check(nodeOf(thread));
        pause();
    }

    /** Whether the node of a thread is known to be lost, given the thread's {@link #id}. Asks nobody, and waits for nothing. */
    public boolean isLost(int thread) {
        return node.membership().isLostComputeNode(nodeOf(thread));
    }

    /** Whether any node is known to be lost. Asks nobody, and waits for nothing. */
    public boolean isAnyNodeLost() {
        return node.membership().isAnyLost();
    }

    /** Nanoseconds since some fixed moment; only differences mean something, and only on one node. */
    public long nanoTime() {
        return environment.nanoTime();
    }

    /** This thread's random numbers. */
    public SplittableRandom random() {
        return random;
    }

    // ---------------------------------------------------------------------------------------------- inside

    /** READs a word that structures cannot reach: of a header, or behind the blocks. */
    long readHeader(long pointer) {
        space.checkReachable(pointer);
        metrics.wordReads++;
        return memory.read(pointer);
    }

    long compareAndSwapHeader(long pointer, long expected, long desired) {
        space.checkReachable(pointer);
        metrics.compareAndSwaps++;
        return memory.compareAndSwap(pointer, expected, desired);
    }

    long fetchAndAddHeader(long pointer, long delta) {
        space.checkReachable(pointer);
        metrics.fetchAndAdds++;
        return memory.fetchAndAdd(pointer, delta);
    }

    /** Checks a pointer to a block. */
    void check(long pointer, long length) {
        space.check(pointer, length);
    }

    /** Checks a pointer to part of a block. */
    void check(long pointer, int length) {
        space.check(pointer, length);
    }

    void checkNotClosed() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    private void checkOpen() {
        checkNotClosed();
        if (Thread.currentThread() != node.owner(this)) {
            throw new IllegalStateException(this + " belongs to another thread, the one that opened it");
        }
    }

    /**
     * Ends this thread's part in the cluster: places its WRITEs and tells every Memory Node that it has finished, unless
     * the run is over anyway because a node was lost. May be called again.
     *
     * @throws IllegalStateException if it still has a {@link dev.remus.lock.RemoteLock}: its node then counts as lost, so that
     *     nobody waits for that lock for ever
     */
    @Override
    public void close() {
        if (!closed) {
            checkOpen();
            try {
                if (!node.isOver()) {
                    place();
                    checkNoLockIsLeft();
                    node.finish(this);
                }
            } finally {
                closed = true;
                space = AddressSpace.closed(config);
            }
        }
    }

    private void checkNoLockIsLeft() {
        long[] left = locks.held();
        if (left.length > 0) {
            String mistake = this + " has ended without releasing the lock at (" + RdmaPtr.toString(left[0]) + ")";
            node.abort(mistake);
            throw new IllegalStateException(mistake);
        }
    }

    @Override
    public String toString() {
        return "Compute Thread " + index + " of Compute Node " + node.id();
    }
}
