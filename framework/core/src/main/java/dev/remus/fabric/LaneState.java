// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

/**
 * For fabric implementations: the state of a queue pair, for a lane that executes its requests itself. Counts the
 * outstanding requests, keeps completions until they are polled, and records whether the lane is broken or closed.
 *
 * <pre>
 *  completions, a ring that grows up to {@code depth}
 *  +------+------+------+-----+
 *  | id   | id   | id   | ... |   the signalled request's id, 0 for an unsignalled one that failed
 *  | how  | how  | how  | ... |   how it ended
 *  | 3    | 1    | 2    | ... |   how many requests are no longer outstanding once it is polled
 *  +------+------+------+-----+
 * </pre>
 *
 * <p>The ring starts small, as a simulation has a lane for each thread and Memory Node, and most of them hold few
 * completions at a time. Once it has grown, nothing is allocated. Not thread-safe: its lane has a lock.
 */
public final class LaneState {
    private static final int FIRST_CAPACITY = 8;

    private final Lane lane;
    private final Link link;
    private final int depth;

    private long[] id;
    private CompletionStatus[] status;
    private int[] retires;
    private int first;
    private int waiting;

    private int outstanding;
    private int sinceCompletion;
    private volatile boolean broken; // read without the lane's lock too
    private boolean closed;

    /**
     * @param lane the lane, for messages
     * @param link the link of the lane
     * @param depth the maximum number of outstanding requests
     */
    public LaneState(Lane lane, Link link, int depth) {
        this.lane = lane;
        this.link = link;
        this.depth = depth;
        int capacity = Math.min(FIRST_CAPACITY, depth);
        this.id = new long[capacity];
        this.status = new CompletionStatus[capacity];
        this.retires = new int[capacity];
    }

    /** The maximum number of outstanding requests. */
    public int depth() {
        return depth;
    }

    /**
     * Counts all requests of a chain as outstanding, if they fit.
     *
     * @return whether they do
     * @throws IllegalArgumentException if the chain does not suit this lane
     * @throws IllegalStateException if the lane is closed
     */
    public boolean tryPost(Chain chain) {
        checkOpen();
        int n = chain.size();
        if (n == 0 || n > depth) {
            throw new IllegalArgumentException(lane + ": a chain of " + n + " requests: needs 1 to " + depth);
        }
        for (int i = 0; i < n; i++) {
            if (chain.segment(i).memoryNode() != link.memoryNode()) {
                throw new IllegalArgumentException(lane + ": request " + i + " of the chain goes to Memory Node "
                        + chain.segment(i).memoryNode());
            }
        }
        if (outstanding + n > depth) {
            return false;
        }
        outstanding += n;
        return true;
    }

    /**
     * Ends the first request that has not ended. If it failed, the lane breaks.
     *
     * @param signalled whether the request reports its completion
     * @param id the id to report
     * @return whether there is a completion
     */
    public boolean end(boolean signalled, long id, CompletionStatus how) {
        sinceCompletion++;
        if (how != CompletionStatus.SUCCESS) {
            broken = true;
        }
        if (!signalled && how == CompletionStatus.SUCCESS) {
            return false;
        }
        if (waiting == this.id.length) {
            grow();
        }
        int last = (first + waiting) % this.id.length;
        this.id[last] = signalled ? id : 0;
        this.status[last] = how;
        this.retires[last] = sinceCompletion;
        sinceCompletion = 0;
        waiting++;
        return true;
    }

    /** Doubles the ring, and moves its first completion to the start. There are at most {@code depth} completions. */
    private void grow() {
        int capacity = Math.min(2 * id.length, depth);
        long[] ids = new long[capacity];
        CompletionStatus[] statuses = new CompletionStatus[capacity];
        int[] retired = new int[capacity];
        for (int i = 0; i < waiting; i++) {
            int from = (first + i) % id.length;
            ids[i] = id[from];
            statuses[i] = status[from];
            retired[i] = retires[from];
        }
        id = ids;
        status = statuses;
        retires = retired;
        first = 0;
    }

    /** Implements {@link Lane#poll}. */
    public int poll(Completions into) {
        return poll(into, depth);
    }

    /** The same for a lane that still holds back its last completions. */
    public int poll(Completions into, int atMost) {
        checkOpen();
        into.clear();
        while (waiting > 0 && into.size() < atMost && !into.isFull()) {
            into.add(id[first], status[first]);
            outstanding -= retires[first];
            first = (first + 1) % id.length;
            waiting--;
        }
        return into.size();
    }

    /** Implements {@link Lane#isBroken}. Any thread may call it. */
    public boolean isBroken() {
        return broken;
    }

    /** Breaks the lane. */
    public void breakDown() {
        broken = true;
    }

    /** Implements {@link Lane#reconnect}. */
    public void reconnect() {
        checkOpen();
        if (!broken) {
            return;
        }
        int unpolled = outstanding - sinceCompletion;
        if (unpolled > 0) {
            throw new IllegalStateException(lane + ": completions of " + unpolled + " requests have not been polled");
        }
        if (link.isLost()) {
            throw new NodeLostException(link.memoryNode(), lane + ": Memory Node " + link.memoryNode() + " is gone");
        }
        broken = false;
        outstanding = 0;
        sinceCompletion = 0;
    }

    /** Whether the lane is closed. */
    public boolean isClosed() {
        return closed;
    }

    /** Closes the lane: from now on it takes and returns nothing. */
    public void close() {
        closed = true;
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException(lane + " is closed");
        }
    }
}
