package dev.remus.node;

import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.LocalBuffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * An asynchronous operation that was posted and has to be awaited.
 *
 * <pre>{@code
 * RemoteFuture left = ct.async().read(leftPointer);
 * RemoteFuture right = ct.async().read(rightPointer);   // both are on their way
 * long sum = left.await() + right.await();           // one round trip
 * }</pre>
 *
 * <p>{@link #await} promises what the blocking call of the same name does, and may be called once: then the object goes
 * back to its thread, which uses it for a later operation. Do not keep a future that was awaited or {@linkplain #detach
 * detached}. No method allocates.
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

    // States. ENDED is followed by one for each status.
    private static final int IDLE = 0;
    private static final int POSTED = 1;
    /** Outstanding, and its destination counts down when it ends. */
    private static final int ARMED = 2;

    private static final int ENDED = 3;

    /** What a future needs of the engine that executes its operation. */
    interface Awaiter {
        /** Checks that its thread calls, before the end. */
        void checkThread();

        /** What {@link RemoteFuture#await} promises. */
        long await(RemoteFuture future);

        /** What {@link RemoteFuture#tryAwait} promises. */
        boolean tryAwait(RemoteFuture future, long nanos);

        /** What {@link RemoteFuture#isDone} promises. */
        boolean isDone(RemoteFuture future);

        /** What {@link RemoteFuture#detach} promises. */
        long detach(RemoteFuture future);
    }

    private final Awaiter awaiter;
    private final Sleeper sleeper;

    /** Its number among those of its thread. */
    final int slot;

    private volatile int state;

    /**
     * How often it has been used: tells a late completion of an operation that was given up from that of the next one.
     */
    int generation;

    /** See {@link #hold}. */
    private @Nullable LocalBuffer word;

    private long wordOffset;

    /** Where the operation goes. */
    private @Nullable Destination destination;

    int lane;

    /** Counts up with each operation to that destination. */
    long id;

    /** Counts up with each operation of the thread; 0 for what the framework posts for itself. */
    long number;

    /** Whether it ends with a WRITE, which a completion alone does not place. */
    boolean writes;

    boolean returnsWord;
    boolean detached;

    /** Its wait was given up, so that late results may still arrive in {@link #word}. */
    boolean givenUp;

    /** The result on a fabric that executes at once. */
    long result;

    /**
     * Makes one.
     *
     * @param sleeper its thread
     * @param slot its number among those of its thread
     */
    RemoteFuture(Awaiter awaiter, Sleeper sleeper, int slot) {
        this.awaiter = awaiter;
        this.sleeper = sleeper;
        this.slot = slot;
    }

    /** The Memory Node that the operation goes to. */
    public int memoryNode() {
        return checkTaken().destination().memoryNode();
    }

    /**
     * The operation's id: counts up with each of this thread's asynchronous operations to the same Memory Node, from 1.
     */
    public long id() {
        return checkTaken().id;
    }

    /**
     * Returns when the operation has been executed, and its WRITEs are placed. One round trip for all operations that
     * were posted before a wait began, since they travel together.
     *
     * @return the word, if one was to be read; the old one, if one was to be changed; else 0
     * @throws dev.remus.fabric.FabricException if it failed: names the Memory Node, the lane and the operation's id;
     *     the outcome is unknown
     * @throws dev.remus.fabric.NodeLostException if its Memory Node is lost, or the run is over
     * @throws IllegalStateException if it was awaited or detached before, or by another thread than the one that posted
     *     it
     */
    public long await() {
        return awaiter.await(checkTaken());
    }

    /**
     * Waits as {@link #await} does, but not for longer than a limit, and keeps the future. After {@code true},
     * {@code await} still has to be called, and does not wait. After {@code false}, both may be called again: nothing
     * is lost, and the operation counts once.
     *
     * @param nanos how long to wait; 0 or less looks once
     * @return whether the operation has ended, well or not, and its WRITEs are placed; false if that is not so yet
     * @throws dev.remus.fabric.NodeLostException if its Memory Node is lost, or the run is over
     * @throws IllegalStateException as {@link #await}
     */
    public boolean tryAwait(long nanos) {
        return awaiter.tryAwait(checkTaken(), nanos);
    }

    /**
     * Whether the operation has completed: {@link #await} then hardly waits, not at all unless it ends with a WRITE,
     * which may still have to be placed. Looks once, and never waits.
     *
     * @throws IllegalStateException as {@link #await}
     */
    public boolean isDone() {
        return awaiter.isDone(checkTaken());
    }

    /**
     * Declares that nobody will await it. It completes all the same: its local memory is in use until a {@link
     * CompletionBarrier} or {@link ComputeThread#place} shows that the operation is complete. They also report its
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
                    "this future was awaited or detached already: each is good for one of them, "
                            + "and then for the next operation");
        }
        return this;
    }

    // ------------------------------------------------------------------------------------------------ inside

    /** Where the result of a READ of one word or of an atomic arrives, or where the word that is written comes from. */
    void hold(LocalBuffer memory, long offset) {
        word = memory;
        wordOffset = offset;
    }

    LocalBuffer word() {
        assert word != null : "made by a fabric that executes at once";
        return word;
    }

    long wordOffset() {
        return wordOffset;
    }

    /** Of an operation that was posted. */
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

    /** For a fabric that executes at once. */
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

    /** May be called by any thread; the first call decides. */
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

    /** Lets its destination count down at its end; false if it has ended. */
    boolean arm() {
        return state == ARMED || STATE.compareAndSet(this, POSTED, ARMED);
    }

    /** Its end is not counted any more. */
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
