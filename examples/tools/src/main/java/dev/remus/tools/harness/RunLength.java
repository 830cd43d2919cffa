// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.cli.progress.Progress;
import dev.remus.node.ComputeThread;
import java.math.BigDecimal;
import java.util.function.LongSupplier;

/**
 * The length of each thread's run: a number of operations, a time, or whichever ends first.
 *
 * @param operations the most operations of a thread; {@link #UNLIMITED} for as many as the time allows
 * @param nanos the time from the common start during which a thread begins operations; 0 for no limit
 */
public record RunLength(long operations, long nanos) {
    /** More operations than a thread can execute, yet few enough for the sum over all threads to fit into a long. */
    public static final long UNLIMITED = 1_000_000_000_000L;

    private static final int DIGITS_OF_NANOS = 9;

    /** Rejects values out of range. */
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

    /** Whether the run has a time limit. */
    public boolean isTimed() {
        return nanos > 0;
    }

    /** The time in seconds, in the format of {@link RunTime#OPTION}. */
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

    /**
     * The phase of a run of this length in the progress of a node.
     *
     * @param progress that of the node
     * @param ct any thread of the node
     */
    public Progress.Phase phase(String name, Progress progress, ComputeThread ct) {
        return isTimed()
                ? progress.timedPhase(name, nanos)
                : progress.phase(
                        name,
                        Math.multiplyExact(operations, ct.config().threadsPerNode()),
                        Math.multiplyExact(operations, ct.threads()));
    }
}
