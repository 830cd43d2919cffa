package dev.remus.node;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * One Memory Node, as one thread's asynchronous operations see it: their ids, which completions the thread has not been
 * told of, and the id whose completion is to wake it.
 */
final class Destination {
    /** More than the operations that can be outstanding. */
    private static final int NOT_COUNTED_YET = 1 << 20;

    private final int index;
    private final int memoryNode;
    private final Sleeper sleeper;
    private final UnreportedCompletions unreported;
    private long lastPosted;

    /** The last id when a wait began, by grade. */
    private final long[] waitedFor = new long[CompletionGrade.values().length];

    /** What to report once, 0 if nothing. */
    private long armed;

    private CompletionGrade armedGrade = CompletionGrade.LOCAL;

    /** Whether the armed id also waits for READs that could not be posted yet, for want of room. */
    private boolean lacksReadBacks;

    /** How many completions are missing until the armed id may be complete. */
    private final AtomicInteger missing = new AtomicInteger();

    /**
     * Makes one.
     *
     * @param index the Memory Node's number among those of the cluster, from 0
     * @param memoryNode its id
     * @param sleeper the thread
     * @param size of how many operations at least it is remembered whether their end was reported
     */
    Destination(int index, int memoryNode, Sleeper sleeper, int size) {
        this.index = index;
        this.memoryNode = memoryNode;
        this.sleeper = sleeper;
        this.unreported = new UnreportedCompletions(size);
    }

    int index() {
        return index;
    }

    int memoryNode() {
        return memoryNode;
    }

    /** The id of the operation that was posted last, 0 if there was none. */
    long lastPosted() {
        return lastPosted;
    }

    long nextId() {
        return ++lastPosted;
    }

    /** Notes a wait for an id; returns whether it is for something that was posted after the one before had begun. */
    boolean beginsWait(long id, CompletionGrade grade) {
        if (id <= waitedFor[grade.ordinal()]) {
            return false;
        }
        waitedFor[grade.ordinal()] = lastPosted;
        return true;
    }

    UnreportedCompletions unreported() {
        return unreported;
    }

    // ------------------------------------------------------------------------------------------------ arming

    void arm(long id, CompletionGrade grade) {
        armed = id;
        armedGrade = grade;
    }

    void disarm() {
        armed = 0;
    }

    long armed() {
        return armed;
    }

    CompletionGrade armedGrade() {
        return armedGrade;
    }

    void lackReadBacks(boolean lacks) {
        lacksReadBacks = lacks;
    }

    boolean lacksReadBacks() {
        return lacksReadBacks;
    }

    // Counting what is missing. Completions may arrive while the thread still counts, so it begins far above.

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
            sleeper.wake();
        }
    }

    /** Whether all that was counted has ended; whether the id is complete is to be looked at. */
    boolean mayBeComplete() {
        return missing.get() <= 0;
    }

    @Override
    public String toString() {
        return "Memory Node " + memoryNode;
    }
}
