// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Completions;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Lane;
import dev.remus.fabric.MemoryEndpoint;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** A cluster on the RDMA port of this machine, for one test. */
final class VerbsCluster implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final AtomicInteger PORT = new AtomicInteger(31_100);

    final ClusterConfig config = ClusterConfig.builder()
            .fabric("verbs")
            .cluster("verbs-" + ProcessHandle.current().pid() + "-" + PORT.get())
            .hosts(RdmaMachine.hosts())
            .memoryNodes(0, 1)
            .computeNodes(1, 4)
            .segmentSizeLog2(16)
            .memoryPort(PORT.addAndGet(10))
            .build();

    final VerbsFabric fabric = new VerbsFabric();
    final MemoryEndpoint memory;
    final ComputeEndpoint compute;

    /** Starts Memory Node {@code memoryNode} and Compute Node 1. */
    VerbsCluster(int memoryNode) {
        memory = fabric.openMemory(config, memoryNode);
        memory.publish();
        compute = fabric.openCompute(config, 1);
    }

    /** Polls until a completion arrives, and returns its status. */
    static CompletionStatus await(Lane lane) {
        Completions one = new Completions(1);
        until("a completion of " + lane, () -> lane.poll(one) == 1);
        return one.status(0);
    }

    /** Posts, and waits for the one completion. */
    static CompletionStatus execute(Lane lane, Chain chain) {
        lane.post(chain);
        return await(lane);
    }

    static void until(String what, BooleanSupplier question) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!question.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not in time: " + what);
            }
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        compute.close();
        memory.close();
    }
}
