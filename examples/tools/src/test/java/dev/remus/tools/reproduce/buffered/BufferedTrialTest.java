// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.buffered;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.cli.progress.Progress;
import dev.remus.fabric.CostModel;
import dev.remus.node.ComputeThread;
import dev.remus.structures.RingQueue;
import dev.remus.tools.latency.Latencies;
import dev.remus.tools.queue.QueueOperationKind;
import dev.remus.tools.reproduce.experiment.ExperimentOptions.Where;
import dev.remus.tools.reproduce.experiment.RunExtent;
import dev.remus.tools.reproduce.testbed.RunFailedException;
import dev.remus.tools.reproduce.testbed.RunLimit;
import dev.remus.tools.reproduce.testbed.Testbed;
import dev.remus.tools.reproduce.testbed.Testbeds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("any-jdk")
class BufferedTrialTest {
    private static final BufferedEffort LITTLE = new BufferedEffort(20, 500_000, 4);

    private static BufferedResult run(Where where, BufferedPoint point, long seed) throws Exception {
        return run(where, point, LITTLE, seed);
    }

    private static BufferedResult run(Where where, BufferedPoint point, BufferedEffort effort, long seed)
            throws Exception {
        return new BufferedRun(point, effort)
                .result(
                        new BufferedTrial(point, effort, new Progress()),
                        Testbeds.of(where, CostModel.read("infiniband-fdr")),
                        seed);
    }

    @ParameterizedTest
    @EnumSource
    void theItemsBalanceUnderEveryLoad(BufferedLoad load) throws Exception {
        for (BufferedSeries series : BufferedSeries.values()) {
            for (int batch : new int[] {1, 8}) {
                BufferedResult result = run(Where.SIM, new BufferedPoint(load, series, 3, batch), 1);

                assertThat(result.isBalanced()).as(result.books()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theItemsBalanceOnSharedMemoryToo(BufferedLoad load) throws Exception {
        BufferedResult result = run(Where.SHM, new BufferedPoint(load, BufferedSeries.STRICT, 2, 1), 1);

        assertThat(result.isBalanced()).as(result.books()).isTrue();
        assertThat(result.figures()).containsKey(BufferedFigure.ENQUEUE_P99.column());
    }

    @Test
    void onTheModelTheFiguresFollowFromTheSeed() throws Exception {
        BufferedPoint point = new BufferedPoint(BufferedLoad.FULL, BufferedSeries.RELAXED, 3, 1);
        Map<String, Double> figures = run(Where.SIM, point, 1).figures();

        assertThat(run(Where.SIM, point, 1).figures()).isEqualTo(figures);
        assertThat(run(Where.SIM, point, 2).figures()).isNotEqualTo(figures);
    }

    @Test
    void withRoomAnEnqueueTakesTwoRoundTripsAndADequeueAtMostOne() throws Exception {
        BufferedResult result = run(Where.SIM, new BufferedPoint(BufferedLoad.ROOM, BufferedSeries.STRICT, 3, 1), 1);

        assertThat(result.roundTripsOfEnqueue()).isBetween(2.0, 2.1);
        assertThat(result.roundTripsOfDequeue()).isLessThanOrEqualTo(1);
    }

    @Test
    void producersThatWaitForTheirTurnGetEqualShares() throws Exception {
        BufferedPoint point = new BufferedPoint(BufferedLoad.FULL, BufferedSeries.STRICT, 4, 1);
        BufferedResult result = run(Where.SIM, point, new BufferedEffort(0, 5_000_000, 1), 1);

        assertThat(result.fairnessOfItems()).isGreaterThan(0.99);
        assertThat(result.fewestToMostItems()).isGreaterThan(0.9);
    }

    @Test
    void aLostItemOrAWrongOrderDoesNotBalance() {
        assertThat(result(3, 0).isBalanced()).isTrue();
        assertThat(result(2, 0).isBalanced()).isFalse();
        assertThat(result(3, 1).isBalanced()).isFalse();
        assertThat(result(3, 1).books()).contains("3 enqueued, 3 dequeued", "1 out of order", "NOT BALANCED");
    }

    @ParameterizedTest
    @EnumSource
    void aQueueThatLosesAnItemEndsTheRunInsteadOfWaitingForEver(BufferedLoad load) throws Exception {
        BufferedPoint point = new BufferedPoint(load, BufferedSeries.STRICT, 2, 1);
        CostModel model = CostModel.read("infiniband-fdr");
        for (Where where : new Where[] {Where.SIM, Where.SHM}) {
            Testbed testbed = Testbeds.of(where, model, new RunLimit(200_000, Duration.ofMillis(200)));
            BufferedTrial losing = new BufferedTrial(point, LITTLE, new Progress()) {
                @Override
                void enqueue(RingQueue<Long> queue, List<Long> items, ComputeThread ct) {
                    boolean isLast = load == BufferedLoad.ROOM || items.contains(END);
                    if (!isLast || ct.id() == 1) {
                        super.enqueue(queue, items, ct);
                    }
                }
            };
            assertThatThrownBy(() -> new BufferedRun(point, LITTLE).result(losing, testbed, 1))
                    .isInstanceOf(RunFailedException.class)
                    .hasMessageContaining("end");
        }
    }

    /** The command of the table repeats it; here only the first figures, whose runs are short. */
    @Test
    void theDocumentedRatiosOfTheRelaxedQueueStillHold() throws Exception {
        BufferedPlan plan = new BufferedPlan(RunExtent.DEFAULT, true);
        StringBuilder ratios =
                new StringBuilder("The relaxed queue moves this multiple of the strict queue's items a second: ");
        for (int producers : new int[] {1, 2}) {
            double[] sums = new double[BufferedSeries.values().length];
            for (BufferedRun run : plan.trials()) {
                if (run.point().load() == BufferedLoad.STREAM
                        && run.point().producers() == producers
                        && run.point().batch() == 1) {
                    for (int round = 0; round < plan.rounds(); round++) {
                        sums[run.point().series().ordinal()] += run(Where.SIM, run.point(), run.effort(), 1 + round)
                                .throughput();
                    }
                }
            }
            ratios.append(String.format(
                    Locale.ROOT,
                    "%.2f with %d, ",
                    sums[BufferedSeries.RELAXED.ordinal()] / sums[BufferedSeries.STRICT.ordinal()],
                    producers));
        }
        assertThat(Path.of("..", "REPRODUCE.md")).content(UTF_8).contains(ratios);
    }

    /** Of a run in which one producer enqueued three items. */
    private static BufferedResult result(int dequeued, int reordered) {
        long[][] counts = new long[2][BufferedMetric.values().length];
        counts[0][BufferedMetric.ITEMS.ordinal()] = dequeued;
        counts[0][BufferedMetric.REORDERED.ordinal()] = reordered;
        counts[1][BufferedMetric.ITEMS.ordinal()] = 3;
        return new BufferedResult(
                new BufferedPoint(BufferedLoad.STREAM, BufferedSeries.STRICT, 1, 1),
                counts,
                new Latencies<>(QueueOperationKind.class));
    }
}
