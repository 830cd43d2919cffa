package dev.remus.fabric.sim;

/** A reason for which an {@link ExhaustiveSearch} has left out schedules. */
public enum Bound {
    /** A schedule had as many preemptions as it may have. */
    PREEMPTIONS("no schedule with more preemptions"),
    /** A thread polled, found nothing new twice in a row, and then waited for a change. */
    POLLS("a thread polls only once more before something has changed"),
    /** A thread read the clock, which has one value in a schedule. */
    CLOCK("a reading of the clock has one value"),
    /** A run was longer than the search can follow. */
    STEPS("only the first steps of long runs are choices");

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
