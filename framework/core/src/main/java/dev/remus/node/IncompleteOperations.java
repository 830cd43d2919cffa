// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.CompletionStatus;

/**
 * A thread's operations to one Memory Node that are not known to be complete, by id.
 *
 * <pre>
 *  ids   1 ........ remote ........ local ................ last
 *        | placed   | acknowledged  | some have ended,     |
 *        |          | or read       | some are outstanding |
 *                   |   a ring of entries: no more ids     |
 *                   |   than it has places                 |
 * </pre>
 *
 * <p>Lanes complete independently, so operations end in any order. Each of the two marks advances to the first
 * operation that has not. On one lane, a WRITE is placed once a READ or atomic behind it has completed, so an entry
 * records its operation's lane. A lane that breaks after it has acknowledged a WRITE may have lost it, so the entry
 * also records how often the lane had broken before.
 *
 * <p>Used by the thread that owns the operations.
 */
final class IncompleteOperations {
    private final FuturePool pool;
    private final SharedLane[] lanes;
    private final int mask;

    // By id, modulo the size.
    private final RemoteFuture[] future;
    private final int[] lane;
    private final boolean[] writes;
    private final int[] breaks;
    private final CompletionStatus[] failure;

    /**
     * By lane: the last WRITE, the id up to which WRITEs are placed, and the id up to which posted READs will place
     * them.
     */
    private final long[] lastWrite;

    private final long[] placed;
    private final long[] beingPlaced;

    private final RemoteFuture[] readBacks;
    private int reading;

    private long last;
    private long local;
    private long remote;

    private int failures;

    /** An unreported failure whose entry was needed; 0 if there is none. */
    private long oldFailure;

    private int oldFailureLane;
    private CompletionStatus oldFailureStatus = CompletionStatus.SUCCESS;

    /** @param size the maximum number of incomplete ids, a power of two */
    IncompleteOperations(FuturePool pool, SharedLane[] lanes, int size) {
        this.pool = pool;
        this.lanes = lanes;
        this.mask = size - 1;
        this.future = new RemoteFuture[size];
        this.lane = new int[size];
        this.writes = new boolean[size];
        this.breaks = new int[size];
        this.failure = new CompletionStatus[size];
        this.lastWrite = new long[lanes.length];
        this.placed = new long[lanes.length];
        this.beingPlaced = new long[lanes.length];
        this.readBacks = new RemoteFuture[pool.size()];
    }

    private int at(long id) {
        return (int) id & mask;
    }

    boolean isFull() {
        return last - remote > mask;
    }

    /** Adds an operation that is about to be posted. */
    void add(RemoteFuture f) {
        last = f.id;
        int i = at(last);
        if (failure[i] != null) {
            keepOldFailure(i);
        }
        future[i] = f;
        lane[i] = f.lane;
        writes[i] = f.writes;
        breaks[i] = lanes[f.lane].breaks();
        if (f.writes) {
            lastWrite[f.lane] = last;
        }
    }

    private void keepOldFailure(int i) {
        if (oldFailure == 0) {
            oldFailure = last - mask - 1;
            oldFailureLane = lane[i];
            oldFailureStatus = failure[i];
        } else {
            failures--; // one of several unreported failures
        }
        failure[i] = null;
    }

    // ------------------------------------------------------------------------------------------------ ended operations

    /** Records the operations that have ended. */
    void look() {
        lookAtReadBacks();
        for (long id = remote + 1; id <= last; id++) {
            RemoteFuture f = future[at(id)];
            if (f != null && f.isEnded()) {
                ended(f, true);
                if (f.detached) {
                    pool.release(f);
                }
            }
        }
        while (local < last && future[at(local + 1)] == null) {
            local++;
        }
        while (remote < local && !isUnplaced(remote + 1)) {
            remote++;
        }
    }

    /**
     * A future whose operation has ended is about to be returned to the thread. Its own exception reports a failure.
     */
    void awaited(RemoteFuture f) {
        if (holds(f)) {
            ended(f, false);
        }
        if (hasFailed(f.id)) {
            reported(f.id);
        }
        f.destination().unreported().reported(f.id);
    }

    /** A future's operation has ended, and the thread keeps the future. */
    void ended(RemoteFuture f) {
        if (holds(f)) {
            ended(f, true);
        }
    }

    boolean holds(RemoteFuture f) {
        return future[at(f.id)] == f;
    }

    private void ended(RemoteFuture f, boolean noteFailure) {
        int i = at(f.id);
        future[i] = null;
        f.destination().unreported().ended(f.id);
        if (f.status() != CompletionStatus.SUCCESS) {
            writes[i] = false;
            if (noteFailure) {
                fail(f.id, f.status());
            }
        } else if (!f.writes) {
            place(f.lane, f.id);
        }
    }

    /** Whether it is a WRITE that is not known to be placed. */
    private boolean isUnplaced(long id) {
        int i = at(id);
        return writes[i] && placed[lane[i]] < id;
    }

    // ------------------------------------------------------------------------------------------------ placing

    /** Whether a READ must be posted on a lane, to place the WRITEs there. */
    boolean needsReadBack(int onLane) {
        return lastWrite[onLane] > Math.max(placed[onLane], beingPlaced[onLane]);
    }

