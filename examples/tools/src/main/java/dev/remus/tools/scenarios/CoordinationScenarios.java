// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.scenarios;

import dev.remus.simulation.scenario.LatchScenario;
import dev.remus.simulation.scenario.LeaderScenario;
import dev.remus.simulation.scenario.LockInterruptsScenario;
import dev.remus.simulation.scenario.SemaphoreScenario;
import dev.remus.simulation.scenario.TimeLimitScenario;
import dev.remus.structures.spec.CounterScenario;
import java.util.List;

/** The scenarios of counters, semaphores, latches and leader slots. */
final class CoordinationScenarios {
    /** All of them. */
    static final List<NamedScenario> ALL = List.of(
            new NamedScenario(
                    "counter",
                    "a sum of a striped counter has every addition that ended before, once, and none that began after",
                    new Size(4, 12, 0),
                    s -> CounterScenario.striped(s.threads(), s.operations())),
            new NamedScenario(
                    "semaphore",
                    "no more threads are inside than there are permits, and lost ones give theirs back",
                    new Size(4, 5, 0),
                    s -> new SemaphoreScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "latch",
                    "a latch opens when all threads have counted down that are not lost, and shows their writes",
                    new Size(4, 3, 0),
                    s -> new LatchScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "leader",
                    "one thread leads at a time, in a higher term than all before, also after a leader was lost",
                    new Size(4, 4, 0),
                    s -> new LeaderScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "leader-interrupts",
                    "interrupted threads leave no leader behind, and nobody leads beside another",
                    new Size(4, 6, 0),
                    s -> LockInterruptsScenario.leaderSlot(s.threads(), s.operations())),
            new NamedScenario(
                    "semaphore-patience",
                    "a wait for a permit ends at its limit, and a free permit is acquired without a wait",
                    new Size(4, 3, 0),
                    s -> new TimeLimitScenario(s.threads(), s.operations(), TimeLimitScenario.Kind.PERMITS)),
            new NamedScenario(
                    "latch-patience",
                    "a wait for a latch ends at its limit, and that for an open one at once",
                    new Size(4, 3, 0),
                    s -> new TimeLimitScenario(s.threads(), s.operations(), TimeLimitScenario.Kind.LATCH)));

    private CoordinationScenarios() {}
}
