// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A process that measures the simulator: threads of two Compute Nodes READ (six times out of eight), CAS and WRITE
 * words of two Memory Nodes, in random schedules with all memory weaknesses. After a warm-up, it prints a line for each
 * run:
 *
 * <pre>
 *  operations, wall-clock seconds, processor seconds, kind of threads
 * </pre>
 */
final class SimBenchmark {
    private static final int WORDS = 256;
    private static final int MAX_LANES = 32;

    private final int threads;
    private final int operations;
    private final Consumer<String> results;
    private final ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    private long start;
    private long processorStart;

    /** The time that the system's threads have used; they are the simulated ones unless these are continuations. */
    private long processorNanos;

    private int begun;
    private int ended;

    private SimBenchmark(int threads, int operations, Consumer<String> results) {
        this.results = results;
        this.threads = threads;
        this.operations = Math.max(1, operations / threads);
    }

    /**
     * Measures repeatedly.
     *
     * @param args the numbers of threads, of runs, and of operations in each run by all threads together, and the
     *     milliseconds that warm-up and measurement last at least; half of the runs are warm-up
     */
    public static void main(String[] args) throws Exception {
        ProgramRunner.watchParent();
        int threads = Integer.parseInt(args[0]);
        int runs = Integer.parseInt(args[1]);
        int operations = Integer.parseInt(args[2]);
        long nanos = Long.parseLong(args[3]) * 1_000_000;
        repeat(threads, operations, runs / 2, nanos, line -> {});
        repeat(threads, operations, runs - runs / 2, nanos, System.out::println);
    }

    private static void repeat(int threads, int operations, int runs, long nanos, Consumer<String> results)
            throws Exception {
        long start = System.nanoTime();
        for (int seed = 0; seed < runs || System.nanoTime() - start < nanos; seed++) {
            new SimBenchmark(threads, operations, results).run(seed);
        }
    }

    private void run(long seed) throws Exception {
        ClusterConfig config = ClusterConfig.builder()
                .cluster("bench")
                .memoryNodes(0, 1)
                .computeNodes(2, 3)
                .threadsPerNode(threads / 2)
                .lanes(Math.min(MAX_LANES, threads / 2))
                .lanePolicy(LanePolicy.RAND)
                .segmentSizeLog2(16)
                .build();
        SimulatedCluster cluster = new SimulatedCluster(config, Schedule.random(seed));
        cluster.simulator().maxSteps(Long.MAX_VALUE);
        cluster.prepared(SimBenchmark::setUp).run(ct -> measure(ct, cluster));
    }

    private static void setUp(ComputeThread ct) {
        if (ct.id() == 0) {
            ct.root().set(new RdmaPtr<>(ct.allocate(2 * WORDS * Long.BYTES)));
        }
    }

    private void measure(ComputeThread ct, SimulatedCluster cluster) {
        if (begun++ == 0) {
            start = System.nanoTime();
            processorStart = clock.getCurrentThreadCpuTime();
        }
        long ownStart = clock.getCurrentThreadCpuTime();
        long written = ct.root().get().raw();
        long swapped = written + WORDS * Long.BYTES;
        SplittableRandom random = new SplittableRandom(ct.id());
        for (int i = 0; i < operations; i++) {
            long offset = random.nextInt(WORDS) * (long) Long.BYTES;
            switch (random.nextInt(8)) {
                case 0 -> ct.write(written + offset, i);
                case 1 -> ct.compareAndSwap(swapped + offset, 0, 1);
                default -> ct.read(written + offset);
            }
        }
        long ownEnd = clock.getCurrentThreadCpuTime();
        boolean isOneThread = cluster.simulator().threadKind().equals("continuations");
        processorNanos = isOneThread ? ownEnd - processorStart : processorNanos + ownEnd - ownStart;
        if (++ended == threads) {
            results.accept((long) threads * operations + "," + (System.nanoTime() - start) / 1e9 + ","
                    + processorNanos / 1e9 + "," + cluster.simulator().threadKind());
        }
    }
}
