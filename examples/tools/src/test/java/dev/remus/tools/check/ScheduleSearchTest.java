// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Weakness;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SchedulerKind;
import dev.remus.structures.spec.SetOperation;
import dev.remus.structures.spec.SetSpecification;
import dev.remus.tools.scenarios.NamedScenario;
import dev.remus.tools.scenarios.Size;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
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
    void theSchedulesOfAStoppedSearchAreThoseOfTheLowestSeeds() throws Exception {
        Set<Long> seeds = ConcurrentHashMap.newKeySet();
        AtomicBoolean isStopped = new AtomicBoolean();
        NamedScenario counted = new NamedScenario("counted", "", new Size(2, 1, 0), size -> schedule -> {
            seeds.add(schedule.seed());
            if (seeds.size() == 1_000) {
                isStopped.set(true);
            }
        });
        SearchPlan plan = new SearchPlan(counted, counted.defaultSize(), RANDOM);
        ScheduleSearch search = new ScheduleSearch(plan, 1, Long.MAX_VALUE, finding -> true, isStopped::get);
        assertThat(search.run(3, done -> {})).isEmpty();
        assertThat(seeds)
                .hasSize((int) search.done())
                .hasSizeGreaterThanOrEqualTo(1_000)
                .allMatch(seed -> seed >= 1 && seed <= search.done());
    }

    @Test
    void sizesThatAScenarioRefusesAreNotTried() throws Exception {
        NamedScenario needsFour = new NamedScenario("four", "fails", new Size(4, 2, 0), size -> {
            if (size.threads() < 4) {
                throw new IllegalArgumentException("needs four threads");
            }
            return schedule -> {
                throw new AssertionError("always");
            };
        });
        SearchPlan plan = new SearchPlan(needsFour, needsFour.defaultSize(), RANDOM);
        Finding larger = new Finding(1, new AssertionError("always"));
        assertThat(SmallerCase.of(plan, larger, 2, () -> false, tried -> {})
                        .orElseThrow()
                        .plan()
                        .size())
                .isEqualTo(new Size(4, 1, 0));
    }

    @Test
    void theSmallestFailingSizeIsFound() throws Exception {
        Finding larger = new Finding(157, new AssertionError("unlucky 157"));
        AtomicLong tried = new AtomicLong();
        SmallerCase smaller =
                SmallerCase.of(PLAN, larger, 2, () -> false, tried::set).orElseThrow();
        assertThat(smaller.plan().size()).isEqualTo(new Size(2, 3, 2));
        assertThat(smaller.finding().seed()).isEqualTo(57);
        assertThat(tried.get()).isBetween(1L, (long) SmallerCase.MAX_SCHEDULES);
    }

    /** Two operations fail at once, for another reason than six or more. */
    @Test
    void aSmallerSizeThatFailsForAnotherReasonIsPassedOver() throws Exception {
        NamedScenario two = new NamedScenario("two", "fails", UNLUCKY.defaultSize(), size -> schedule -> {
            if (schedule.seed() == 5) {
                throw new AssertionError("block 0x40 is lost, in seed " + schedule.seed());
            }
            UNLUCKY.factory().apply(size).run(schedule);
        });
        SearchPlan plan = new SearchPlan(two, two.defaultSize(), RANDOM);
        Finding lost = new Finding(5, new AssertionError("block 0x1f80 is lost, in seed 12"));
        Finding unlucky = new Finding(157, new AssertionError("unlucky 157"));
        Finding other = new Finding(157, new IllegalStateException("unlucky 157"));
        assertThat(SmallerCase.of(plan, lost, 2, () -> false, done -> {})).hasValueSatisfying(smaller -> {
            assertThat(smaller.plan().size()).isEqualTo(new Size(2, 1, 1));
            assertThat(smaller.finding().seed()).isEqualTo(5);
        });
        assertThat(SmallerCase.of(plan, unlucky, 2, () -> false, done -> {})).hasValueSatisfying(smaller -> {
            assertThat(smaller.plan().size()).isEqualTo(new Size(2, 3, 2));
            assertThat(smaller.finding().seed()).isEqualTo(57);
        });
        assertThat(SmallerCase.of(plan, other, 2, () -> false, done -> {})).isEmpty();
    }

    @Test
    void aSmallerRejectedHistoryHasAResultOfTheSameKind() throws Exception {
        NamedScenario wrong = new NamedScenario("wrong", "fails", new Size(2, 2, 2), size -> schedule -> {
            boolean present = size.operations() == 1;
            Recorder<SetOperation<Long>, Boolean> recorder = new Recorder<>();
            long key = schedule.seed();
            recorder.record(0, present ? SetOperation.contains(key) : SetOperation.insert(key), () -> present);
            new LinearizabilityChecker<>(new SetSpecification<Long>()).judge(recorder.history());
        });
        SearchPlan plan = new SearchPlan(wrong, new Size(2, 3, 2), RANDOM);
        Finding larger = Finding.in(wrong.factory().apply(plan.size()), Schedule.random(9))
                .orElseThrow();
        assertThat(SmallerCase.of(plan, larger, 2, () -> false, done -> {})
                        .map(smaller -> smaller.plan().size()))
                .contains(new Size(2, 2, 1));
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
