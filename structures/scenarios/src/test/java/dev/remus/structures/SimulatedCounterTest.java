// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.junit.SimulationTest;
import dev.remus.memory.RdmaPtr;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.FlawedCounter.Flaw;
import dev.remus.structures.spec.CounterScenario;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The striped counter keeps its promises in the simulator, and is not linearizable, as its comment states. */
@Tag("any-jdk")
class SimulatedCounterTest {
    private static final int MAX_SCHEDULES = 2_000;

    @SimulationTest(schedules = 200)
    void aSumHasEachAdditionThatEndedBeforeOnceAndNoneThatBeganAfter(Schedule schedule) throws Exception {
        CounterScenario.striped(4, 12).run(schedule);
    }

    @SimulationTest(schedules = 50)
    void theCounterWithoutAMistakeIsAccepted(Schedule schedule) throws Exception {
        flawed(Flaw.NONE).run(schedule);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyKnownMistakeIsFoundAndFoundAgainWithTheSameSeed(Flaw flaw) {
        Optional<Finding> found = Finding.first(flawed(flaw), Schedule::random, 0, MAX_SCHEDULES);
        assertThat(found).isPresent();
        assertThat(Finding.in(flawed(flaw), Schedule.random(found.get().seed())))
                .as("the same seed again")
                .isEqualTo(found);
    }

    private static CounterScenario flawed(Flaw flaw) {
        return new CounterScenario(4, 12, RemoteCounter::create, (This, ct) -> new FlawedCounter(This, flaw, ct));
    }

    @Test
    void twoSumsMayContainTwoAdditionsAtTheSameTimeInDifferentOrders() throws Exception {
        boolean isFound = false;
        for (long seed = 1; seed <= MAX_SCHEDULES && !isFound; seed++) {
            long[] sums = new long[4];
            AtomicReference<RdmaPtr<RemoteCounter>> shared = new AtomicReference<>();
            new SimulatedCluster(4, Schedule.random(seed))
                    .prepared(ct -> {
                        if (ct.id() == 0) {
                            shared.set(RemoteCounter.create(2, ct));
                        }
                    })
                    .run(ct -> {
                        RemoteCounter counter = new RemoteCounter(shared.get(), ct);
                        if (ct.id() < 2) {
                            counter.add(1 + ct.id(), ct);
                        } else {
                            sums[ct.id()] = counter.sum(ct);
                        }
                    });
            isFound = sums[2] == 1 && sums[3] == 2 || sums[2] == 2 && sums[3] == 1;
        }
        assertThat(isFound).isTrue();
    }
}
