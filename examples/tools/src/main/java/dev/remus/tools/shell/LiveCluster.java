// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.shell;

import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.MemoryNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** The cluster of a shell, all of it in this process. What snippets see of it is public. */
public final class LiveCluster implements AutoCloseable {
    private static volatile @Nullable LiveCluster current;

    private final ClusterConfig config;
    private final List<MemoryNode> memory = new ArrayList<>();
    private final ComputeNode compute;
    private @Nullable ComputeThread first;

    private LiveCluster(ClusterConfig config) {
        this.config = config;
        try {
            for (int id = config.firstMemoryNode(); id <= config.lastMemoryNode(); id++) {
                memory.add(MemoryNode.start(config, id));
            }
            compute = ComputeNode.connect(config, config.firstComputeNode());
        } catch (RuntimeException e) {
            memory.forEach(MemoryNode::close);
            throw e;
        }
    }

    /** Starts the cluster of this process. */
    static LiveCluster start(ClusterConfig config) {
        LiveCluster cluster = new LiveCluster(config);
        current = cluster;
        return cluster;
    }

    /**
     * The cluster of the shell that runs in this process.
     *
     * @throws IllegalStateException if there is none
     */
    public static LiveCluster current() {
        LiveCluster cluster = current;
        if (cluster == null) {
            throw new IllegalStateException("no shell runs in this process");
        }
        return cluster;
    }

    /** Its configuration. */
    public ClusterConfig config() {
        return config;
    }

    /** Its Compute Node. */
    public ComputeNode compute() {
        return compute;
    }

    /** Opens Compute Thread 0 for the calling thread, which is to be the one that runs all snippets. */
    public ComputeThread open() {
        first = compute.openThread(0);
        return first;
    }

    /**
     * Runs a body in another Compute Thread, in a Java thread of its own, and waits until it has ended.
     *
     * @param index the number of the Compute Thread, from 1: the snippets have 0
     * @throws Exception what the body throws; also if there is no such Compute Thread
     */
    public void inThread(int index, ComputeNode.Body body) throws Exception {
        FutureTask<Void> task = new FutureTask<>(() -> {
            try (ComputeThread ct = compute.openThread(index)) {
                body.run(ct);
            }
            return null;
        });
        Thread thread = new Thread(task, "remus-shell-" + index);
        thread.setDaemon(true); // a body that never ends does not keep the shell open
        thread.start();
        try {
            task.get();
        } catch (InterruptedException e) {
            task.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** Closes Compute Thread 0 of the shell in this process, if any. To be called by the thread that has opened it. */
    static void closeThread() {
        LiveCluster cluster = current;
        ComputeThread opened = cluster == null ? null : cluster.first;
        if (opened != null) {
            opened.close();
        }
    }

    /** Ends the nodes. */
    @Override
    public void close() {
        current = null;
        compute.close();
        memory.forEach(MemoryNode::close);
    }
}
