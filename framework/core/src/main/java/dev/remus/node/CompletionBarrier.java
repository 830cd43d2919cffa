package dev.remus.node;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Reports up to which id a thread's asynchronous operations to one Memory Node are complete, where futures report them one by
 * one. It has nothing to do with {@link ComputeThread#barrier}, at which threads meet.
 *
 * <pre>{@code
 * CompletionBarrier barrier = ct.completionBarrier(memoryNode);
 * long last = 0;
 * for (int i = 0; i < 10; i++) {
 *     last = ct.writeAsync(block + 64 * i, local, 64 * i, 64).detach();
 * }
 * if (barrier.poll(last, CompletionGrade.LOCAL) < last) {   // not yet
 *     ct.awaitArmed();                                      // one wake-up for all ten
 * }
 * }</pre>
 *
 * <p>Operations to one Memory Node have increasing ids, whatever lanes they are posted on. No answer implies anything about
 * another Memory Node. An operation that failed does not count as complete until its failure has been reported: by a call
 * here that covers its id, in an exception that names it, or by its future.
 *
 * <p>To learn of each completion instead of the last, arm nothing and sleep in {@link ComputeThread#awaitAny}.
 *
 * <p>After the barriers of Reliable Datagram Sockets (R. Frank, "So what is an RDS barrier good for?", rds-devel, 2007).
 * Belongs to its Compute Thread; no method allocates.
 */
public final class CompletionBarrier {
    /** More than the operations that can be outstanding. */
    private static final int NOT_COUNTED_YET = 1 << 20;

    private final AsyncOperations operations;
    private final int memoryNode;

    /** What is not complete; null on a fabric on which everything is. */
    private @Nullable OpenOperations open;

    private long lastPosted;

    private final UntoldCompletions untold;

    /** The last id when a wait here began, by grade. */
    private final long[] waitedFor = new long[CompletionGrade.values().length];

    /** What to report once, 0 if nothing. */
    private long armed;

    private CompletionGrade armedGrade = CompletionGrade.LOCAL;

    /** Whether the armed id also waits for READs that could not be posted yet, for want of room. */
    private boolean lacksReadBacks;

    /** How many completions are missing until the armed id may be complete. */
    private final AtomicInteger missing = new AtomicInteger();

    /** @param size of how many operations at least it is remembered whether the thread has been told of their end */
    CompletionBarrier(AsyncOperations operations, int memoryNode, int size) {
        this.operations = operations;
        this.memoryNode = memoryNode;
        this.untold = new UntoldCompletions(size);
    }

    /** The Memory Node whose operations this is about. */
    public int memoryNode() {
        return memoryNode;
    }

    /** The id of the operation that this thread posted last to that Memory Node, 0 if there was none. */
    public long lastPosted() {
        return lastPosted;
    }

    /**
     * The largest id with which all operations up to it are complete, over all lanes; 0 if there is none. Returns at once,
     * as {@link #await} does for id 0.
     *
     * @throws IllegalStateException if another thread calls it, or after its Compute Thread was closed
     */
    public long completed(CompletionGrade grade) {
        operations.checkThread();
        return operations.completed(this, grade);
    }

    /**
     * Returns when all operations up to an id are complete. One round trip, unless they are.
     *
     * @param id of an operation that was posted; 0 to wait for nothing
     * @return the largest id with which all operations up to it are complete
     * @throws IllegalArgumentException if there is no such operation
     * @throws dev.remus.fabric.FabricException if one of them has failed: names its id. Each is reported once
     * @throws dev.remus.fabric.NodeLostException if the Memory Node is lost, or the run is over
     * @throws IllegalStateException as {@link #completed}
     */
    public long await(long id, CompletionGrade grade) {
        check(id);
        count(id, grade);
        long completed = awaitUntil(Backoff.FOREVER, id, grade);
        toldUpTo(id);
        return completed;
    }

    /**
     * Waits as {@link #await} does, but not for longer than a limit. An answer below the id means "not yet", and the call may be
     * repeated: nothing is lost, and the wait counts once. It arms nothing.
     *
     * @param nanos how long to wait; 0 or less looks once
     * @return the largest id with which all operations up to it are complete
     * @throws IllegalArgumentException as {@link #await}
     * @throws dev.remus.fabric.FabricException as {@link #await}
     * @throws dev.remus.fabric.NodeLostException as {@link #await}
     * @throws IllegalStateException as {@link #completed}
     */
    public long tryAwait(long id, CompletionGrade grade, long nanos) {
        check(id);
        long completed = awaitUntil(operations.deadline(nanos), id, grade);
        if (completed >= id) {
            count(id, grade);
        }
        return completed;
    }

    private long awaitUntil(long deadline, long id, CompletionGrade grade) {
        return id == 0 ? operations.completed(this, grade) : operations.await(this, id, grade, deadline);
    }

    /**
     * Returns at once whether all operations up to an id are complete. An answer below the id means "not yet",
     * and arms the id: the next {@link ComputeThread#awaitArmed} reports this barrier
     * once, when they all are or one has failed. An id that was armed before is forgotten.
     *
     * @return the largest id with which all operations up to it are complete
     * @throws IllegalArgumentException as {@link #await}
     * @throws dev.remus.fabric.FabricException as {@link #await}
     * @throws IllegalStateException as {@link #completed}
     */
    public long poll(long id, CompletionGrade grade) {
        check(id);
        armed = 0;
        long completed = operations.poll(this, id, grade);
        if (completed < id) {
            armed = id;
            armedGrade = grade;
        }
        return completed;
    }

    private void check(long id) {
        operations.checkThread();
        if (id < 0 || id > lastPosted) {
            throw new IllegalArgumentException("a completion barrier on operation " + id + " to Memory Node "
                    + memoryNode + ": this thread has posted "
                    + (lastPosted == 0 ? "none there" : "1 to " + lastPosted + " there"));
        }
    }

    // ------------------------------------------------------------------------------------------------ inside

    long nextId() {
        return ++lastPosted;
    }

    void track(OpenOperations operationsThere) {
        open = operationsThere;
    }

    /** Not on a fabric on which everything is complete. */
    OpenOperations open() {
        assert open != null : "made by a fabric that executes at once";
        return open;
    }

    private void count(long id, CompletionGrade grade) {
        if (id > waitedFor[grade.ordinal()]) {
            waitedFor[grade.ordinal()] = lastPosted;
            operations.count(operations.begun(), grade == CompletionGrade.REMOTE);
        }
    }

    void throwFailure() {
        if (open != null) {
            operations.throwFailure(this, lastPosted);
        }
    }

    long armed() {
        return armed;
    }

    CompletionGrade armedGrade() {
        return armedGrade;
    }

    /** It has been reported. */
    void disarm() {
        count(armed, armedGrade);
        armed = 0;
    }

    void lackReadBacks(boolean lacks) {
        lacksReadBacks = lacks;
    }

    boolean lacksReadBacks() {
        return lacksReadBacks;
    }

    // What the thread has been told.

    /** An operation has ended, and the thread is to be told. */
    void ended(long id) {
        untold.ended(id);
    }

    /** The thread is told that an operation has ended. */
    void toldOf(long id) {
        untold.told(id);
    }

    /** The thread is told that all operations up to an id are complete. */
    void toldUpTo(long id) {
        untold.toldUpTo(id);
    }

    /** Whether the thread is to be told of any that has ended; it then is. */
    boolean report() {
        if (!untold.isAny()) {
            return false;
        }
        count(untold.newest(), CompletionGrade.LOCAL);
        untold.toldOfAll();
        return true;
    }

    // Counting what is missing. Completions may come while the thread still counts, so that it begins far above.

    void beginCounting() {
        missing.set(NOT_COUNTED_YET);
    }

    /** Whether nothing was missing. */
    boolean endCounting(int outstanding) {
        return missing.addAndGet(outstanding - NOT_COUNTED_YET) <= 0;
    }

    /** An operation that was counted has ended. Called by any thread. */
    void oneLess() {
        if (missing.decrementAndGet() <= 0) {
            operations.wake();
        }
    }

    /** Whether all that was counted has ended; whether the id is complete is to be looked at. */
    boolean mayBeComplete() {
        return missing.get() <= 0;
    }

    @Override
    public String toString() {
        return "completion barrier to Memory Node " + memoryNode;
    }
}
