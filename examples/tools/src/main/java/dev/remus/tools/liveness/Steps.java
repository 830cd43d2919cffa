// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.liveness;

import java.util.Locale;

/** Counts of the calls of one method by undisturbed threads. */
final class Steps {
    private long finished;
    private long unfinished;
    private long most;
    private long sum;

    void finished(long steps) {
        finished++;
        sum += steps;
        most = Math.max(most, steps);
    }

    void unfinished() {
        unfinished++;
    }

    /** Whether any call never ended. */
    boolean hasUnfinished() {
        return unfinished > 0;
    }

    /** The number of calls that ended, and the round trips of a call on average and at most. */
    @Override
    public String toString() {
        String end = unfinished == 0
                ? "all end"
                : String.format(Locale.ROOT, "%d of %d end", finished, finished + unfinished);
        return finished == 0
                ? end
                : end + String.format(Locale.ROOT, ", %.1f, at most %d", (double) sum / finished, most);
    }
}
