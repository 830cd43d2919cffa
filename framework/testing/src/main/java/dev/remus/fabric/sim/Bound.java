// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

/** A reason for which an {@link ExhaustiveSearch} has left out schedules. */
public enum Bound {
    /** A schedule had as many preemptions as it may have. */
    PREEMPTIONS("no more preemptions"),
    /** A thread paused a second time although nothing had changed, and then waited for a change. */
    POLLS("a thread that polls in vain polls only once more"),
    /** A thread read the clock, of which one value is tried in a schedule. */
    CLOCK("one value for each reading of the clock"),
    /** Compute Threads were virtual, and none of their requests waited for a doorbell. */
    DOORBELLS("no request waits for a doorbell"),
    /** A run was longer than the search can follow. */
    STEPS("only the first 5000 steps of a run are choices");

    private final String text;

    Bound(String text) {
        this.text = text;
    }

    /** What the search does not try. */
    @Override
    public String toString() {
        return text;
    }
}
