// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.cli.progress.Progress;
import dev.remus.config.ClusterConfig;
import dev.remus.fabric.NodeLostException;
import dev.remus.node.ComputeNode;
import dev.remus.node.MemoryNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Runs all nodes of a cluster in this JVM. */
final class OneJvm {
    private static final long SECONDS = 60;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private OneJvm() {}

    /** One Memory Node and two Compute Nodes with two threads each, under a unique name. */
    static ClusterConfig.Builder cluster() {
        return ClusterConfig.builder()
                .cluster("examples-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet())
                .memoryNodes(0, 0)
                .computeNodes(1, 2)
                .threadsPerNode(2);
    }

    static IntSetResult run(IntSetFactory factory, IntSetWorkload workload) throws Exception {
        return run(cluster().build(), factory, workload);
    }

    static IntSetResult run(ClusterConfig config, IntSetFactory factory, IntSetWorkload workload) throws Exception {
        return run(config, factory, workload, notice -> {});
    }

    static IntSetResult verify(IntSetFactory factory, IntSetWorkload workload) throws Exception {
        return verify(cluster().build(), factory, workload);
    }

    static IntSetResult verify(ClusterConfig config, IntSetFactory factory, IntSetWorkload workload) throws Exception {
        return run(config, factory, workload, notice -> {}, true);
    }

    static IntSetResult run(
            ClusterConfig config, IntSetFactory factory, IntSetWorkload workload, Consumer<String> notices)
            throws Exception {
        return run(config, factory, workload, notices, false);
    }

    /**
     * Runs an experiment on all nodes; throws the exception that ended it, not those with which other nodes reacted.
     */
    private static IntSetResult run(
            ClusterConfig config,
            IntSetFactory factory,
            IntSetWorkload workload,
            Consumer<String> notices,
            boolean verifies)
            throws Exception {
        AtomicReference<IntSetResult> result = new AtomicReference<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        List<MemoryNode> memory = new ArrayList<>();
        try {
            for (int id = config.firstMemoryNode(); id <= config.lastMemoryNode(); id++) {
                memory.add(MemoryNode.start(config, id));
            }
            List<Future<?>> nodes = new ArrayList<>();
            for (int id = config.firstComputeNode(); id <= config.lastComputeNode(); id++) {
                int node = id;
                IntSetExperiment experiment =
                        new IntSetExperiment(factory, workload, new Progress(), notices, verifies);
                nodes.add(threads.submit(() -> {
                    runNode(config, node, experiment, result);
                    return null;
                }));
            }
            for (MemoryNode node : memory) {
                nodes.add(threads.submit(node::awaitFinished));
            }
            awaitAll(nodes);
        } finally {
            memory.forEach(MemoryNode::close);
            threads.shutdownNow();
        }
        return result.get();
    }

    private static void runNode(
            ClusterConfig config, int id, IntSetExperiment experiment, AtomicReference<IntSetResult> result)
            throws Exception {
        try (ComputeNode node = ComputeNode.connect(config, id)) {
            node.runThreads(ct -> experiment.run(ct).ifPresent(result::set));
        }
    }

    private static void awaitAll(List<Future<?>> nodes) throws Exception {
        Optional<Exception> first = Optional.empty();
        for (Future<?> node : nodes) {
            try {
                node.get(SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                Exception cause = e.getCause() instanceof Exception thrown ? thrown : e;
                first = first.filter(thrown -> !(thrown instanceof NodeLostException))
                        .or(() -> Optional.of(cause));
            }
        }
        if (first.isPresent()) {
            throw first.get();
        }
    }
}
