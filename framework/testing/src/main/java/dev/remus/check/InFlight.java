// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Which invocations of a history are in flight at one of its returns, the <em>frontier</em>: called before it (or at
 * the same moment), and not returned before it. The frontier can be moved to and fro; an invocation that it passes is
 * taken out of a doubly-linked list, and put back where it was when the frontier comes back ("dancing links").
 *
 * <p>Invocations are numbered by call, 0 to n-1. Those that returned and those that are pending have a list each.
 */
final class InFlight<O, R> {
    /** Instead of an invocation: there is none. */
    static final int NONE = -1;

    private final int size;
    private final long[] called;
    private final long[] returned;
    private final int[] next;
    private final int[] previous;
    /** The last of each list, which ends in {@link #NONE}. */
    private int lastCompleted;

    private int lastPending;
    /** How many have been called at the frontier. */
    private int calls;

    private int frontier;
    /** All that returned, by moment of return. */
    private final int[] returns;

    /** Where in {@link #returns}; at its end for those that are pending. */
    private final int[] position;

    private final int[] slot;
    private final int slots;
    private final int[] twin;

    InFlight(History<O, R> history) {
        List<Invocation<O, R>> invocations = history.invocations();
        size = invocations.size();
        called = invocations.stream().mapToLong(Invocation::called).toArray();
        returned = invocations.stream().mapToLong(Invocation::returned).toArray();
        next = new int[size + 2];
        previous = new int[size + 2];
        lastCompleted = beforeCompleted();
        lastPending = beforePending();
        next[lastCompleted] = NONE;
        next[lastPending] = NONE;
        returns = IntStream.range(0, size)
                .filter(i -> !isPending(i))
                .boxed()
                .sorted(Comparator.comparingLong((Integer i) -> returned[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        position = new int[size];
        Arrays.fill(position, returns.length);
        for (int k = 0; k < returns.length; k++) {
            position[returns[k]] = k;
        }
        slot = new int[size];
        slots = fillSlots();
        twin = twins(invocations);
        appendCalls();
    }

    private int beforeCompleted() {
        return size;
    }

    private int beforePending() {
        return size + 1;
    }

    private int fillSlots() {
        BitSet taken = new BitSet();
        int most = 0;
        int call = 0;
        for (int due : returns) {
            for (; call < size && called[call] <= returned[due]; call++) {
                slot[call] = taken.nextClearBit(0);
                taken.set(slot[call]);
            }
            most = Math.max(most, taken.length());
            taken.clear(slot[due]);
        }
        return most;
    }

    /** Pending ones in the order of their calls, then completed ones in the order of their returns. */
    private int[] twins(List<Invocation<O, R>> invocations) {
        int[] twins = new int[size];
        Map<O, Integer> lastPending = new HashMap<>();
        for (int i = 0; i < size; i++) {
            if (isPending(i)) {
                twins[i] = orNone(lastPending.put(invocations.get(i).operation(), i));
            }
        }
        record Done<O, R>(O operation, R result) {}
        Map<Done<O, R>, Integer> lastDone = new HashMap<>();
        for (int i : returns) {
            Invocation<O, R> invocation = invocations.get(i);
            twins[i] = orNone(lastDone.put(new Done<>(invocation.operation(), invocation.result()), i));
        }
        return twins;
    }

    private static int orNone(Integer i) {
        return i == null ? NONE : i;
    }

    private boolean isPending(int i) {
        return i < size && returned[i] == Invocation.PENDING;
    }

    /** How many returns there are. */
    int returns() {
        return returns.length;
    }

    /** The invocation that returns at the frontier with this number, below {@link #returns()}. */
    int due(int frontier) {
        return returns[frontier];
    }

    /** A number below {@link #slots} that no invocation has which is in flight at the same time. */
    int slot(int i) {
        return slot[i];
    }

    /** The most invocations in flight at one return. */
    int slots() {
        return slots;
    }

    /**
     * Another that is in flight at the frontier and does as well as this one, or {@link #NONE}: it calls the same, and
     * both are pending and the other was called first, or both return the same and the other does so first.
     */
    int betterTwin(int i) {
        int other = twin[i];
        while (other != NONE && returned[other] >= returned[returns[frontier]]) {
            if (called[other] <= returned[returns[frontier]] && position[other] >= frontier) {
                return other;
            }
            other = twin[other];
        }
        return NONE;
    }

    /** Moves the frontier. */
    void moveTo(int newFrontier) {
        while (frontier < newFrontier) {
            unlink(returns[frontier]);
            frontier++;
            appendCalls();
        }
        while (frontier > newFrontier) {
            frontier--;
            removeCalls();
            relink(returns[frontier]);
        }
    }

    /** The first in flight at the frontier: completed ones come before pending ones, and of each those called first. */
    int first() {
        return next[beforeCompleted()] == NONE ? next[beforePending()] : next[beforeCompleted()];
    }

    /** The next in flight, or {@link #NONE}. */
    int following(int i) {
        return next[i] == NONE && !isPending(i) ? next[beforePending()] : next[i];
    }

    private void appendCalls() {
        for (; frontier < returns.length && calls < size && called[calls] <= returned[returns[frontier]]; calls++) {
            int last = isPending(calls) ? lastPending : lastCompleted;
            next[last] = calls;
            previous[calls] = last;
            next[calls] = NONE;
            setLast(calls, calls);
        }
    }

    /** Takes out what was called after the frontier. */
    private void removeCalls() {
        for (; calls > 0 && called[calls - 1] > returned[returns[frontier]]; calls--) {
            int last = previous[calls - 1];
            next[last] = NONE;
            setLast(calls - 1, last);
        }
    }

    private void setLast(int i, int last) {
        if (isPending(i)) {
            lastPending = last;
        } else {
            lastCompleted = last;
        }
    }

    private void unlink(int i) {
        next[previous[i]] = next[i];
        if (next[i] == NONE) {
            lastCompleted = previous[i];
        } else {
            previous[next[i]] = previous[i];
        }
    }

    private void relink(int i) {
        next[previous[i]] = i;
        if (next[i] == NONE) {
            lastCompleted = i;
        } else {
            previous[next[i]] = i;
        }
    }
}
