package dev.remus.cli.cluster;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.node.ComputeNode;
import dev.remus.node.MemoryNode;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** One node of a cluster, in this process: Memory Node, Compute Node or both. */
final class NodeRun {
    private final ClusterConfig cluster;
    private final int id;
    private final Job job;
    private final NodeContext context;
    private final PrintStream err;
    private final Thread runner = Thread.currentThread();

    /** Null before and after its part of the run. */
    private volatile @Nullable ComputeNode compute;

    private volatile boolean started;
    private volatile boolean stopping;

    /** To be made by the thread that runs it. */
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
    int run(EndOfProcess end) {
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

    /** Makes {@link #run} end soon. May be called by any thread. */
    void stop() {
        stopping = true;
        abortIfStopping();
        runner.interrupt();
    }

    private void abortIfStopping() {
        ComputeNode running = compute;
        if (stopping && running != null) {
            running.abort("its process was told to end");
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
            Thread.interrupted(); // whatever ended the waiting must not end the cleaning up
            memory.close();
        }
    }

    /** Under {@code --on-node-loss continue}: a loss that is no reason for this node to fail. */
    private void reportTolerated(NodeLostException loss) {
        err.println("remus: " + where() + loss.getMessage() + "; the others finished (--on-node-loss continue)");
        err.flush();
    }

    /** Names this node where nobody else does. */
    private String where() {
        return Parent.exists() ? "" : "node " + id + ": ";
    }

    /** Runs the part of a node that is both; if that fails, the other nodes still get the time to notice. */
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
            node.runThreads(ct -> job.run(ct, context));
        } finally {
            boolean interrupted = Thread.interrupted();
            node.close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
