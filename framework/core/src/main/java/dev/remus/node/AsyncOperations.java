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

    /** The same while a request waits for room on a lane, which no completion of its own announces. */
    private static final long LOOK_FOR_ROOM_NANOS = 1_000_000;

    private static final int LEAST_TOLD_APART = 64;

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

    /** The owner, once it has slept, and whether it was woken. */
    private volatile Environment.@Nullable Task self;

    private volatile boolean woken;

    /** Whether the owner sleeps until any operation ends. */
    private volatile boolean awaitsAny;

    /** Whose turn it is to be reported first. */
    private int firstToReport;

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
            int size = Math.max(LEAST_TOLD_APART, Integer.highestOneBit(most) * 2);
            destinations[i] = new CompletionBarrier(this, firstNode + i, size);
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

    /** When a wait of so many nanoseconds is over that begins now. */
    long deadline(long nanos) {
        long now = environment.nanoTime();
        long deadline = now + Math.max(0, nanos);
        return deadline < now ? Backoff.FOREVER : deadline;
    }

    /** What {@link RemoteFuture#await} promises. */
    long await(RemoteFuture future) {
        count(future.number, future.writes);
        awaitEnd(future, Backoff.FOREVER);
        return take(future);
    }

    /** What {@link RemoteFuture#tryAwait} promises. */
    boolean tryAwait(RemoteFuture future, long nanos) {
        if (!awaitEnd(future, deadline(nanos))) {
            return false;
        }
        count(future.number, future.writes);
        future.destination().toldOf(future.id);
        return true;
    }

    /**
     * Waits until an operation has ended and is placed; returns whether it has before the deadline. If it never will, as
     * its Memory Node is lost, gives the future back and throws.
     */
    abstract boolean awaitEnd(RemoteFuture future, long deadline);

    /** The result of an operation that has ended, and whose future is given back. */
    abstract long take(RemoteFuture future);

    boolean isDone(RemoteFuture future) {
        boolean ended = lookAt(future);
        if (ended) {
            future.destination().toldOf(future.id);
        }
        return ended;
    }

    /** Whether an operation has ended. */
    abstract boolean lookAt(RemoteFuture future);

    long detach(RemoteFuture future) {
        long id = future.id;
        future.detached = true;
        detached(future);
        return id;
    }

    abstract void detached(RemoteFuture future);

    /** Waits until everything has ended and WRITEs are placed, or have failed, which is reported to the next who asks. */
    void awaitAll() {
        awaitAll(Backoff.FOREVER);
    }

    /** The same before a deadline; returns whether it is so. */
    boolean awaitAll(long deadline) {
        checkThread();
        if (!finishAll(deadline)) {
            return false;
        }
        count(begun, true);
        for (CompletionBarrier destination : destinations) {
            destination.toldUpTo(destination.lastPosted());
        }
        return true;
    }

    abstract boolean finishAll(long deadline);

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

    /** What {@link CompletionBarrier#tryAwait} promises, before a deadline. */
    abstract long await(CompletionBarrier barrier, long id, CompletionGrade grade, long deadline);

    /** The same without waiting; counts what is missing, if anything is. */
    abstract long poll(CompletionBarrier barrier, long id, CompletionGrade grade);

    /** Passes on what has arrived from a barrier's Memory Node, and notes what has ended. */
    abstract void look(CompletionBarrier barrier);

    /** Whether an operation is outstanding, as of the last look. */
    abstract boolean isAnyOutstanding(CompletionBarrier barrier);

    /** Whether the id that is armed is complete, or something up to it has failed, as of the last look. */
    abstract boolean isArmedOver(CompletionBarrier barrier);

    /** Throws if the Memory Node is lost or the run is over. */
    abstract void checkAlive(CompletionBarrier barrier);

    /** Throws for the first failure up to an id of which nobody has been told. */
    abstract void throwFailure(CompletionBarrier barrier, long upTo);

    // ------------------------------------------------------------------------------------------------ sleeping

    /** What {@link ComputeThread#awaitArmed} promises, before a deadline: null if it has passed. */
    @Nullable
    CompletionBarrier awaitArmed(long deadline) {
        return sleepUntil(deadline, false);
    }

    /** What {@link ComputeThread#awaitAny} promises, before a deadline: null if it has passed. */
    @Nullable
    CompletionBarrier awaitAny(long deadline) {
        return sleepUntil(deadline, true);
    }

    /**
     * No wake-up is lost: before it sleeps, the thread looks once more after it has said what it sleeps for, and whoever
     * passes a completion on first notes it and then reads that. What wakes the thread in between ends its next sleep.
     */
    private @Nullable CompletionBarrier sleepUntil(long deadline, boolean any) {
        checkThread();
        boolean watched = false;
        try {
            while (true) {
                woken = false;
                CompletionBarrier found = any ? findUntold() : findArmed();
                if (found != null) {
                    return found;
                }
                long nanos = deadline == Backoff.FOREVER ? LOOK_NANOS : deadline - environment.nanoTime();
                if (nanos <= 0) {
                    return null;
                }
                if (watched) {
                    sleep(Math.min(nanos, needsRoom() ? LOOK_FOR_ROOM_NANOS : LOOK_NANOS));
                } else {
                    beSleeper(any);
                    watched = true;
                }
            }
        } finally {
            if (watched) {
                awaitsAny = false;
                watch.end();
            }
        }
    }

    private void beSleeper(boolean any) {
        if (self == null) {
            self = environment.self();
        }
        awaitsAny = any;
        watch.begin();
    }

    private void sleep(long nanos) {
        environment.sleep(nanos);
        Environment.Task me = self;
        if (woken) {
            metrics.wakeUps++;
        } else if (me != null && me.isInterrupted()) {
            throw new FabricException("interrupted while waiting");
        }
    }

    private @Nullable CompletionBarrier findArmed() {
        boolean any = false;
        for (CompletionBarrier barrier : destinations) {
            if (barrier.armed() != 0) {
                any = true;
                look(barrier);
                if (isArmedOver(barrier)) {
                    barrier.disarm();
                    return barrier;
                }
                checkAlive(barrier);
            }
        }
        if (!any) {
            throw new IllegalStateException(
                    "no id is armed: CompletionBarrier.poll arms one if the operations up to it are "
                            + "not complete yet; awaitAny needs none");
        }
        return null;
    }

    private @Nullable CompletionBarrier findUntold() {
        boolean outstanding = false;
        for (int i = 0; i < destinations.length; i++) {
            CompletionBarrier barrier = destinations[(firstToReport + i) % destinations.length];
            look(barrier);
            if (barrier.report()) {
                firstToReport = (firstToReport + i + 1) % destinations.length;
                return barrier;
            }
            if (isAnyOutstanding(barrier)) {
                outstanding = true;
                checkAlive(barrier);
            }
        }
        if (!outstanding) {
            throw new IllegalStateException(
                    ct + " has no asynchronous operation outstanding, and has been told of all that"
                            + " have completed: no completion will come");
        }
        return null;
    }

    private boolean needsRoom() {
        boolean needs = false;
        for (CompletionBarrier barrier : destinations) {
            needs |= barrier.armed() != 0 && barrier.lacksReadBacks();
        }
        return needs;
    }

    /** One of the thread's operations has ended. Called by any thread. */
    void ended() {
        if (awaitsAny) {
            wake();
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
