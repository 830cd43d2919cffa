// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The operations on structures that a node's threads execute per second. The notice has them as the work of the node in
 * the current phase of its program, which its threads count for the progress of the run.
 *
 * @param phase the phase, such as {@code run}
 * @param perSecond the operations per second
 */
record OperationRate(String phase, double perSecond) {
    private static final String FIGURE = "figure.work";

    /** The work between two notices; empty if the program counts none, or one phase has ended and another begun. */
    static Optional<OperationRate> between(Map<String, String> earlier, Map<String, String> later, double seconds) {
        String[] after = later.getOrDefault(FIGURE, "").split(" ");
        if (after.length != 2) {
            return Optional.empty();
        }
        String first = earlier.getOrDefault(FIGURE, "");
        String[] before = (first.isEmpty() ? after[0] + " 0" : first).split(" "); // no phase had begun
        double done = Long.parseLong(after[1]) - Long.parseLong(before[1]);
        return before[0].equals(after[0]) ? Optional.of(new OperationRate(after[0], done / seconds)) : Optional.empty();
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "  operations on structures: %,.0f/s (%s)", perSecond, phase);
    }
}