    /** That READ has been posted. */
    void addReadBack(RemoteFuture f) {
        f.id = last;
        beingPlaced[f.lane] = last;
        readBacks[reading++] = f;
    }

    /** That READ cannot be posted. */
    void cannotReadBack(int onLane) {
        lost(onLane, last, CompletionStatus.FLUSHED);
    }

    private void lookAtReadBacks() {
        for (int i = 0; i < reading; ) {
            RemoteFuture f = readBacks[i];
            if (!f.isEnded()) {
                i++;
                continue;
            }
            if (f.status() == CompletionStatus.SUCCESS) {
                place(f.lane, f.id);
            } else {
                lost(f.lane, f.id, f.status());
            }
            reading--;
            readBacks[i] = readBacks[reading];
            pool.releaseSpare(f);
        }
    }

    /**
     * A READ or atomic has been executed on a lane after all operations up to an id, which places the WRITEs among
     * them.
     */
    void place(int onLane, long upTo) {
        if (upTo <= placed[onLane]) {
            return;
        }
        int breaksNow = lanes[onLane].breaks();
        for (long id = Math.max(remote, placed[onLane]) + 1; id <= upTo; id++) {
            int i = at(id);
            if (writes[i] && lane[i] == onLane && breaks[i] != breaksNow) {
                writes[i] = false;
                fail(id, CompletionStatus.FLUSHED);
            }
        }
        placed[onLane] = upTo;
    }

    /** The WRITEs up to an id may not have been executed. */
    private void lost(int onLane, long upTo, CompletionStatus status) {
        for (long id = Math.max(remote, placed[onLane]) + 1; id <= upTo; id++) {
            int i = at(id);
            if (writes[i] && lane[i] == onLane) {
                writes[i] = false;
                fail(id, status);
            }
        }
        placed[onLane] = Math.max(placed[onLane], upTo);
    }

    boolean isPlaced(long id) {
        return id <= remote || !isUnplaced(id);
    }

    // ------------------------------------------------------------------------------------------------ marks, failures

    long last() {
        return last;
    }

    /** The largest id up to which all operations are complete. */
    long completed(CompletionGrade grade) {
        long upTo = grade == CompletionGrade.LOCAL ? local : remote;
        return failures == 0 ? upTo : Math.min(upTo, firstFailure() - 1);
    }

    /** Whether an operation has not ended. */
    boolean isAnyOutstanding() {
        return local < last;
    }

    boolean isAllOver() {
        return remote == last && reading == 0;
    }

    private void fail(long id, CompletionStatus status) {
        if (failure[at(id)] == null) {
            failures++;
        }
        failure[at(id)] = status;
    }

    /** The smallest id of a failed operation whose failure was not reported, or the largest number if there is none. */
    long firstFailure() {
        if (failures == 0) {
            return Long.MAX_VALUE;
        }
        if (oldFailure != 0) {
            return oldFailure;
        }
        long id = Math.max(1, last - mask);
        while (failure[at(id)] == null) {
            id++;
        }
        return id;
    }

    /** Whether an operation has failed and the failure was not reported. */
    boolean hasFailed(long id) {
        return id == oldFailure || id > last - mask - 1 && failure[at(id)] != null;
    }

    SharedLane failedLane(long id) {
        return lanes[id == oldFailure ? oldFailureLane : lane[at(id)]];
    }

    CompletionStatus failure(long id) {
        return id == oldFailure ? oldFailureStatus : failure[at(id)];
    }

    void reported(long id) {
        failures--;
        if (id == oldFailure) {
            oldFailure = 0;
        } else {
            failure[at(id)] = null;
        }
    }

    // ------------------------------------------------------------------------------------------------ arming, losing

    /** Makes each operation that an id waits for count the destination down at its end; returns their number. */
    int arm(long upTo, CompletionGrade grade) {
        int outstanding = 0;
        for (long id = remote + 1; id <= last; id++) {
            RemoteFuture f = future[at(id)];
            if (f != null) {
                outstanding += armOrNot(f, id <= upTo);
            }
        }
        for (int i = 0; i < reading; i++) {
            outstanding += armOrNot(readBacks[i], grade == CompletionGrade.REMOTE);
        }
        return outstanding;
    }

    private static int armOrNot(RemoteFuture f, boolean arm) {
        if (arm) {
            return f.arm() ? 1 : 0;
        }
        f.disarm();
        return 0;
    }

    /** The Memory Node is gone. Outstanding operations end here, since their completions may never come. */
    void giveUp() {
        for (long id = remote + 1; id <= last; id++) {
            giveUp(future[at(id)]);
        }
        for (int i = 0; i < reading; i++) {
            giveUp(readBacks[i]);
        }
        for (int l = 0; l < lanes.length; l++) {
            lost(l, last, CompletionStatus.PEER_LOST); // no READ is needed to place anything there
        }
    }

    private static void giveUp(RemoteFuture f) {
        if (f != null && !f.isEnded()) {
            f.givenUp = true;
            f.end(CompletionStatus.PEER_LOST);
        }
    }
}
