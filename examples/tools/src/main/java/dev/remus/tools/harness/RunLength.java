package dev.remus.tools.harness;

import java.math.BigDecimal;
import java.util.function.LongSupplier;

/**
 * How long each thread of a run goes on: for a number of operations, for a time, or until the first of the two is over.
 *
 * @param operations how many operations a thread does at most, {@link #UNLIMITED} for as many as the time allows
 * @param nanos for how many nanoseconds from the common start a thread begins operations, 0 for as long as it takes
 */
public record RunLength(long operations, long nanos) {
    /** More operations than a run can have. All threads together still count them in a long. */
    public static final long UNLIMITED = 1_000_000_000_000L;

    private static final int DIGITS_OF_NANOS = 9;

    /** Refuses what is out of range. */
    public RunLength {
        if (operations < 0 || operations > UNLIMITED || nanos < 0) {
            throw new IllegalArgumentException(
                    "operations " + operations + ", nanos " + nanos + ": needs 0 to " + UNLIMITED + ", and at least 0");
        }
    }

    /** A number of operations, however long they take. */
    public static RunLength ofOperations(long operations) {
        return new RunLength(operations, 0);
    }

    /** A time, however many operations it allows. */
    public static RunLength ofNanos(long nanos) {
        return new RunLength(UNLIMITED, nanos);
    }

    /** Whether a time ends the run, unless the operations are over before. */
    public boolean isTimed() {
        return nanos > 0;
    }

    /** The time in seconds, as {@link RunTime#OPTION} takes it. */
    public String seconds() {
        return BigDecimal.valueOf(nanos, DIGITS_OF_NANOS).stripTrailingZeros().toPlainString();
    }

    /**
     * The deadline of a thread that starts now.
     *
     * @param clock in nanoseconds, such as {@link System#nanoTime}
     */
    public Deadline startNow(LongSupplier clock) {
        return new Deadline(isTimed() ? nanos : Long.MAX_VALUE, clock);
    }
}
