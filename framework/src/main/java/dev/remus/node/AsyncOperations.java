package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Environment;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.LocalMemory;
import dev.remus.fabric.RemoteSequence;
import dev.remus.memory.RdmaPtr;
import org.jspecify.annotations.Nullable;

/**
 * A thread's asynchronous operations: who may post how many, under which ids, and what a wait for them counts. How they
 * are executed is the subclasses' business. Made when a thread posts the first one.
 */
abstract class AsyncOperations {
    /** How often a thread that sleeps looks whether what it waits for can still happen. */
    private static final long LOOK_NANOS = 200_000_000;

    private final Thread thread = Thread.currentThread();
    private final Environment environment;
    private final CompletionWatch watch;
    private final ComputeThread ct;
    private final ThreadMetrics metrics;
    private final int firstNode;
    private final int most;

    /** By Memory Node. */
    final CompletionBarrier[] destinations;

    final FuturePool pool;

    /** How many operations have been begun, and how many when the last wait began, and the last that placed WRITEs. */
    private long begun;

    private long waitedFor;
    private long placed;

    /** The last that ends with a WRITE. */
    private long lastWrite;

    /** Who sleeps for a barrier, and whether it was woken. */
    private volatile Environment.@Nullable Task self;

    private volatile boolean woken;

    /** @param watch passes completions on while this thread sleeps */
    AsyncOperations(
            ComputeThread ct,
            ClusterConfig config,
            ThreadMetrics metrics,
            Environment environment,
            CompletionWatch watch) {
        this.environment = environment;
        this.watch = watch;
        this.ct = ct;
        this.metrics = metrics;
        this.firstNode = config.firstMemoryNode();
        this.most = config.opsPerThread();
        this.pool = new FuturePool(this, most);
        this.destinations = new CompletionBarrier[config.memoryNodes()];
        for (int i = 0; i < destinations.length; i++) {
            destinations[i] = new CompletionBarrier(this, firstNode + i);
        }
    }

    void checkThread() {
        if (Thread.currentThread() != thread) {
            throw new IllegalStateException("this belongs to " + ct + ", and another thread has called it");
        }
        ct.checkNotClosed();
    }

    CompletionBarrier destination(int memoryNode) {
        int i = memoryNode - firstNode;
        if (i < 0 || i >= destinations.length) {
            throw new IllegalArgumentException("there is no Memory Node " + memoryNode + ", only " + firstNode + " to "
                    + (firstNode + destinations.length - 1));
        }
        return destinations[i];
    }

    /** A future for an operation at a pointer that has been checked. */
    RemoteFuture begin(long pointer) {
        CompletionBarrier to = destinations[RdmaPtr.node(pointer) - firstNode];
        if (pool.isExhausted() && !makeRoom()) {
            throw new IllegalStateException(ct + " has " + most
                    + " asynchronous operations that nobody has awaited: await some, or raise --cn-ops-per-thread");
        }
        awaitRoom(to);
        RemoteFuture future = pool.take();
        future.id = to.nextId();
        future.post(to, ++begun);
        return future;
    }

    /** Waits until one of those that are detached has ended; false if there is none. */
    abstract boolean makeRoom();

    /** Waits until the destination can have one more id. */
    abstract void awaitRoom(CompletionBarrier to);

    /** Notes whether an operation ends with a WRITE, which has to be placed. */
    void setWrites(RemoteFuture future, boolean writes) {
        future.writes = writes;
        lastWrite = writes ? future.number : lastWrite;
    }

    // Each posts an operation for a future that was begun; if it throws, the future has been given back.

    abstract void read(RemoteFuture future, long pointer);

    abstract void write(RemoteFuture future, long pointer, long value);

    abstract void compareAndSwap(RemoteFuture future, long pointer, long expected, long desired);

    abstract void fetchAndAdd(RemoteFuture future, long pointer, long delta);

    abstract void read(RemoteFuture future, long pointer, LocalMemory to, long toOffset, int length);

    abstract void write(RemoteFuture future, long pointer, LocalMemory from, long fromOffset, int length);

    abstract void execute(RemoteFuture future, long pointer, RemoteSequence sequence);

