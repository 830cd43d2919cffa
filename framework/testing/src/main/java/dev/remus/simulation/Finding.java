package dev.remus.simulation;

import dev.remus.check.RejectedHistoryError;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * A schedule in which a scenario went wrong. Two are equal if the seeds are, and the histories or the first lines of what
 * went wrong: behind the first line there may be stack traces, which depend on more than the schedule.
 *
 * @param seed the schedule's
 * @param cause what was thrown
 */
public record Finding(long seed, Throwable cause) {
    /** Refuses null. */
    public Finding {
        Objects.requireNonNull(cause, "cause");
    }

    /** Runs a scenario in one schedule; empty if nothing went wrong. */
    public static Optional<Finding> in(Scenario scenario, Schedule schedule) {
        try {
            scenario.run(schedule);
            return Optional.empty();
        } catch (Exception | AssertionError e) {
            return Optional.of(new Finding(schedule.seed(), e));
        }
    }

    /**
     * Runs a scenario in schedules of consecutive seeds until one goes wrong.
     *
     * @param schedules makes the schedule of a seed
     * @param first the first seed
     * @param count how many seeds
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

    /** What went wrong, for people: a drawn history, or the message of what was thrown. */
    public String describe() {
        if (cause instanceof RejectedHistoryError) {
            return String.valueOf(cause.getMessage());
        }
        // An assertion says what is wrong, other exceptions need their name for that.
        return cause.getClass() == AssertionError.class && cause.getMessage() != null
                ? cause.getMessage()
                : cause.toString();
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

    /** The seed, and what went wrong. */
    @Override
    public String toString() {
        return "seed " + seed + ": " + describe();
    }
}
