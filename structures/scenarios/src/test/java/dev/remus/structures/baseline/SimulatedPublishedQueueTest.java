// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.check.RejectedHistoryError;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.fabric.sim.StuckException;
import dev.remus.fabric.sim.Weakness;
import dev.remus.node.TestCluster;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.structures.RemoteQueue;
import dev.remus.structures.spec.PooledQueueScenario;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The simulator finds the mistakes of the lock-free queue as it was published. Each mistake has a seed of its own,
 * which is tried first; if the simulator has changed, later seeds follow.
 */
@Tag("any-jdk")
class SimulatedPublishedQueueTest {
    private static final int MAX_SCHEDULES = 3_000;
    private static final Set<Weakness> STRONG = EnumSet.noneOf(Weakness.class);

    /** Finds the first schedule, from a seed on, in which the queue fails, and checks that it fails again. */
    private static void goesWrong(
            Scenario scenario, LongFunction<Schedule> schedules, long seed, Predicate<Throwable> expected) {
        for (long s = seed; s < seed + MAX_SCHEDULES; s++) {
            Optional<Finding> finding = Finding.in(scenario, schedules.apply(s));
            if (finding.isPresent() && expected.test(finding.get().cause())) {
                assertThat(Finding.in(scenario, schedules.apply(s)))
                        .as("the same seed again")
                        .isEqualTo(finding);
                return;
            }
        }
        throw new AssertionError("not found from seed " + seed + " on");
    }

    private static boolean isRejected(Throwable cause) {
        return cause instanceof RejectedHistoryError;
    }

    private static boolean isEndless(Throwable cause) {
        return cause instanceof StuckException
                || cause instanceof AssertionError && cause.getMessage().contains("has not ended");
    }

    /** Makes a schedule that pauses one of the threads for so long that all others can finish. */
    private static Schedule withAPause(long seed) {
        return Schedule.random(seed)
                .withWeaknesses(STRONG)
                .withStrikes(new Strike(Fault.PAUSED_THREADS, 0, 1 + (int) (seed % 150)));
    }

    @Test
    void point1ACellReusedUnderAReaderBreaksTheOrderOfThePublishedQueue() {
        goesWrong(
                PooledQueueScenario.published(4, 16, 3),
                SimulatedPublishedQueueTest::withAPause,
                293,
                cause -> isRejected(cause));
    }

    @Test
    void point2ClocksThatDifferHangThePublishedQueueWhereSynchronisedOnesDoNot() {
        PooledQueueScenario scenario = PooledQueueScenario.published(2, 30, 4);
        LongFunction<Schedule> synchronised = seed -> Schedule.random(seed).withWeaknesses(STRONG);
        assertThat(Finding.first(scenario, synchronised, 1, 20)).isEmpty();
        goesWrong(
                scenario,
                seed -> synchronised.apply(seed).withFaults(EnumSet.of(Fault.SKEWED_CLOCKS)),
                1,
                cause -> isEndless(cause));
    }

    @Test
    void point3AThreadOfThePublishedQueueWhoseHeadIsAFreeCellNeverEnds() {
        goesWrong(
                PooledQueueScenario.published(4, 16, 3),
                SimulatedPublishedQueueTest::withAPause,
                11,
                cause -> isEndless(cause));
    }

    @Test
    void point4ThePublishedQueueIsFullBecauseOneThreadIdlesAndTheLockFreeQueueIsNot() throws Exception {
        assertThat(fullAnswersWhileOneIdles(PooledQueueScenario.published(2, 1, 64)))
                .isPositive();
        assertThat(fullAnswersWhileOneIdles(PooledQueueScenario.lockFree(2, 1, 64)))
                .isZero();
    }

    /** Thread 1 uses the queue once and then idles, while thread 0 enqueues and dequeues in turn. */
    private static int fullAnswersWhileOneIdles(PooledQueueScenario kind) throws Exception {
        AtomicInteger full = new AtomicInteger();
        TestCluster.of(TestCluster.config(1, 2, 1).build()).run(ct -> {
            if (ct.id() == 0) {
                ct.root().set(kind.creator().create(64, ct));
            }
            ct.barrier();
            RemoteQueue<Long> queue = kind.opener().open(ct.root().get(), ct);
            if (ct.id() == 1) {
                queue.tryEnqueue(0L, ct);
                queue.tryDequeue(ct);
            }
            ct.barrier();
            for (long i = 0; ct.id() == 0 && i < 1_000; i++) {
                if (!queue.tryEnqueue(i, ct)) {
                    full.incrementAndGet();
                }
                queue.tryDequeue(ct);
            }
        });
        return full.get();
    }

    @Test
    void point7ATornElementMakesThePublishedQueueReturnEmptyWhenItIsNot() {
        goesWrong(
                PooledQueueScenario.published(2, 16, 16), // no element is reused
                seed -> Schedule.pct(seed, 6, 1_500).withWeaknesses(EnumSet.of(Weakness.TORN_TRANSFERS)),
                680,
                cause -> isRejected(cause) && cause.getMessage().contains("EMPTY"));
    }

    @Test
    void withLargePoolsAndWholeElementsThePublishedQueueIsLinearizable() {
        assertThat(Finding.first(
                        PooledQueueScenario.published(4, 12, 12),
                        seed -> Schedule.random(seed).withWeaknesses(STRONG),
                        0,
                        200))
                .isEmpty();
    }
}
