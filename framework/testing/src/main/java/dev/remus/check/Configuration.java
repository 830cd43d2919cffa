// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A point that the search has reached: which invocations have a place in the order, and the state that they lead to.
 * Two are equal if these are, on whatever way they were reached.
 *
 * <p>All invocations that returned before the frontier have a place, the one that returns there has none, nor has any
 * that was called after it; so the frontier and one bit for each invocation in flight there determine which have one,
 * however long the history is.
 *
 * @param <S> states
 */
final class Configuration<S> {
    /** Null if nothing has a place. */
    final @Nullable Configuration<S> from;
    /** What was given the last place. */
    final int placed;

    final int frontier;
    final S state;
    private final long[] inFlightPlaced;
    private final int hash;

    /** Whether of what never changes anything nothing more fits here. */
    boolean quiet;
    /** The next in the same queue. */
    @Nullable
    Configuration<S> queued;

    private Configuration(@Nullable Configuration<S> from, int placed, int frontier, long[] inFlightPlaced, S state) {
        this.from = from;
        this.placed = placed;
        this.frontier = frontier;
        this.inFlightPlaced = inFlightPlaced;
        this.state = state;
        int mixed = (frontier * 31 + Arrays.hashCode(inFlightPlaced)) * 31 + state.hashCode();
        hash = mixed * 0x9E3779B9;
    }

    /** Nothing has a place. */
    static <S> Configuration<S> initial(InFlight<?, ?> inFlight, S state) {
        int words = (inFlight.slots() + Long.SIZE - 1) / Long.SIZE;
        return new Configuration<>(null, InFlight.NONE, 0, new long[words], state);
    }

    /** One more has a place, and the frontier moves to the next return of one that has none. */
    Configuration<S> with(int i, S outcome, InFlight<?, ?> inFlight) {
        long[] bits = inFlightPlaced.clone();
        flip(bits, inFlight.slot(i));
        int reached = frontier;
        while (reached < inFlight.returns() && isSet(bits, inFlight.slot(inFlight.due(reached)))) {
            flip(bits, inFlight.slot(inFlight.due(reached)));
            reached++;
        }
        return new Configuration<>(this, i, reached, bits, outcome);
    }

    /** Whether one that is in flight at the frontier has a place. */
    boolean hasPlaced(int i, InFlight<?, ?> inFlight) {
        return isSet(inFlightPlaced, inFlight.slot(i));
    }

    /**
     * Whether another that is in flight and has no place does as well as this one (see {@link InFlight#betterTwin}).
     */
    boolean hasBetterTwin(int i, InFlight<?, ?> inFlight) {
        for (int other = inFlight.betterTwin(i); other != InFlight.NONE; other = inFlight.betterTwin(other)) {
            if (!hasPlaced(other, inFlight)) {
                return true;
            }
        }
        return false;
    }

    /** All that have a place, in order. */
    List<Integer> order() {
        List<Integer> order = new ArrayList<>();
        for (Configuration<S> c = this; c != null && c.placed != InFlight.NONE; c = c.from) {
            order.add(c.placed);
        }
        Collections.reverse(order);
        return order;
    }

    private static boolean isSet(long[] bits, int slot) {
        return (bits[slot >>> 6] & 1L << slot) != 0;
    }

    private static void flip(long[] bits, int slot) {
        bits[slot >>> 6] ^= 1L << slot;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Configuration<?> that
                && hash == that.hash
                && frontier == that.frontier
                && Arrays.equals(inFlightPlaced, that.inFlightPlaced)
                && state.equals(that.state);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
