// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.progress.Progress;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.junit.SimulationTest;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.LongLazyListSet;
import dev.remus.tools.harness.IntSetExperiment;
import dev.remus.tools.harness.IntSetFactory;
import dev.remus.tools.harness.IntSetResult;
import dev.remus.tools.harness.IntSetWorkload;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;

/** In the simulator, threads die at any moment of an experiment, and the others finish it. */
class LostThreadsTest {
    private static final int THREADS = 4;
    private static final int LATEST_WAIT = 600;
    private static final long QUIET_NANOS = 60_000_000_000L;

    /** Runs an experiment while all threads but one may be lost, and checks that all others have finished it. */
    private static void run(Schedule schedule, ComputeNode.Body experiment) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        int survivor = random.nextInt(THREADS);
        List<Strike> strikes = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            if (thread != survivor && random.nextBoolean()) {
                strikes.add(new Strike(Fault.LOST_COMPUTE_NODES, thread, 1 + random.nextInt(LATEST_WAIT)));
            }
        }
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(THREADS)
                        .computeNodes(2, 1 + THREADS)
                        .threadsPerNode(1)
                        .segmentSizeLog2(17)
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .build(),
                schedule.withStrikes(strikes.toArray(Strike[]::new)));
        cluster.simulator().quietAfter(QUIET_NANOS).maxSteps(Long.MAX_VALUE);
        Set<Integer> finished = new TreeSet<>();
        List<Throwable> thrown = new ArrayList<>();
        cluster.prepared(ct -> {}).run(ct -> {
            try {
                experiment.run(ct);
            } catch (Exception e) {
                if (!cluster.simulator().hasEnded()) { // those of lost threads mean nothing
                    thrown.add(e);
                }
                throw e;
            }
            finished.add(ct.id());
        });
        assertThat(thrown).isEmpty();
        for (int thread = 0; thread < THREADS; thread++) {
            assertThat(finished.contains(thread) || cluster.stoppedThreads().contains(thread))
                    .as("thread %d has finished or was lost; lost are %s", thread, cluster.stoppedThreads())
                    .isTrue();
        }
    }

    @SimulationTest(schedules = 60)
    void theOthersFinishAnExperimentWithASetAndItsBooksBalanceUpToWhatWasInFlight(Schedule schedule) throws Exception {
        IntSetFactory list = IntSetFactory.of("list", LongLazyListSet::create, LongLazyListSet::new);
        IntSetWorkload workload = IntSetWorkload.defaults()
                .withOperations(12)
                .withKeys(0, 5)
                .withSeed(schedule.seed())
                .withReclaimEvery(5);
        List<IntSetResult> results = new ArrayList<>();
        run(schedule, ct -> new IntSetExperiment(list, workload).run(ct, results::add));
        assertThat(results)
                .isNotEmpty()
                .allSatisfy(result ->
                        assertThat(result.isBalanced()).as(result.books()).isTrue());
    }

    @SimulationTest(schedules = 60)
    void theOthersFinishAnExperimentWithAQueueAndItsBooksBalanceUpToWhatWasInFlight(Schedule schedule)
            throws Exception {
        QueueKind kind = schedule.seed() % 2 == 0 ? QueueKind.ND : QueueKind.BUFFERED;
        QueueWorkload workload =
                new QueueWorkload(kind, QueueWorkload.Pattern.RANDOM, 15, 8, schedule.seed()).withLatency(true);
        List<QueueRunResult> results = new ArrayList<>();
        Consumer<QueueRunResult> report = results::add;
        run(schedule, (ComputeThread ct) -> new QueueExperiment(workload, new Progress()).run(ct, report::accept));
        assertThat(results)
                .isNotEmpty()
                .allSatisfy(result ->
                        assertThat(result.isBalanced()).as(result.books()).isTrue());
    }
}
