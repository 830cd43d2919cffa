package dev.remus.simulation;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Environment;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.SimFabric;
import dev.remus.fabric.sim.Simulator;
import dev.remus.fabric.sim.Strike;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.MemoryNode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in the simulator, from the start of its nodes to their end.
 *
 * <pre>{@code
 * new SimulatedCluster(config, Schedule.random(seed)).run(ct -> { ... });
 * }</pre>
 *
 * <p>The body runs in every Compute Thread. Only one of them runs at a time, so the bodies may share ordinary Java objects
 * to note what happens; but any remote operation, pause and look at the clock lets others run. Two runs with the same
 * seed do the same, step by step.
 *
 * <p>Blocks are full of garbage at first, since {@link ComputeThread#allocate} promises nothing of what is in them.
 *
 * <p>Faults ({@link Schedule#faults}, {@link Schedule#strikes}) strike only while bodies run. What comes of them is no
 * failure of the run:
 *
 * <ul>
 *   <li>A thread that stopped for ever leaves its body where it is, and whoever waits for it waits in vain. The run ends,
 *       and {@link #run} returns, when nothing has changed for half a second of virtual time.
 *   <li>A node that is lost, or a lane that breaks, shows to threads as a {@link FabricException}; one that leaves a body
 *       ends its node, as always. {@link #run} does not throw it.
 * </ul>
 *
 * <p>So an operation may have begun and not ended: a {@link dev.remus.check.Recorder} has it as pending. Where other
 * threads are to finish all the same, ask {@link #stoppedThreads} who could not.
 */
public final class SimulatedCluster {
    /** A hundred times what a small scenario needs. */
    private static final long MAX_STEPS = 300_000;

    /** Whoever waits for a thread that is held up may look very often meanwhile. */
    private static final long MAX_STEPS_WITH_DELAYS = 10 * MAX_STEPS;

    /** After these, others wait for long. */
    private static final Set<Fault> DELAYS = EnumSet.of(Fault.PAUSED_THREADS, Fault.SLOW_NODES, Fault.LATE_REQUESTS);

    /** What a thread notices as a {@link FabricException}. */
    private static final Set<Fault> VISIBLE =
            EnumSet.of(Fault.LOST_COMPUTE_NODES, Fault.LOST_MEMORY_NODES, Fault.BROKEN_LANES);

    /** Of larger segments, the rest is zero. */
    private static final long MOST_GARBAGE_BYTES = 1 << 16;

    private static final Set<Fault> MEMORY_LOSS = EnumSet.of(Fault.LOST_MEMORY_NODES);

    private final ClusterConfig config;
    private final Simulator simulator;
    private final SimFabric fabric;
    private final SplittableRandom garbage;

    /** By pointer, words that begin with a certain value. */
    private final Map<Long, Long> first = new LinkedHashMap<>();

    private ComputeNode.@Nullable Body preparation;
    private @Nullable Throwable failure;

    /** A cluster that runs as the schedule says. */
    public SimulatedCluster(ClusterConfig config, Schedule schedule) {
        this.config = config;
        this.simulator = new Simulator(schedule.seed(), schedule.scheduler(), schedule.weaknesses())
                .faults(schedule.faults(), schedule.strikes())
                .maxSteps(canDelay(schedule) ? MAX_STEPS_WITH_DELAYS : MAX_STEPS);
        this.fabric = new SimFabric(simulator);
        this.garbage = new SplittableRandom(~schedule.seed());
        schedule.observer().accept(simulator);
    }

    private static boolean canDelay(Schedule schedule) {
        return schedule.faults().stream().anyMatch(DELAYS::contains)
                || schedule.strikes().stream().anyMatch(strike -> DELAYS.contains(strike.fault()));
    }

    /**
     * A small cluster: two Memory Nodes, two Compute Nodes, segments of 16 KiB, and {@code --check-memory}.
     *
     * @param threads how many Compute Threads, an even number
     */
    public SimulatedCluster(int threads, Schedule schedule) {
        this(small(threads).build(), schedule);
    }

    /**
     * The configuration of a small cluster, to be changed.
     *
     * @param threads how many Compute Threads, an even number
     */
    public static ClusterConfig.Builder small(int threads) {
        if (threads < 2 || threads % 2 != 0) {
            throw new IllegalArgumentException(threads + " threads: needs an even number, for two Compute Nodes");
        }
        return ClusterConfig.builder()
                .cluster("small")
                .memoryNodes(0, 1)
                .computeNodes(2, 3)
                .threadsPerNode(threads / 2)
                .segmentSizeLog2(14)
                .checkMemory(true);
    }

    /** Lets nodes that are both read words of their own memory without an operation, as they do over RDMA. */
    public SimulatedCluster withLocalReads() {
        fabric.withLocalReads();
        return this;
    }

    /**
     * Lets a word have a value from the start: for a counter, say, that is to wrap around soon.
     *
     * @param pointer to any word, also one that structures cannot reach
     */
    public SimulatedCluster beginningWith(long pointer, long value) {
        first.put(pointer, value);
        return this;
    }

    /** The simulated world: for its trace, and for letting a run take more steps. */
    public Simulator simulator() {
        return simulator;
    }

    /** Lets every Compute Thread do this first, and then meet the others at a barrier: no fault happens before that. */
    public SimulatedCluster prepared(ComputeNode.Body first) {
        preparation = first;
        return this;
    }

    /** The faults that have happened, in order. */
    public List<Strike> struck() {
        return simulator.struck();
    }

    /** The ids of the Compute Threads that have stopped for ever, by themselves or with their node. */
    public Set<Integer> stoppedThreads() {
        return simulator.stopped();
    }

    /**
     * Runs the cluster, once.
     *
     * @throws Exception what a body threw first, unless it comes of a fault
     * @throws dev.remus.fabric.sim.StuckException if the threads wait for each other for ever, without a fault
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
            litter(id);
        }
        first.forEach((pointer, value) ->
                fabric.preset(config, RdmaPtr.node(pointer), RdmaPtr.segment(pointer), RdmaPtr.offset(pointer), value));
        List<Environment.Task> computeNodes = new ArrayList<>();
        for (int id = config.firstComputeNode(); id <= config.lastComputeNode(); id++) {
            int node = id;
            computeNodes.add(simulator.start("compute-" + id, false, () -> runCompute(node, body)));
        }
        try {
            for (Environment.Task node : computeNodes) {
                node.join();
            }
        } catch (InterruptedException e) {
            failed(e);
        }
        memoryNodes.forEach(this::awaitFinished);
        memoryNodes.forEach(MemoryNode::close);
    }

    private void litter(int node) {
        SegmentLayout layout = new SegmentLayout(config);
        for (int segment = 0; segment < config.segmentsPerNode(); segment++) {
            long end = Math.min(layout.end(segment), MOST_GARBAGE_BYTES);
            for (long offset = SegmentHeader.BYTES; offset < end; offset += Long.BYTES) {
                fabric.preset(config, node, segment, offset, garbage.nextLong());
            }
        }
    }

    private void awaitFinished(MemoryNode node) {
        try {
            node.awaitFinished();
        } catch (RuntimeException e) {
            if (!hasStruck(MEMORY_LOSS)) { // a dead node says nothing
                failed(e);
            }
        }
    }

    private void runCompute(int id, ComputeNode.Body body) {
        try (ComputeNode node = ComputeNode.connect(config, id, fabric)) {
            node.runThreads(ct -> {
                if (preparation != null) {
                    preparation.run(ct);
                    ct.barrier();
                }
                runExposed(body, ct);
            });
        } catch (Throwable e) {
            failed(e);
        }
    }

    private void runExposed(ComputeNode.Body body, ComputeThread ct) throws Exception {
        simulator.expose(ct.id());
        try {
            body.run(ct);
        } catch (Throwable e) {
            failed(e); // now: if another thread of the node has stopped, the node never ends
            throw e;
        } finally {
            simulator.shelter();
        }
    }

    private boolean hasStruck(Set<Fault> faults) {
        return simulator.struck().stream().anyMatch(strike -> faults.contains(strike.fault()));
    }

    /** The reason for which a node gave up is worth more than the reports of the others. */
    private void failed(Throwable e) {
        if (simulator.hasEnded() || e instanceof FabricException && hasStruck(VISIBLE)) {
            return;
        }
        if (failure == null || failure instanceof NodeLostException && !(e instanceof NodeLostException)) {
            failure = e;
        }
    }
}
