package dev.remus.simulation;

/** Something to run in the simulator, in as many schedules as one likes, that says when it went wrong. */
@FunctionalInterface
public interface Scenario {
    /**
     * Runs it in one schedule.
     *
     * @throws Exception if something was not as it must be, such as a use of a pointer that must not be used
     * @throws AssertionError likewise; for answers that no correct structure gives, a
     *     {@link dev.remus.check.RejectedHistoryError} that shows them
     */
    void run(Schedule schedule) throws Exception;
}
