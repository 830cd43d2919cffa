package dev.remus.tools.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Weakness;
import dev.remus.simulation.Finding;
import dev.remus.simulation.SchedulerKind;
import dev.remus.tools.scenarios.NamedScenario;
import dev.remus.tools.scenarios.Size;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScheduleSearchTest {
    /** A scenario that fails in one of a hundred schedules if it has at least six operations and two keys. */
    private static final NamedScenario UNLUCKY =
            new NamedScenario("unlucky", "fails", new Size(4, 8, 3), size -> schedule -> {
                if (schedule.seed() % 100 == 57 && size.threads() * size.operations() >= 6 && size.keys() >= 2) {
                    throw new AssertionError("unlucky " + schedule.seed());
                }
            });

    private static final SearchConditions RANDOM =
            new SearchConditions(SchedulerKind.RANDOM, 2, EnumSet.allOf(Weakness.class), Optional.empty());

    private static final SearchPlan PLAN = new SearchPlan(UNLUCKY, UNLUCKY.defaultSize(), RANDOM);

    @Test
    void theLowestFailingSeedIsFoundWithAnyNumberOfJobs() throws Exception {
        for (int jobs : new int[] {1, 2, 7}) {
            Optional<Finding> found = new ScheduleSearch(PLAN, 1, 1_000).run(jobs, done -> {});
            assertThat(found.map(Finding::seed)).contains(57L);
        }
        assertThat(new ScheduleSearch(PLAN, 58, 99).run(3, done -> {})).isEmpty();
    }

    @Test
    void theSmallestFailingSizeIsFound() throws Exception {
        SmallerCase smaller = SmallerCase.of(PLAN, 2).orElseThrow();
        assertThat(smaller.plan().size()).isEqualTo(new Size(2, 3, 2));
        assertThat(smaller.finding().seed()).isEqualTo(57);
    }

    @Test
    void theCommandThatReplaysNamesEverythingThatMatters() {
        assertThat(PLAN.replayCommand(57))
                .isEqualTo("./remus check unlucky --threads 4 --ops 8 --keys 3 --scheduler random --replay 57");
        Set<Fault> faults = Set.of(Fault.SLOW_NODES, Fault.STOPPED_THREADS);
        NamedScenario withoutKeys = new NamedScenario("plain", "", new Size(2, 1, 0), UNLUCKY.factory());
        SearchConditions rough = new SearchConditions(SchedulerKind.EXHAUSTIVE, 1, Set.of(), Optional.of(faults));
        assertThat(new SearchPlan(withoutKeys, withoutKeys.defaultSize(), rough).replayCommand(1))
                .isEqualTo("./remus check plain --threads 2 --ops 1 --scheduler exhaustive --preemptions 1"
                        + " --weaknesses none --faults stopped-threads,slow-nodes --replay 1");
    }
}
