// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Operation;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The outstanding requests of a lane, in the order posted, in a ring that grows. */
final class PostedRequests {
    private final boolean mayOvertakeReads;
    private final boolean mayOvertakeAtomics;
    private SimRequest[] ring = new SimRequest[2];
    private int first;
    private int size;

    /** How many of them the device has got; the others wait for its doorbell. */
    private int started;

    /**
     * @param mayOvertakeReads whether WRITEs and atomics may be executed before a READ that was posted earlier
     * @param mayOvertakeAtomics whether they may be executed before an atomic that was posted earlier
     */
    PostedRequests(boolean mayOvertakeReads, boolean mayOvertakeAtomics) {
        this.mayOvertakeReads = mayOvertakeReads;
        this.mayOvertakeAtomics = mayOvertakeAtomics;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /** By order of posting, from 0. */
    SimRequest get(int i) {
        return ring[(first + i) & (ring.length - 1)];
    }

    /** Adds request {@code i} of a chain behind all others. It is executed at the earliest after {@link #start}. */
    SimRequest add(Chain chain, int i, long number, @Nullable SimTask poster) {
        if (size == ring.length) {
            grow();
        }
        int at = (first + size++) & (ring.length - 1);
        if (ring[at] == null) { // this place has not been used before
            ring[at] = new SimRequest(chain, i, number, poster);
        } else {
            ring[at].set(chain, i, number, poster);
        }
        return ring[at];
    }

    private void grow() {
        SimRequest[] larger = new SimRequest[2 * ring.length];
        for (int i = 0; i < size; i++) {
            larger[i] = get(i);
        }
        ring = larger;
        first = 0;
    }

    /** Removes and returns the first request; the result is valid until the next request is added. */
    SimRequest removeFirst() {
        SimRequest removed = get(0);
        first = (first + 1) & (ring.length - 1);
        size--;
        started = Math.max(0, started - 1);
        return removed;
    }

    /** Gives the device all requests; returns whether some were held back. */
    boolean start() {
        boolean heldBack = started < size;
        started = size;
        return heldBack;
    }

    /** Whether the device has got a request that is not removed. */
    boolean isAnyStarted() {
        return started > 0;
    }

    /** Whether a request that is not done overlaps this request of another thread. */
    boolean touch(SimRequest other) {
        boolean touch = false;
        for (int i = 0; i < size && !touch; i++) {
            SimRequest r = get(i);
            touch = !r.isDone()
                    && r.poster != other.poster
                    && r.segment.equals(other.segment)
                    && r.offset < other.end()
                    && other.offset < r.end();
        }
        return touch;
    }

    /** The most steps that they take, if every transfer is torn. */
    int mostSteps() {
        int steps = 0;
        for (int i = 0; i < size; i++) {
            steps += get(i).mostSteps();
        }
        return steps;
    }

    /** Ends all that are not done, as on a broken lane. */
    void flush(SimWorld world) {
        for (int i = 0; i < size; i++) {
            if (!get(i).isDone()) {
                get(i).end(CompletionStatus.FLUSHED, world);
            }
        }
    }

    boolean isAnyExposed() {
        boolean exposed = false;
        for (int i = 0; i < size && !exposed; i++) {
            exposed = get(i).isExposed;
        }
        return exposed;
    }

    /** Whether a thread has posted one of them. */
    boolean isAnyOf(Agent thread) {
        boolean part = false;
        for (int i = 0; i < size && !part; i++) {
            part = get(i).poster == thread;
        }
        return part;
    }

    /** The first started one that is not done, null if all are. */
    @Nullable
    SimRequest firstToExecute() {
        for (int i = 0; i < started; i++) {
            if (!get(i).isDone()) {
                return get(i);
            }
        }
        return null;
    }

    /** Whether all that may be executed now wait for the end of other atomics. */
    boolean isBlocked() {
        int i = nextExecutable(-1);
        boolean blocked = i < started;
        for (; blocked && i < started; i = nextExecutable(i)) {
            blocked = get(i).blockedAt != null;
        }
        return blocked;
    }

    /** Lets one of the atomics go on that wait for the end of another on that word. */
    void unblock(SimSegment segment, long offset) {
        for (int i = 0; i < size; i++) {
            SimRequest r = get(i);
            if (r.blockedAt == segment && r.offset == offset) {
                r.blockedAt = null;
                return;
            }
        }
    }

    /** How many may be executed now: the first that is not done, and those that may overtake all before them. */
    int executable() {
        int count = 0;
        for (int i = nextExecutable(-1); i < started; i = nextExecutable(i)) {
            count++;
        }
        return count;
    }

    /** Returns number {@code n} of those that may be executed now. */
    SimRequest executable(int n) {
        int i = nextExecutable(-1);
        for (int before = 0; before < n; before++) {
            i = nextExecutable(i);
        }
        return get(i);
    }

    /** Whether the test holds for one of those that may be executed now. */
    boolean anyExecutable(Predicate<SimRequest> test) {
        for (int i = nextExecutable(-1); i < started; i = nextExecutable(i)) {
            if (test.test(get(i))) {
                return true;
            }
        }
        return false;
    }

    /**
     * The next started request behind number {@code last} that may be executed now; if there is none, the number of
     * the started ones or more.
     *
     * @param last such a request itself, or -1. So what is before it may be overtaken, and only it is looked at again
     */
    private int nextExecutable(int last) {
        boolean overtakes = last >= 0;
        if (overtakes && !mayBeOvertaken(get(last))) {
            return started;
        }
        for (int i = last + 1; i < started; i++) {
            SimRequest r = get(i);
            if (r.isDone()) {
                continue;
            }
            if (overtakes && r.fenced) {
                return started; // later ones are started behind it
            }
            if (!(overtakes && r.operation == Operation.READ)) {
                return i;
            }
            if (!mayBeOvertaken(r)) {
                return started;
            }
            overtakes = true;
        }
        return started;
    }

    private boolean mayBeOvertaken(SimRequest r) {
        return switch (r.operation) {
            case READ -> mayOvertakeReads;
            case WRITE -> false;
            case COMPARE_AND_SWAP, FETCH_AND_ADD -> mayOvertakeAtomics;
        };
    }
}
