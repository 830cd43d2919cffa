// SPDX-License-Identifier: Apache-2.0
package dev.remus.local;

import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeNode;
import dev.remus.node.MemoryNode;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** One node of a cluster in this process, from its start until the whole cluster has finished. */
final class LocalNode {
    private final ClusterConfig config;
    private final int id;
    private final ComputeNode.Body body;

    /** Counts the Compute Nodes of this JVM that have not connected yet. */
    private final CountDownLatch connecting;

    /** The Compute Node; null before it is connected. */
    private volatile @Nullable ComputeNode compute;

    /** Why the node has to end; null while it does not. */
    private volatile @Nullable String reason;

    LocalNode(ClusterConfig config, int id, ComputeNode.Body body, CountDownLatch connecting) {
        this.config = config;
        this.id = id;
        this.body = body;
        this.connecting = connecting;
    }

    /**
     * Runs the node: a Memory Node, a Compute Node or both.
     *
     * @throws Exception the first exception of a body, or that of a node which cannot start or has lost another
     */
    void run() throws Exception {
        if (!config.isMemoryNode(id)) {
            runCompute();
            return;
        }
        MemoryNode memory = MemoryNode.start(config, id);
        try {
            if (config.isComputeNode(id)) {
                runCompute();
            }
            memory.awaitFinished();
        } finally {
            closeUninterrupted(memory::close);
        }
    }

    private void runCompute() throws Exception {
        ComputeNode node = ComputeNode.connect(config, id);
        compute = node;
        try {
            abortIfAsked();
            connecting.countDown();
            connecting.await(); // the failure of a body would end Memory Nodes for which a late node then waits
            node.runThreads(body);
        } finally {
            closeUninterrupted(node::close);
        }
    }

    /** An interrupt that ended the work must not disturb cleaning up. */
    private static void closeUninterrupted(Runnable close) {
        boolean interrupted = Thread.interrupted();
        close.run();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Makes the Compute Threads of this node fail at their next remote operation. Any thread may call it. */
    void abort(String why) {
        reason = why;
        abortIfAsked();
    }

    private void abortIfAsked() {
        ComputeNode running = compute;
        String why = reason;
        if (running != null && why != null) {
            running.abort(why);
        }
    }
}
