package dev.remus.check;

import java.util.Arrays;

/**
 * A point that the search has reached: which invocations have a place in the order, and the state that they lead to.
 * Whoever comes here a second time on another way need not go on.
 *
 * <p>All invocations that returned before the frontier have a place, and none that was called after it; so the frontier
 * and one bit for each invocation in flight there say which have one, however long the history is.
 */
final class Configuration {
    private final int frontier;
    private final long[] placedInFlight;
    private final Object state;
    private final int hash;

    /** @param placedInFlight by slot, see {@link Candidates}; not copied */
    Configuration(int frontier, long[] placedInFlight, Object state) {
        this.frontier = frontier;
        this.placedInFlight = placedInFlight;
        this.state = state;
        int mixed = (frontier * 31 + Arrays.hashCode(placedInFlight)) * 31 + state.hashCode();
        hash = mixed * 0x9E3779B9;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Configuration that
                && frontier == that.frontier
                && hash == that.hash
                && Arrays.equals(placedInFlight, that.placedInFlight)
                && state.equals(that.state);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
