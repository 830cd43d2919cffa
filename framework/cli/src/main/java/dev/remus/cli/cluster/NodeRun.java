// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.cluster;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.node.ComputeNode;
import dev.remus.node.MemoryNode;
import dev.remus.node.NodeFigures;
import dev.remus.process.Parent;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** Runs one node of a cluster in this process: a Memory Node, a Compute Node or both. */
final class NodeRun {
    private final ClusterConfig cluster;
    private final int id;
    private final Job job;
    private final NodeContext context;
    private final PrintStream err;
    private final Thread runner = Thread.currentThread();

    /** The Compute Node; null before it is connected. */
    private volatile @Nullable ComputeNode compute;

    private volatile boolean started;
    private volatile boolean stopping;

    /** Must be constructed by the thread that calls {@link #run}. */
    NodeRun(ClusterConfig cluster, int id, Job job, NodeContext context, PrintStream err) {
        this.cluster = cluster;
        this.id = id;
        this.job = job;
        this.context = context;
        this.err = err;
    }

    /**
     * Runs the node until the whole cluster has finished.
     *
     * @return an {@link ExitStatus}
     */
    int run(GracefulShutdown end) {
        try {
            runNode();
            return ExitStatus.OK;
        } catch (Exception | Error e) {
            if (!end.hasBegun()) {
                Failure.print(e, where(), err);
            }
            return started || e instanceof NodeLostException ? ExitStatus.FAILED : Failure.statusAtStart(e);
        }
    }

    /** Makes {@link #run} end soon. Any thread may call it. */
    void stop() {
        stopping = true;
        abortIfStopping();
        runner.interrupt();
    }

    private void abortIfStopping() {
        ComputeNode running = compute;
        if (stopping && running != null) {
            running.abort("its process was asked to end");
        }
    }

    private void runNode() throws Exception {
        if (!cluster.isMemoryNode(id)) {
            runCompute();
            return;
        }
        MemoryNode memory = MemoryNode.start(cluster, id);
        try {
            if (cluster.isComputeNode(id)) {
                runCompute(memory);
            } else {
                started = true;
            }
            memory.awaitFinished();
            memory.losses().forEach(this::reportTolerated);
        } finally {
            Thread.interrupted(); // an interrupt that ended the wait must not disturb cleaning up
            memory.close();
        }
    }

    /** Reports a loss that this node tolerates under {@code --on-node-loss continue}. */
    private void reportTolerated(NodeLostException loss) {
        err.println("remus: " + where() + loss.getMessage() + ClusterRun.TOLERATED);
        err.flush();
    }

    /** A prefix that names this node, unless the parent process adds one. */
    private String where() {
        return Parent.exists() ? "" : "node " + id + ": ";
    }

    /** Runs the Compute Node of a node with both roles. If it fails, other nodes still get time to notice. */
    private void runCompute(MemoryNode memory) throws Exception {
        try {
            runCompute();
        } catch (Exception e) {
            if (started && !Thread.currentThread().isInterrupted()) {
                awaitOthers(memory, e);
            }
            throw e;
        }
    }

    private static void awaitOthers(MemoryNode memory, Exception failure) {
        try {
            memory.awaitFinished();
        } catch (FabricException e) {
            failure.addSuppressed(e);
        }
    }

    private void runCompute() throws Exception {
        ComputeNode node = ComputeNode.connect(cluster, id);
        compute = node;
        try {
            started = true;
            abortIfStopping();
            node.runThreads(ct -> {
                NodeFigures.show(ct, "work", context.progress()::toString);
                job.run(ct, context);
            });
        } finally {
            boolean interrupted = Thread.interrupted();
            node.close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
