// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.fabric.Environment;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.RemoteSequence;
import dev.remus.memory.RdmaPtr;
import org.jspecify.annotations.Nullable;

/**
 * Executes a thread's asynchronous operations. It limits their number, assigns their ids, and counts waits. Subclasses
 * post and await them. Created when a thread posts its first one.
 */
abstract class AsyncEngine implements RemoteFuture.Awaiter {
    /** How often a sleeping thread checks whether what it waits for can still happen. */
    private static final long LOOK_NANOS = 200_000_000;

    /** The same while a request waits for room on a lane, which no completion of its own announces. */
    private static final long LOOK_FOR_ROOM_NANOS = 1_000_000;

    private static final int MIN_UNREPORTED = 64;

    private final ThreadOwner owner;
    private final Environment environment;
    private final CompletionWatch watch;
    private final ThreadMetrics metrics;
    private final Sleeper sleeper;
    private final int firstNode;
    private final int maxOutstanding;

    /** By Memory Node. */
    final Destination[] destinations;

    final FuturePool pool;

    /**
     * The number of operations begun: in all, when the last wait began, and when the last wait that placed WRITEs
     * began.
     */
    private long begun;

    private long waitedFor;
    private long placed;

    /** The number of the last operation that ends with a WRITE. */
    private long lastWrite;

    /** The destination to report first. */
    private int firstToReport;

    /** @param watch passes completions on while this thread sleeps */
    AsyncEngine(
            ThreadOwner owner,
            ClusterConfig config,
            ThreadMetrics metrics,
            Environment environment,
            CompletionWatch watch) {
        this.owner = owner;
        this.environment = environment;
        this.watch = watch;
        this.metrics = metrics;
        this.sleeper = new Sleeper(owner, environment, metrics);
        this.firstNode = config.firstMemoryNode();
        this.maxOutstanding = config.opsPerThread();
        this.pool = new FuturePool(this, sleeper, maxOutstanding);
        this.destinations = new Destination[config.memoryNodes()];
        for (int i = 0; i < destinations.length; i++) {
            int size = Math.max(MIN_UNREPORTED, Integer.highestOneBit(maxOutstanding) * 2);
            destinations[i] = new Destination(i, firstNode + i, sleeper, size);
        }
    }

    @Override
    public void checkThread() {
        owner.check();
    }

    Destination destination(int memoryNode) {
        int i = memoryNode - firstNode;
        if (i < 0 || i >= destinations.length) {
            throw new IllegalArgumentException("there is no Memory Node " + memoryNode + ", only " + firstNode + " to "
                    + (firstNode + destinations.length - 1));
        }
        return destinations[i];
    }

    /** A future for an operation at a pointer that has been checked. */
    RemoteFuture begin(long pointer) {
        Destination to = destinations[RdmaPtr.node(pointer) - firstNode];
        if (pool.isExhausted() && !makeRoom()) {
            throw new IllegalStateException(owner + " has " + maxOutstanding
                    + " asynchronous operations that were not awaited: await some, or raise "
                    + ClusterSettings.OPS_PER_THREAD.names());
        }
        awaitRoom(to);
        RemoteFuture future = pool.take();
        future.id = to.nextId();
        future.post(to, ++begun);
        return future;
    }

    /** Waits until a detached operation has ended; false if there is none. */
    abstract boolean makeRoom();

    /** Waits until the destination has room for another id. */
    abstract void awaitRoom(Destination to);

    /** Records whether an operation ends with a WRITE, which must be placed. */
    void setWrites(RemoteFuture future, boolean writes) {
        future.writes = writes;
        lastWrite = writes ? future.number : lastWrite;
    }

    /** Implements {@link AsyncOperations#gather}. */
    void gather() {
        // Nothing to do if operations are executed at once.
    }

    // Each method posts an operation for a future that was begun. If it throws, the future is free again.

    abstract void read(RemoteFuture future, long pointer);

    abstract void write(RemoteFuture future, long pointer, long value);

    abstract void compareAndSwap(RemoteFuture future, long pointer, long expected, long desired);

    abstract void fetchAndAdd(RemoteFuture future, long pointer, long delta);

    abstract void read(RemoteFuture future, long pointer, LocalBuffer to, long toOffset, int length);

    abstract void write(RemoteFuture future, long pointer, LocalBuffer from, long fromOffset, int length);

    abstract void execute(RemoteFuture future, long pointer, RemoteSequence sequence);

    // ------------------------------------------------------------------------------------------------ waiting

    /** The end of a wait of so many nanoseconds that begins now. */
    long deadline(long nanos) {
        long now = environment.nanoTime();
        long deadline = now + Math.max(0, nanos);
        return deadline < now ? Backoff.FOREVER : deadline;
    }

    @Override
    public long await(RemoteFuture future) {
        count(future.number, future.writes);
        awaitEnd(future, Backoff.FOREVER);
        return take(future);
    }

    @Override
    public boolean tryAwait(RemoteFuture future, long nanos) {
        if (!awaitEnd(future, deadline(nanos))) {
            return false;
        }
        count(future.number, future.writes);
        future.destination().unreported().reported(future.id);
        return true;
    }

    /**
     * Waits until an operation has ended and is placed; returns false if the deadline passes before. If the operation
     * can never end, because its Memory Node is lost, releases the future and throws.
     */
    abstract boolean awaitEnd(RemoteFuture future, long deadline);

    /** The result of an operation that has ended and whose future is released. */
    abstract long take(RemoteFuture future);

    @Override
    public boolean isDone(RemoteFuture future) {
        boolean ended = lookAt(future);
        if (ended) {
            future.destination().unreported().reported(future.id);
        }
        return ended;
    }

