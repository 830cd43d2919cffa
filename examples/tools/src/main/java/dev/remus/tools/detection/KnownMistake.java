// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.detection;

import dev.remus.check.RejectedHistoryError;
import dev.remus.fabric.sim.StuckException;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.structures.baseline.PublishedLockFreeQueue;
import dev.remus.structures.spec.PooledQueueScenario;
import java.util.List;
import java.util.function.Predicate;

/**
 * A mistake that is known to exist, and a scenario that shows it. These are of the lock-free queue as it was published;
 * the numbers are those of the class comment of {@link PublishedLockFreeQueue}.
 *
 * @param name what goes wrong
 * @param scenario a case that is large enough to show it
 * @param shows whether a failure is a consequence of this mistake
 */
record KnownMistake(String name, Scenario scenario, Predicate<Throwable> shows) {
    static final List<KnownMistake> ALL = List.of(
            new KnownMistake(
                    "1: a reader of a reused element",
                    PooledQueueScenario.published(4, 16, 3),
                    RejectedHistoryError.class::isInstance),
            new KnownMistake("2: clocks that differ", PooledQueueScenario.published(2, 30, 4), KnownMistake::isEndless),
            new KnownMistake(
                    "3: a head that is free", PooledQueueScenario.published(4, 16, 3), KnownMistake::isEndless),
            new KnownMistake(
                    "7: a torn element",
                    PooledQueueScenario.published(2, 64, 64), // no element is reused
                    cause -> cause instanceof RejectedHistoryError
                            && String.valueOf(cause.getMessage()).contains("EMPTY")));

    private static boolean isEndless(Throwable cause) {
        return cause instanceof StuckException
                || cause instanceof AssertionError
                        && String.valueOf(cause.getMessage()).contains("has not ended");
    }

    /** Whether the mistake shows in a schedule. */
    boolean showsIn(Schedule schedule) {
        return Finding.in(scenario, schedule).map(Finding::cause).filter(shows).isPresent();
    }
}
