// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.LocalBuffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * An asynchronous operation that was posted and is to be awaited.
 *
 * <pre>{@code
 * RemoteFuture left = ct.async().read(leftPointer);
 * RemoteFuture right = ct.async().read(rightPointer);   // both are in flight
 * long sum = left.await() + right.await();           // one round trip
 * }</pre>
 *
 * <p>{@link #await} guarantees what the blocking call of the same name does, and may be called once. Then the object
 * returns to its thread, which reuses it for a later operation. Do not keep a future that was awaited or {@linkplain
 * #detach detached}. No method allocates.
 *
 * <p>Belongs to the Compute Thread that posted the operation.
 */
public final class RemoteFuture {
    private static final CompletionStatus[] STATUSES = CompletionStatus.values();
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(RemoteFuture.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // States. ENDED is followed by one state for each status.
    private static final int IDLE = 0;
    private static final int POSTED = 1;
    /** Outstanding, and its end counts the destination down. */
    private static final int ARMED = 2;

    private static final int ENDED = 3;

    /** The methods of the engine that a future needs. */
    interface Awaiter {
        /** Checks that the owner calls, and has not closed its Compute Thread. */
        void checkThread();

        /** Implements {@link RemoteFuture#await}. */
        long await(RemoteFuture future);

        /** Implements {@link RemoteFuture#tryAwait}. */
        boolean tryAwait(RemoteFuture future, long nanos);

        /** Implements {@link RemoteFuture#isDone}. */
        boolean isDone(RemoteFuture future);

        /** Implements {@link RemoteFuture#detach}. */
        long detach(RemoteFuture future);
    }

    private final Awaiter awaiter;
    private final Sleeper sleeper;

    /** Its number among the futures of its thread. */
    final int slot;

    private volatile int state;

    /**
     * How often it has been used. Distinguishes a late completion of an abandoned operation from that of the next one.
     */
    int generation;

    /** See {@link #hold}. */
    private @Nullable LocalBuffer word;

    private long wordOffset;

    /** The Memory Node of the operation. */
    private @Nullable Destination destination;

    int lane;

    /** Increases with each operation to that destination. */
    long id;

    /** Increases with each operation of the thread; 0 for the framework's own operations. */
    long number;

    /** Whether it ends with a WRITE, which a completion alone does not place. */
    boolean writes;

    boolean returnsWord;
    boolean detached;

    /** Whether its wait was given up, so that late results may still arrive in {@link #word}. */
    boolean givenUp;

    /** The result, on a fabric that executes operations at once. */
    long result;

    /**
     * Makes one.
     *
     * @param sleeper its thread
     * @param slot its number among the futures of its thread
     */
    RemoteFuture(Awaiter awaiter, Sleeper sleeper, int slot) {
        this.awaiter = awaiter;
        this.sleeper = sleeper;
        this.slot = slot;
    }

    /** The Memory Node of the operation. */
    public int memoryNode() {
        return checkTaken().destination().memoryNode();
    }

    /**
     * The operation's id. It increases with each of this thread's asynchronous operations to the same Memory Node, from
     * 1.
     */
    public long id() {
        return checkTaken().id;
    }

    /**
     * Returns when the operation has been executed, and its WRITEs are placed. All operations that were posted before a
     * wait began share one round trip.
     *
     * @return the word for a READ of a word, the old word for an atomic, else 0
     * @throws dev.remus.fabric.FabricException if it failed; names the Memory Node, the lane and the operation's id.
     *     The outcome is unknown
     * @throws dev.remus.fabric.NodeLostException if its Memory Node is lost, or the run is over
     * @throws IllegalStateException if it was awaited or detached before, or another thread has posted it
     */
    public long await() {
        return awaiter.await(checkTaken());
    }

    /**
     * Waits as {@link #await} does, but not for longer than a limit, and keeps the future. After {@code true}, {@code
     * await} must still be called, and does not wait. After {@code false}, both may be called again: nothing is lost,
     * and the operation counts once.
     *
     * @param nanos how long to wait; 0 or less polls once
     * @return whether the operation has ended, successfully or not, and its WRITEs are placed
     * @throws dev.remus.fabric.NodeLostException if its Memory Node is lost, or the run is over
     * @throws IllegalStateException as {@link #await}
     */
    public boolean tryAwait(long nanos) {
        return awaiter.tryAwait(checkTaken(), nanos);
    }

    /**
     * Whether the operation has completed. {@link #await} then does not wait, unless the operation ends with a WRITE
     * that is not placed yet. Polls once, and never waits.
     *
     * @throws IllegalStateException as {@link #await}
     */
    public boolean isDone() {
        return awaiter.isDone(checkTaken());
    }

    /**
     * Declares that nobody will await it. It completes all the same. Its local memory is in use until a {@link
     * CompletionBarrier} or {@link ComputeThread#place} reports that the operation is complete. They also report its
     * failure.
     *
     * @return the operation's id
     * @throws IllegalStateException as {@link #await}
     */
    public long detach() {
        return awaiter.detach(checkTaken());
    }

    private RemoteFuture checkTaken() {
        awaiter.checkThread();
        if (state == IDLE || detached) {
            throw new IllegalStateException(
                    "this future was awaited or detached already: each allows one of these calls, "
                            + "and is then reused");
        }
        return this;
    }

    // ------------------------------------------------------------------------------------------------ inside

    /** Sets the memory for the result of a one-word READ or an atomic, or for the word to be written. */
    void hold(LocalBuffer memory, long offset) {
        word = memory;
        wordOffset = offset;
    }

    LocalBuffer word() {
        assert word != null : "a fabric that executes at once has none";
        return word;
    }

    long wordOffset() {
        return wordOffset;
    }

    /** The destination of an operation that was posted. */
    Destination destination() {
        assert destination != null : "never posted";
        return destination;
    }

    void post(Destination to, long itsNumber) {
        destination = to;
        number = itsNumber;
        detached = false;
        STATE.setRelease(this, POSTED);
    }

    /** Sets the result, on a fabric that executes operations at once. */
    void executed(long value) {
        result = value;
        STATE.setRelease(this, ENDED + CompletionStatus.SUCCESS.ordinal());
    }

    boolean isIdle() {
        return state == IDLE;
    }

    boolean isEnded() {
        return state >= ENDED;
    }

    CompletionStatus status() {
        return STATUSES[state - ENDED];
    }

    /** Ends the operation. May be called by any thread; the first call decides. */
    void end(CompletionStatus how) {
        while (true) {
            int now = state;
            if (now != POSTED && now != ARMED) {
                return;
            }
            Destination to = destination();
            boolean isOfTheFramework = number == 0;
            if (STATE.compareAndSet(this, now, ENDED + how.ordinal())) {
                if (now == ARMED) {
                    to.oneLess();
                }
                if (!isOfTheFramework) {
                    sleeper.ended();
                }
                return;
            }
        }
    }

    /** Makes its end count the destination down; false if it has ended. */
    boolean arm() {
        return state == ARMED || STATE.compareAndSet(this, POSTED, ARMED);
    }

    /** Undoes {@link #arm}. */
    void disarm() {
        STATE.compareAndSet(this, ARMED, POSTED);
    }

    void idle() {
        generation++;
        STATE.setRelease(this, IDLE);
    }

    @Override
    public String toString() {
        return state == IDLE
                ? "no operation"
                : "operation " + id + " to Memory Node " + destination().memoryNode();
    }
}
