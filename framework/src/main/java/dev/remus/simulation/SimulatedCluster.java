package dev.remus.simulation;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Environment;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.sim.RandomScheduler;
import dev.remus.fabric.sim.Scheduler;
import dev.remus.fabric.sim.SimFabric;
import dev.remus.fabric.sim.Simulator;
import dev.remus.fabric.sim.Weakness;
import dev.remus.node.ComputeNode;
import dev.remus.node.MemoryNode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A cluster in the simulator, from the start of its nodes to their end.
 *
 * <pre>{@code
 * new SimulatedCluster(config, seed).run(ct -> { ... });
 * }</pre>
 *
 * <p>The body runs in every Compute Thread. Only one of them runs at a time, so the bodies may share ordinary Java objects
 * to note what happens; but any remote operation, pause and look at the clock lets others run. Two runs with the same
 * seed do the same, step by step.
 */
public final class SimulatedCluster {
    /** A hundred times what a small scenario needs. */
    private static final long MAX_STEPS = 300_000;

    private final ClusterConfig config;
    private final Simulator simulator;
    private final SimFabric fabric;
    private Throwable failure;

    /** With everything on that the fabric contract allows, and everybody equally likely to go on. */
    public SimulatedCluster(ClusterConfig config, long seed) {
        this(config, seed, new RandomScheduler(seed), EnumSet.allOf(Weakness.class));
    }

    /**
     * @param seed decides the random numbers of nodes and threads
     * @param scheduler decides everything else
     * @param weaknesses what memory may do
     */
    public SimulatedCluster(ClusterConfig config, long seed, Scheduler scheduler, Set<Weakness> weaknesses) {
        this.config = config;
        this.simulator = new Simulator(seed, scheduler, weaknesses).maxSteps(MAX_STEPS);
        this.fabric = new SimFabric(simulator);
    }

    /** The simulated world: for its trace, and for letting a run take more steps. */
    public Simulator simulator() {
        return simulator;
    }

    /**
     * Runs the cluster, once.
     *
     * @throws Exception what a body threw first
     * @throws dev.remus.fabric.sim.StuckException if the threads wait for each other for ever
     */
    public void run(ComputeNode.Body body) throws Exception {
        simulator.run(() -> runNodes(body));
        if (failure instanceof Exception e) {
            throw e;
        } else if (failure instanceof Error e) {
            throw e;
        }
    }

    private void runNodes(ComputeNode.Body body) {
        List<MemoryNode> memoryNodes = new ArrayList<>();
        for (int id = config.firstMemoryNode(); id <= config.lastMemoryNode(); id++) {
            memoryNodes.add(MemoryNode.start(config, id, fabric));
        }
        List<Environment.Task> computeNodes = new ArrayList<>();
        for (int id = config.firstComputeNode(); id <= config.lastComputeNode(); id++) {
            int node = id;
            computeNodes.add(simulator.start("compute-" + id, false, () -> runCompute(node, body)));
        }
        try {
            for (Environment.Task node : computeNodes) {
                node.join();
            }
            for (MemoryNode node : memoryNodes) {
                node.awaitFinished();
            }
        } catch (InterruptedException | RuntimeException e) {
            failed(e);
        }
        memoryNodes.forEach(MemoryNode::close);
    }

    private void runCompute(int id, ComputeNode.Body body) {
        try (ComputeNode node = ComputeNode.connect(config, id, fabric)) {
            node.runThreads(body);
        } catch (Exception | AssertionError e) {
            failed(e);
        }
    }

    /** What others say of a node that gave up is less of interest than why it did. */
    private void failed(Throwable e) {
        if (failure == null || failure instanceof NodeLostException && !(e instanceof NodeLostException)) {
            failure = e;
        }
    }
}
