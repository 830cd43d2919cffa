// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * One Memory Node as the target of one thread's asynchronous operations: their ids, the completions that were not
 * reported to the thread, and the id whose completion wakes it.
 */
final class Destination {
    /** Larger than the number of operations that can be outstanding. */
    private static final int NOT_COUNTED_YET = 1 << 20;

    private final int index;
    private final int memoryNode;
    private final Sleeper sleeper;
    private final UnreportedCompletions unreported;
    private long lastPosted;

    /** The last id when a wait began, by grade. */
    private final long[] waitedFor = new long[CompletionGrade.values().length];

    /** The id to report once, 0 if there is none. */
    private long armed;

    private CompletionGrade armedGrade = CompletionGrade.LOCAL;

    /** Whether the armed id also waits for READs that could not be posted yet, because there was no room. */
    private boolean lacksReadBacks;

    /** The number of completions that are missing until the armed id may be complete. */
    private final AtomicInteger missing = new AtomicInteger();

    /**
     * Creates a destination.
     *
     * @param index the Memory Node's number among those of the cluster, from 0
     * @param memoryNode its id
     * @param sleeper the thread's sleeper
     * @param size the minimum number of operations for which the state of their reports is kept
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

    /** The id of the last operation posted, 0 if there was none. */
    long lastPosted() {
        return lastPosted;
    }

    long nextId() {
        return ++lastPosted;
    }

    /** Records a wait for an id; returns whether the id was posted after the last wait had begun. */
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

    // Counting missing completions. Some may arrive while the thread still counts, so the count begins far above 0.

    void beginCounting() {
        missing.set(NOT_COUNTED_YET);
    }

    /** Whether nothing was missing. */
    boolean endCounting(int outstanding) {
        return missing.addAndGet(outstanding - NOT_COUNTED_YET) <= 0;
    }

    /** Counts the end of one operation. Called by any thread. */
    void oneLess() {
        if (missing.decrementAndGet() <= 0) {
            sleeper.wake();
        }
    }

    /** Whether all counted operations have ended. The caller then checks whether the id is complete. */
    boolean mayBeComplete() {
        return missing.get() <= 0;
    }

    @Override
    public String toString() {
        return "Memory Node " + memoryNode;
    }
}
