package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.check.Timeline;
import dev.remus.check.Verdict;
import dev.remus.fabric.sim.PctScheduler;
import dev.remus.fabric.sim.RandomScheduler;
import dev.remus.fabric.sim.Scheduler;
import dev.remus.fabric.sim.Weakness;
import dev.remus.memory.RdmaPtr;
import dev.remus.structures.FlawedList.Flaw;
import dev.remus.structures.spec.SetOperation;
import dev.remus.structures.spec.SetScenario;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lazy lists in the simulator: the one that is shipped is right, and each known mistake is found. */
class SimulatedListTest {
    private static final int SCHEDULES = Integer.getInteger("remus.schedules", 200);
    private static final int MOST_SCHEDULES = 2_000;
    private static final SetScenario SMALL = new SetScenario(4, 6, 2, false);
    private static final SetScenario RECLAIMING = new SetScenario(4, 12, 3, true);

    /** What went wrong in one schedule, if anything did. */
    private static Optional<String> run(
            SetScenario scenario,
            long seed,
            LongFunction<Scheduler> scheduler,
            SetScenario.Creator creator,
            Function<RdmaPtr<?>, IntSet> opener) {
        try {
            Verdict<SetOperation<Long>, Boolean> verdict =
                    scenario.run(seed, scheduler.apply(seed), EnumSet.allOf(Weakness.class), creator, opener);
            return verdict.isAccepted()
                    ? Optional.empty()
                    : Optional.of("seed " + seed + "\n" + new Timeline().draw(verdict));
        } catch (Exception | Error e) {
            return Optional.of("seed " + seed + ": " + e.toString().lines().findFirst()); // behind it, stack traces
        }
    }

    private static void isClean(SetScenario scenario, LongFunction<Scheduler> scheduler) {
        long first = ThreadLocalRandom.current().nextInt(1 << 30);
        for (long seed = first; seed < first + SCHEDULES; seed++) {
            assertThat(run(scenario, seed, scheduler, LongLazyListSet::create, SimulatedListTest::shipped))
                    .isEmpty();
        }
    }

    @SuppressWarnings("unchecked")
    private static IntSet shipped(RdmaPtr<?> This) {
        return new LongLazyListSet((RdmaPtr<LazyListSet.Shared>) This);
    }

    @Test
    void theLazyListIsLinearizableInRandomSchedules() {
        isClean(SMALL, RandomScheduler::new);
    }

    @Test
    void theLazyListIsLinearizableInSchedulesWithFewPriorityChanges() {
        isClean(SMALL, seed -> new PctScheduler(seed, 4, 3_000));
    }

    @Test
    void theLazyListStaysSoundWhenItsMemoryIsUsedAgain() {
        isClean(RECLAIMING, RandomScheduler::new);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyKnownMistakeIsFoundAndFoundAgainWithTheSameSeed(Flaw flaw) {
        for (long seed = 0; seed < MOST_SCHEDULES; seed++) {
            Optional<String> found = runFlawed(seed, flaw);
            if (found.isPresent()) {
                assertThat(runFlawed(seed, flaw)).as("the same seed again").isEqualTo(found);
                return;
            }
        }
        throw new AssertionError(flaw + " was not found in " + MOST_SCHEDULES + " schedules");
    }

    @Test
    void theListWithoutAMistakeIsNotAccused() {
        for (long seed = 0; seed < SCHEDULES; seed++) {
            assertThat(runFlawed(seed, Flaw.NONE)).isEmpty();
        }
    }

    private static Optional<String> runFlawed(long seed, Flaw flaw) {
        return run(RECLAIMING, seed, RandomScheduler::new, FlawedList::create, This -> new FlawedList(This, flaw));
    }
}
