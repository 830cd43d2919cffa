// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page14;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.CostModel;
import dev.remus.node.ComputeThread;
import dev.remus.node.RemoteFuture;
import dev.remus.tools.harness.ModelRun;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Reads words on modelled hardware, by one thread with several READs in flight, and by several threads. */
public final class ManyInFlight {
    private static final int READS = 1024; // of each node
    private static final List<Integer> IN_FLIGHT = List.of(1, 4, 16, 64);
    private static final int SEGMENT_LOG2 = 14;
    private static final double NANOS = 1e9;

    private ManyInFlight() {}

    /** Takes nothing, or the hardware, the number of Compute Nodes and the number of Memory Nodes. */
    public static void main(String... args) throws Exception {
        CostModel hardware = CostModel.read(args.length > 0 ? args[0] : "infiniband-fdr");
        int computeNodes = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        int memoryNodes = args.length > 2 ? Integer.parseInt(args[2]) : 1;
        System.out.println("in flight   READs a second of a node, by");
        System.out.println("of a node     one thread   that many threads");
        for (int inFlight : IN_FLIGHT) {
            System.out.printf(
                    Locale.ROOT,
                    "%9d %,14.0f %,19.0f%n",
                    inFlight,
                    rate(config(computeNodes, memoryNodes, 1, inFlight), hardware),
                    rate(config(computeNodes, memoryNodes, inFlight, 1), hardware));
        }
    }

    private static ClusterConfig config(int computeNodes, int memoryNodes, int threads, int inFlight) {
        return ClusterConfig.builder()
                .memoryNodes(0, memoryNodes - 1)
                .computeNodes(memoryNodes, memoryNodes + computeNodes - 1)
                .threadsPerNode(threads)
                .opsPerThread(inFlight)
                .segmentSizeLog2(SEGMENT_LOG2)
                .build();
    }

    // #region rate
    private static double rate(ClusterConfig config, CostModel hardware) throws InterruptedException {
        long[] nanos = new long[config.totalThreads()];
        new ModelRun(config, hardware, 1).run("reading", ct -> {
            long word = ct.allocate(Long.BYTES); // in turn on each Memory Node
            ct.write(word, 1);
            ct.barrier();
            long start = ct.nanoTime(); // the time of the model
            read(word, READS / config.threadsPerNode(), config.opsPerThread(), ct);
            nanos[ct.id()] = ct.nanoTime() - start;
            ct.barrier();
        });
        return READS * NANOS / Arrays.stream(nanos).max().orElseThrow();
    }

    /** Reads a word so often, and keeps so many READs in flight. */
    private static void read(long word, int reads, int inFlight, ComputeThread ct) {
        RemoteFuture[] futures = new RemoteFuture[inFlight];
        for (int i = 0; i < reads + inFlight; i++) {
            if (i >= inFlight) {
                futures[i % inFlight].await(); // the oldest one
            }
            if (i < reads) {
                futures[i % inFlight] = ct.async().read(word);
            }
        }
    }
    // #endregion rate
}
