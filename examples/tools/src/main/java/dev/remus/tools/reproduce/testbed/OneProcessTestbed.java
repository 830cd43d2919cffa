// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.testbed;

import dev.remus.cli.cluster.GracefulShutdown;
import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.NodeLostException;
import dev.remus.node.ComputeNode;
import dev.remus.node.MemoryNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Clusters on a real fabric, with all nodes in this process, where compiled code stays warm from run to run. */
final class OneProcessTestbed implements Testbed {
    private final String fabric;
    private final RunLimit limit;
    private int runs;

    /** @param fabric the name of the fabric */
    OneProcessTestbed(String fabric, RunLimit limit) {
        this.fabric = fabric;
        this.limit = limit;
    }

    @Override
    public boolean isModelled() {
        return false;
    }

    @Override
    public String description() {
        return "measured on " + fabric;
    }

    @Override
    public String remark(int threads) {
        int processors = Runtime.getRuntime().availableProcessors();
        return threads <= processors
                ? ""
                : "There are " + processors
                        + " processors: runs with more threads show the operating system's scheduler too.";
    }

    @Override
    public void run(ClusterConfig.Builder cluster, long seed, ComputeNode.Body body) throws Exception {
        ClusterConfig config = configured(cluster);
        List<ComputeNode> running = new CopyOnWriteArrayList<>();
        List<MemoryNode> memories = new ArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        try (GracefulShutdown end = new GracefulShutdown(() -> abort(running))) {
            try {
                for (int id = config.firstMemoryNode(); id <= config.lastMemoryNode(); id++) {
                    memories.add(MemoryNode.start(config, id));
                }
                List<Future<?>> nodes = new ArrayList<>();
                for (int id = config.firstComputeNode(); id <= config.lastComputeNode(); id++) {
                    int node = id;
                    nodes.add(threads.submit(() -> {
                        runNode(config, node, running, end, body);
                        return null;
                    }));
                }
                awaitAll(nodes, running);
            } catch (Exception e) {
                abort(running);
                throw e;
            } finally {
                threads.shutdown();
                Thread.interrupted(); // an interrupt of the run must not interrupt the clean-up
                memories.forEach(MemoryNode::close);
            }
        }
    }

    private ClusterConfig configured(ClusterConfig.Builder cluster) {
        cluster.fabric(fabric).cluster("reproduce-" + ProcessHandle.current().pid() + "-" + ++runs);
        ClusterConfig config = cluster.build();
        return Fabric.of(config)
                .localHost(config)
                .map(host ->
                        cluster.hosts(Collections.nCopies(config.nodes(), host)).build())
                .orElse(config);
    }

    private static void runNode(
            ClusterConfig config, int id, List<ComputeNode> running, GracefulShutdown end, ComputeNode.Body body)
            throws Exception {
        try (ComputeNode node = ComputeNode.connect(config, id)) {
            running.add(node);
            if (end.hasBegun()) {
                abort(running);
            }
            node.runThreads(body);
        } catch (Exception e) {
            abort(running); // the other nodes may wait for this one
            throw e;
        }
    }

    private static void abort(List<ComputeNode> running) {
        running.forEach(node -> node.abort("its process was asked to end"));
    }

    /** Waits for all nodes; throws what ended the first, and not what other nodes made of that. */
    private void awaitAll(List<Future<?>> nodes, List<ComputeNode> running) throws Exception {
        long end = System.nanoTime() + limit.time().toNanos();
        Optional<Exception> first = Optional.empty();
        for (Future<?> node : nodes) {
            try {
                node.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                abort(running);
                throw new RunFailedException(
                        "the run has not ended after " + limit.time().toSeconds()
                                + " s: a thread waits for another, or for an item that was lost",
                        e);
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
