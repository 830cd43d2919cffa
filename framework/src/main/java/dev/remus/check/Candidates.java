package dev.remus.check;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The invocations of a history that have no place in the order yet, as two doubly-linked lists by moment of call, so that
 * taking one out and putting it back where it was costs a few stores ("dancing links"). Those that returned and those
 * that are pending have a list each, since the latter need no place at all.
 *
 * <p>The <em>frontier</em> is the earliest return whose invocation has no place: it must get one next, perhaps after
 * others that were called before this return. Invocations are numbered by call, 0 to n-1.
 */
final class Candidates<O, R> {
    /** Instead of an invocation: there is none. */
    static final int NONE = -1;

    private final int size;
    private final int[] next;
    private final int[] previous;
    private final long[] called;
    /** For a pending invocation, the last pending one before it that calls the same, or NONE. */
    private final int[] twin;

    /** Completed invocations by moment of return. */
    final int[] returns;
    /** A number below {@link #slots} that no overlapping invocation has. */
    final int[] slot;
    /** How many numbers that takes: the most invocations in flight at one moment. */
    final int slots;

    /** Which have a place. */
    final boolean[] placed;

    private final long[] returned;

    Candidates(History<O, R> history) {
        List<Invocation<O, R>> invocations = history.invocations();
        size = invocations.size();
        next = new int[size + 2];
        previous = new int[size + 2];
        called = new long[size];
        returned = new long[size];
        twin = new int[size];
        placed = new boolean[size];
        slot = new int[size];
        Map<O, Integer> lastAlike = new HashMap<>();
        int lastCompleted = completedHead();
        int lastPending = pendingHead();
        for (int i = 0; i < size; i++) {
            Invocation<O, R> invocation = invocations.get(i);
            called[i] = invocation.called();
            returned[i] = invocation.returned();
            twin[i] = NONE;
            if (invocation.isPending()) {
                Integer alike = lastAlike.put(invocation.operation(), i);
                twin[i] = alike == null ? NONE : alike;
                link(lastPending, i);
                lastPending = i;
            } else {
                link(lastCompleted, i);
                lastCompleted = i;
            }
        }
        next[lastCompleted] = NONE;
        next[lastPending] = NONE;
        returns = IntStream.range(0, size)
                .filter(i -> returned[i] != Invocation.PENDING)
                .boxed()
                .sorted(Comparator.comparingLong((Integer i) -> returned[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        slots = fillSlots();
    }

    private int completedHead() {
        return size;
    }

    private int pendingHead() {
        return size + 1;
    }

    private void link(int before, int after) {
        next[before] = after;
        previous[after] = before;
    }

    private int fillSlots() {
        BitSet taken = new BitSet();
        int call = 0;
        for (int k = 0; k < returns.length; k++) {
            for (; call < size && called[call] <= returned[returns[k]]; call++) {
                slot[call] = taken.nextClearBit(0);
                taken.set(slot[call]);
            }
            taken.clear(slot[returns[k]]);
        }
        return Arrays.stream(slot).max().orElse(-1) + 1;
    }

    /** Takes an invocation out: it has a place now. */
    void take(int invocation) {
        placed[invocation] = true;
        int after = next[invocation];
        next[previous[invocation]] = after;
        if (after != NONE) {
            previous[after] = previous[invocation];
        }
    }

    /** Undoes the last {@link #take} that has not been undone. */
    void putBack(int invocation) {
        placed[invocation] = false;
        int after = next[invocation];
        next[previous[invocation]] = invocation;
        if (after != NONE) {
            previous[after] = invocation;
        }
    }

    /**
     * What to try after another, when the frontier is at this return. First of all the invocation that returns there;
     * then the other completed ones that were called before, by call; then the pending ones.
     */
    int following(int invocation, int frontier) {
        int due = returns[frontier];
        int i = invocation;
        if (i == due) {
            i = completedHead();
        }
        boolean pending = i < size && returned[i] == Invocation.PENDING;
        if (!pending) {
            i = next[i];
            if (i == due) {
                i = next[i];
            }
            if (i != NONE && called[i] <= returned[due]) {
                return i;
            }
            i = pendingHead();
        }
        do {
            i = next[i];
        } while (i != NONE && hasUnplacedTwin(i));
        return i != NONE && called[i] <= returned[due] ? i : NONE;
    }

    /** Of pending invocations that call the same, the one that was called first does for all. */
    private boolean hasUnplacedTwin(int i) {
        return twin[i] != NONE && !placed[twin[i]];
    }
}
