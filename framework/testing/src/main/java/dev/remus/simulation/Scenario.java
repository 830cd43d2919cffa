// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation;

/** A program to run in the simulator, in any number of schedules, that throws if it finds a failure. */
@FunctionalInterface
public interface Scenario {
    /**
     * Runs it in one schedule.
     *
     * @throws Exception if something failed, such as a use of an invalid pointer
     * @throws AssertionError likewise; a {@link dev.remus.check.RejectedHistoryError} shows results that no correct
     *     structure returns
     */
    void run(Schedule schedule) throws Exception;
}
