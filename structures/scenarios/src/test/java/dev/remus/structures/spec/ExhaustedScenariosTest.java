// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.sim.ExhaustiveSearch;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SchedulerKind;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** All schedules of a scenario with two threads of one operation are run, unless an operation waits for another. */
@Tag("any-jdk")
class ExhaustedScenariosTest {
    private static final long MOST = 2_000;

    static Stream<Arguments> scenariosWithoutWaits() {
        return Stream.of(
                Arguments.of("lazy list", SetScenario.lazyList(2, 1, 2, true), 3),
                Arguments.of("wide lazy list", SetScenario.wideLazyList(2, 1, 2, true), 3),
                Arguments.of("fast list", SetScenario.fastLazyList(2, 1, 2, true), 1),
                Arguments.of("cached list", SetScenario.cachedLazyList(2, 1, 2, true, 4), 1),
                Arguments.of("hash map", HashMapScenario.colliding(2, 1, 1, false), 1),
                Arguments.of("lock-free queue", PooledQueueScenario.lockFree(2, 1, 1), 0));
    }

    static Stream<Arguments> scenariosWithWaits() {
        return Stream.of(
                Arguments.of("decentralised queue", PooledQueueScenario.decentralizedLock(2, 1, 1), 2),
                Arguments.of("centralised queue", PooledQueueScenario.centralizedLock(2, 1, 1), 2),
                Arguments.of("buffered queue", BufferedQueueScenario.buffered(2, 1, 1), 0),
                Arguments.of("relaxed buffered queue", BufferedQueueScenario.relaxed(2, 1, 1), 0));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("scenariosWithoutWaits")
    void aSearchIsCompleteIfNoOperationWaits(String name, Scenario scenario, long seed) throws Exception {
        ExhaustiveSearch search = searched(scenario, seed);
        assertThat(search.leftOut()).isEmpty();
        assertThat(search.runs()).isGreaterThan(1);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("scenariosWithWaits")
    void aSearchRunsOutOfSchedulesAndNamesTheWaitsIfAnOperationWaits(String name, Scenario scenario, long seed)
            throws Exception {
        ExhaustiveSearch search = searched(scenario, seed);
        assertThat(search.leftOut()).containsExactly("a thread that polls in vain polls only once more");
        assertThat(search.runs()).isGreaterThan(1);
    }

    /** The search, when all schedules have been run; the operations follow from the seed. */
    private static ExhaustiveSearch searched(Scenario scenario, long seed) throws Exception {
        ExhaustiveSearch search = SchedulerKind.search(SchedulerKind.ANY_NUMBER);
        while (search.hasNext() && search.runs() < MOST) {
            scenario.run(Schedule.of(seed, search.next()).withWeaknesses(Set.of()));
        }
        return search;
    }
}