    // ------------------------------------------------------------------------------------------------ waiting

    /** What {@link RemoteFuture#await} says. */
    long await(RemoteFuture future) {
        count(future.number, future.writes);
        return finish(future);
    }

    /** Waits, and gives the future back unless the wait was given up. */
    abstract long finish(RemoteFuture future);

    abstract boolean isDone(RemoteFuture future);

    long detach(RemoteFuture future) {
        long id = future.id;
        future.detached = true;
        detached(future);
        return id;
    }

    abstract void detached(RemoteFuture future);

    /** Waits until everything has ended and WRITEs are placed, or have failed, which is reported by whoever asks. */
    void awaitAll() {
        checkThread();
        finishAll();
        count(begun, true);
    }

    abstract void finishAll();

    /**
     * Everything has ended.
     *
     * @throws dev.remus.fabric.FabricException if an operation has failed and nobody has been told
     */
    void throwFailure() {
        for (CompletionBarrier destination : destinations) {
            destination.throwFailure();
        }
    }

    /** A wait is a round trip if it is for something that was posted after the one before had begun. */
    void count(long number, boolean place) {
        if (number > waitedFor || place && Math.min(number, lastWrite) > placed) {
            metrics.asynchronousWaits++;
            waitedFor = begun;
            placed = place ? begun : placed;
        }
    }

    // ------------------------------------------------------------------------------------------------ barriers

    /** The largest id with which all up to it are complete. */
    abstract long completed(CompletionBarrier barrier, CompletionGrade grade);

    /** What {@link CompletionBarrier#await} says. */
    abstract long await(CompletionBarrier barrier, long id, CompletionGrade grade);

    /** The same without waiting; counts what is missing, if anything is. */
    abstract long poll(CompletionBarrier barrier, long id, CompletionGrade grade);

    /** Passes on what has arrived from a barrier's Memory Node. */
    abstract void pollFor(CompletionBarrier barrier);

    /** Whether the id that is armed is complete, or something up to it has failed. */
    abstract boolean isArmedOver(CompletionBarrier barrier);

    /** Throws if the Memory Node is lost or the run is over. */
    abstract void checkArmed(CompletionBarrier barrier);

    /** Throws for the first failure up to an id of which nobody has been told. */
    abstract void throwFailure(CompletionBarrier barrier, long upTo);

    /** What {@link ComputeThread#pollArmed} says. */
    @Nullable
    CompletionBarrier pollArmed() {
        checkThread();
        boolean any = false;
        for (CompletionBarrier barrier : destinations) {
            if (barrier.armed() != 0) {
                any = true;
                pollFor(barrier);
                if (isArmedOver(barrier)) {
                    barrier.disarm();
                    return barrier;
                }
            }
        }
        if (!any) {
            throw new IllegalStateException(
                    "no id is armed: CompletionBarrier.poll arms one if the operations up to it are not complete yet");
        }
        return null;
    }

    /** What {@link ComputeThread#awaitArmed} says. */
    CompletionBarrier awaitArmed() {
        checkThread();
        Environment.Task me = environment.self();
        self = me;
        CompletionBarrier over = pollArmed();
        if (over != null) {
            return over;
        }
        watch.begin();
        try {
            return sleepUntilArmedIsOver(me);
        } finally {
            watch.end();
        }
    }

    private CompletionBarrier sleepUntilArmedIsOver(Environment.Task me) {
        while (true) {
            woken = false;
            for (CompletionBarrier barrier : destinations) {
                if (barrier.armed() != 0) {
                    pollFor(barrier);
                    if (isArmedOver(barrier)) {
                        barrier.disarm();
                        return barrier;
                    }
                    checkArmed(barrier);
                }
            }
            environment.sleep(LOOK_NANOS);
            if (woken) {
                metrics.wakeUps++;
            } else if (me.isInterrupted()) {
                throw new FabricException("interrupted while waiting");
            }
        }
    }

    /** What a barrier has counted may have ended. Called by any thread. */
    void wake() {
        woken = true;
        Environment.Task owner = self;
        if (owner != null) {
            owner.wake();
        }
    }

    /** How many operations have been begun. */
    long begun() {
        return begun;
    }
}