    /** Whether an operation has ended. */
    abstract boolean lookAt(RemoteFuture future);

    @Override
    public long detach(RemoteFuture future) {
        long id = future.id;
        future.detached = true;
        detached(future);
        return id;
    }

    abstract void detached(RemoteFuture future);

    /**
     * Waits until all operations have ended and their WRITEs are placed; returns false if the deadline passes before.
     * The next call that asks for a result reports failures.
     */
    boolean awaitAll(long deadline) {
        checkThread();
        if (!finishAll(deadline)) {
            return false;
        }
        count(begun, true);
        for (Destination destination : destinations) {
            destination.unreported().reportedUpTo(destination.lastPosted());
        }
        return true;
    }

    abstract boolean finishAll(long deadline);

    /**
     * To be called when all operations have ended.
     *
     * @throws dev.remus.fabric.FabricException if an operation has failed, and its failure was not reported
     */
    void throwFailure() {
        for (Destination destination : destinations) {
            throwFailure(destination, destination.lastPosted());
        }
    }

    /** A wait counts as a round trip if it is for an operation that was posted after the last wait had begun. */
    void count(long number, boolean place) {
        if (number > waitedFor || place && Math.min(number, lastWrite) > placed) {
            metrics.asynchronousWaits++;
            waitedFor = begun;
            placed = place ? begun : placed;
        }
    }

    /** The same for a wait for an id of one destination. */
    void count(Destination destination, long id, CompletionGrade grade) {
        if (destination.beginsWait(id, grade)) {
            count(begun, grade == CompletionGrade.REMOTE);
        }
    }

    // ------------------------------------------------------------------------------------------------ by destination

    /** The largest id up to which all operations are complete. */
    abstract long completed(Destination destination, CompletionGrade grade);

    /** Implements {@link CompletionBarrier#tryAwait}, before a deadline. */
    abstract long await(Destination destination, long id, CompletionGrade grade, long deadline);

    /** The same without waiting. Counts the missing completions, if there are any. */
    abstract long poll(Destination destination, long id, CompletionGrade grade);

    /** Passes on the completions of a Memory Node, and records the operations that have ended. */
    abstract void look(Destination destination);

    /** Whether an operation is outstanding, as of the last poll. */
    abstract boolean isAnyOutstanding(Destination destination);

    /** Whether the armed id is complete, or an operation up to it has failed, as of the last poll. */
    abstract boolean isArmedOver(Destination destination);

    /** Throws if the Memory Node is lost or the run is over. */
    abstract void checkAlive(Destination destination);

    /** Throws for the first unreported failure up to an id. */
    abstract void throwFailure(Destination destination, long upTo);

    // ------------------------------------------------------------------------------------------------ sleeping

    /** Implements {@link AsyncOperations#awaitArmed}, before a deadline: null if it has passed. */
    @Nullable
    Destination awaitArmed(long deadline) {
        return sleepUntil(deadline, false);
    }

    /** Implements {@link AsyncOperations#awaitAny}, before a deadline: null if it has passed. */
    @Nullable
    Destination awaitAny(long deadline) {
        return sleepUntil(deadline, true);
    }

    private @Nullable Destination sleepUntil(long deadline, boolean any) {
        checkThread();
        boolean watched = false;
        try {
            while (true) {
                sleeper.lookAgain();
                Destination found = any ? findUnreported() : findArmed();
                if (found != null) {
                    return found;
                }
                long nanos = deadline == Backoff.FOREVER ? LOOK_NANOS : deadline - environment.nanoTime();
                if (nanos <= 0) {
                    return null;
                }
                if (watched) {
                    sleeper.sleep(Math.min(nanos, needsRoom() ? LOOK_FOR_ROOM_NANOS : LOOK_NANOS));
                } else {
                    sleeper.begin(any);
                    watch.begin();
                    watched = true;
                }
            }
        } finally {
            sleeper.end();
            if (watched) {
                watch.end();
            }
        }
    }

    private @Nullable Destination findArmed() {
        boolean any = false;
        for (Destination destination : destinations) {
            if (destination.armed() != 0) {
                any = true;
                look(destination);
                if (isArmedOver(destination)) {
                    count(destination, destination.armed(), destination.armedGrade());
                    destination.disarm();
                    return destination;
                }
                checkAlive(destination);
            }
        }
        if (!any) {
            throw new IllegalStateException(
                    "no id is armed: CompletionBarrier.poll arms one if the operations up to it are "
                            + "not complete yet; awaitAny needs none");
        }
        return null;
    }

    private @Nullable Destination findUnreported() {
        boolean outstanding = false;
        for (int i = 0; i < destinations.length; i++) {
            Destination destination = destinations[(firstToReport + i) % destinations.length];
            look(destination);
            if (report(destination)) {
                firstToReport = (firstToReport + i + 1) % destinations.length;
                return destination;
            }
            if (isAnyOutstanding(destination)) {
                outstanding = true;
                checkAlive(destination);
            }
        }
        if (!outstanding) {
            throw new IllegalStateException(owner + " has no asynchronous operation outstanding, and all completions"
                    + " were reported: no completion will come");
        }
        return null;
    }

    /** Whether an operation has ended whose end was not reported. Its end is reported now. */
    private boolean report(Destination destination) {
        UnreportedCompletions unreported = destination.unreported();
        if (!unreported.isAny()) {
            return false;
        }
        count(destination, unreported.newest(), CompletionGrade.LOCAL);
        unreported.reportedAll();
        return true;
    }

    private boolean needsRoom() {
        boolean needs = false;
        for (Destination destination : destinations) {
            needs |= destination.armed() != 0 && destination.lacksReadBacks();
        }
        return needs;
    }
}
