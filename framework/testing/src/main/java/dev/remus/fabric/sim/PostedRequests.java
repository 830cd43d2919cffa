package dev.remus.fabric.sim;

import dev.remus.fabric.Chain;
import dev.remus.fabric.Operation;
import org.jspecify.annotations.Nullable;

/** The outstanding requests of a lane, in the order posted, in a ring that grows. */
final class PostedRequests {
    private final boolean mayOvertakeReads;
    private SimRequest[] ring = new SimRequest[2];
    private int first;
    private int size;

    /** @param mayOvertakeReads whether WRITEs and atomics may be executed before a READ that was posted earlier */
    PostedRequests(boolean mayOvertakeReads) {
        this.mayOvertakeReads = mayOvertakeReads;
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

    /** Adds request {@code i} of a chain behind all others. */
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
        return removed;
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

    /** The first that is not done, null if all are. */
    @Nullable
    SimRequest firstToExecute() {
        for (int i = 0; i < size; i++) {
            if (!get(i).isDone()) {
                return get(i);
            }
        }
        return null;
    }

    /** How many may be executed now: the first that is not done, and those that may overtake it. */
    int executable() {
        int found = 0;
        for (int i = 0; i < size; i++) {
            SimRequest r = get(i);
            if (r.isDone()) {
                continue;
            }
            if (found > 0 && (r.operation == Operation.READ || r.fenced)) {
                break;
            }
            found++;
            if (r.operation != Operation.READ || !mayOvertakeReads) {
                break;
            }
        }
        return found;
    }

    /** Returns one of those that may be executed now: the one that is not done and has {@code n} such before it. */
    SimRequest executable(int n) {
        int found = 0;
        for (int i = 0; i < size; i++) {
            if (!get(i).isDone() && found++ == n) {
                return get(i);
            }
        }
        throw new AssertionError("there is no such request");
    }
}
