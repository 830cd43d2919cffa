// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation;

import dev.remus.check.RejectedHistoryError;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * A schedule in which a scenario failed. Two findings are equal if they have the same seed and the same history or
 * first line of the failure. Stack traces, which depend on more than the schedule, may follow the first line.
 *
 * @param seed the seed of the schedule
 * @param cause the exception or error that was thrown
 */
public record Finding(long seed, Throwable cause) {
    /** Rejects null. */
    public Finding {
        Objects.requireNonNull(cause, "cause");
    }

    /** Runs a scenario in one schedule; returns empty if it did not fail. */
    public static Optional<Finding> in(Scenario scenario, Schedule schedule) {
        try {
            scenario.run(schedule);
            return Optional.empty();
        } catch (Exception | AssertionError e) {
            return Optional.of(new Finding(schedule.seed(), e));
        }
    }

    /**
     * Runs a scenario in schedules of consecutive seeds until one fails.
     *
     * @param schedules makes the schedule of a seed
     * @param first the first seed
     * @param count the number of seeds
     */
    public static Optional<Finding> first(Scenario scenario, LongFunction<Schedule> schedules, long first, long count) {
        for (long seed = first; seed < first + count; seed++) {
            Optional<Finding> finding = in(scenario, schedules.apply(seed));
            if (finding.isPresent()) {
                return finding;
            }
        }
        return Optional.empty();
    }

    /** Describes the failure for a reader: a drawn history, or the message of the exception. */
    public String describe() {
        if (cause instanceof RejectedHistoryError) {
            return String.valueOf(cause.getMessage());
        }
        // The message of an assertion suffices; other exceptions need their class name too.
        return cause.getClass() == AssertionError.class && cause.getMessage() != null
                ? cause.getMessage()
                : cause.toString();
    }

    /**
     * The error of a test that fails with this finding, which is its cause. A rejected history is not, since a build
     * would print it once more.
     *
     * @param message contains {@link #describe}
     */
    public AssertionError error(String message) {
        if (!(cause instanceof RejectedHistoryError)) {
            return new AssertionError(message, cause);
        }
        AssertionError error = new AssertionError(message);
        error.setStackTrace(cause.getStackTrace());
        return error;
    }

    private String essence() {
        return cause instanceof RejectedHistoryError
                ? describe()
                : describe().lines().findFirst().orElse("");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Finding that && seed == that.seed && essence().equals(that.essence());
    }

    @Override
    public int hashCode() {
        return Objects.hash(seed, essence());
    }

    /** The seed and the failure. */
    @Override
    public String toString() {
        return "seed " + seed + ": " + describe();
    }
}
