// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import dev.remus.cli.progress.Progress;
import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.config.Reclamation;
import dev.remus.fabric.CostModel;
import dev.remus.tools.harness.ModelRun;
import dev.remus.tools.harness.RunLength;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One run of the experiment with queues on a simulated cluster, whose operations cost what a {@link CostModel} has. */
public final class SimulatedQueueRun {
    private final QueueWorkload workload;
    private final ClusterConfig config;
    private final CostModel model;
    private final ModelRun run;

    SimulatedQueueRun(QueueWorkload workload, ClusterConfig config, CostModel model) {
        this.workload = workload;
        this.config = config;
        this.model = model;
        this.run = new ModelRun(config, model, workload.seed());
    }

    /**
     * A run in which each thread does a number of operations, enqueue or dequeue with equal probability, and no queue
     * is ever full.
     */
    public SimulatedQueueRun(QueueKind queue, int nodes, int threads, long operations, long seed, CostModel model) {
        this(
                new QueueWorkload(
                        queue,
                        QueueWorkload.Pattern.RANDOM,
                        RunLength.ofOperations(operations),
                        Math.toIntExact(operations + 1),
                        seed,
                        false),
                cluster(queue, nodes, threads, Math.toIntExact(operations + 1)),
                model);
    }

    /** A cluster with memory for all enqueued items, so that the queue is never limited by memory. */
    static ClusterConfig cluster(QueueKind queue, int nodes, int threads, int capacity) {
        long bytes = segmentBytes(queue, threads, capacity, threads / nodes);
        return ClusterConfig.builder()
                .cluster("model")
                .memoryNodes(0, nodes - 1)
                .computeNodes(0, nodes - 1)
                .threadsPerNode(threads / nodes)
                .lanes(2)
                .lanePolicy(LanePolicy.RAND)
                .segmentSizeLog2(Long.SIZE - Long.numberOfLeadingZeros(bytes - 1))
                .reclaim(Reclamation.BARRIER) // the queues retire nothing
                .build();
    }

    /**
     * A size for the segments of nodes with two segments each that has room for the queue.
     *
     * @param regions the number of threads with memory on one node
     */
    static long segmentBytes(QueueKind queue, int threads, long capacity, int regions) {
        // A cell of bd has a lock with a word for each thread.
        long cellBytes = queue == QueueKind.BD ? 8L * (threads + 1) + 64 : 256;
        int rooms = queue.hasRoomForEachThread() || queue.hasOneConsumer() ? regions : 1;
        return (capacity + 64) * cellBytes * rooms + 64L * threads * regions + (1 << 18);
    }

    /** The log2 of {@link #segmentBytes} for threads that are nodes of their own, and at least that of the default. */
    public static int segmentSizeLog2(QueueKind queue, int threads, long capacity) {
        long bytes = segmentBytes(queue, threads, capacity, 1);
        return Math.max(20, Long.SIZE - Long.numberOfLeadingZeros(bytes - 1));
    }

    /**
     * Runs the experiment, and writes its files.
     *
     * @param progress receives the progress of all threads
     * @param options further options for the files, by name
     * @return the audit in one line if it does not balance; else empty
     * @throws IOException if a file cannot be written
     */
    public Optional<String> run(Progress progress, Map<String, String> options, Path folder)
            throws IOException, InterruptedException {
        QueueRunResult result = whole(progress);
        Map<String, String> all = new LinkedHashMap<>(options);
        all.put("--hardware", model.name());
        all.put("--nodes", Integer.toString(config.computeNodes()));
        all.put("--num-ops", Long.toString(workload.length().operations()));
        all.put("--seed", Long.toString(workload.seed()));
        all.put("busiest", busiest());
        QueueFiles.write(result, all, Files.createDirectories(folder));
        return result.isBalanced() ? Optional.empty() : Optional.of(result.books());
    }

    /** Runs the whole experiment. */
    QueueRunResult whole(Progress progress) throws InterruptedException {
        List<QueueRunResult> results = new ArrayList<>();
        List<QueueExperiment> experiments = new ArrayList<>();
        for (int node = 0; node < config.computeNodes(); node++) {
            experiments.add(new QueueExperiment(workload, progress));
        }
        run.run(workload.toString(), ct -> experiments.get(ct.nodeId()).run(ct).ifPresent(results::add));
        return results.get(0);
    }

    /** Measures a part of a run, of about a number of round trips. */
    QueueRunResult window(long roundTrips) throws InterruptedException {
        QueueWindow[] window = new QueueWindow[1];
        run.run(workload.toString(), ct -> {
            if (window[0] == null) {
                window[0] = new QueueWindow(workload, roundTrips, run.simulator());
            }
            window[0].run(ct);
        });
        return window[0].result(config);
    }

    /** After the run: the part of the hardware that was busy for the largest share of the time. */
    String busiest() {
        return run.busiest();
    }
}
