// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation;

import dev.remus.check.Recorder;
import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.config.Reclamation;
import dev.remus.fabric.Environment;
import dev.remus.fabric.Fabric;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in the simulator, from the start of its nodes to their end.
 *
 * <pre>{@code
 * new SimulatedCluster(config, Schedule.random(seed)).run(ct -> { ... });
 * }</pre>
 *
 * <p>The body runs in every Compute Thread. Only one of them runs at a time, so the bodies may record results in shared
 * Java objects; but any remote operation, pause and reading of the clock lets others run. Two runs with the same seed
 * are equal, step by step.
 *
 * <p>Blocks contain garbage at first, since {@link ComputeThread#allocate} promises nothing about their contents.
 *
 * <p>Faults ({@link Schedule#faults}, {@link Schedule#strikes}) strike only while bodies run. Their consequences do not
 * fail the run:
 *
 * <ul>
 *   <li>A thread that stops for ever leaves its body unfinished, and other threads wait for it in vain. The run ends,
 *       and {@link #run} returns, when nothing has changed for half a second of virtual time.
 *   <li>Threads notice a lost node or a broken lane by a {@link FabricException}. An exception that leaves a body ends
 *       its node, as always; {@link #run} does not throw it.
 * </ul>
 *
 * <p>So an operation may have begun and not ended: in a {@link dev.remus.check.Recorder} it is pending. Where other
 * threads must finish all the same, {@link #stoppedThreads} returns those that could not.
 */
public final class SimulatedCluster {
    /** The limit of steps, a hundred times the need of a small scenario. */
    private static final long MAX_STEPS = 300_000;

    /** The limit where waiters may poll very often for a thread that is delayed. */
    private static final long MAX_STEPS_WITH_DELAYS = 10 * MAX_STEPS;

    /** The faults after which other threads wait for long. */
    private static final Set<Fault> DELAYS = EnumSet.of(Fault.PAUSED_THREADS, Fault.SLOW_NODES, Fault.LATE_REQUESTS);

    /** The faults that threads notice by a {@link FabricException}. */
    private static final Set<Fault> VISIBLE = EnumSet.of(
            Fault.LOST_COMPUTE_NODES,
            Fault.LOST_MEMORY_NODES,
            Fault.BROKEN_LANES,
            Fault.DOWN_LINKS,
            Fault.LOST_LINKS,
            Fault.STUCK_LANES,
            Fault.INTERRUPTED_THREADS);

    /** The number of bytes of garbage; the rest of a larger segment is zero. */
    private static final long MAX_GARBAGE_BYTES = 1 << 16;

    private static final Set<Fault> MEMORY_LOSS = EnumSet.of(Fault.LOST_MEMORY_NODES);

    private final ClusterConfig config;
    private final Simulator simulator;
    private final SimFabric fabric;

    /** The fabric as the nodes see it. */
    private Fabric seen;

    private final SplittableRandom garbage;

    /** The initial values of words, by pointer. */
    private final Map<Long, Long> first = new LinkedHashMap<>();

    private final Map<Integer, ComputeNode> computeNodes = new HashMap<>();
    private ComputeNode.@Nullable Body preparation;
    private ComputeNode.@Nullable Body conclusion;
    private @Nullable Throwable failure;

    /** Makes a cluster that runs in the given schedule. */
    public SimulatedCluster(ClusterConfig config, Schedule schedule) {
        this.config = config;
        this.simulator = new Simulator(schedule.seed(), schedule.scheduler(), schedule.weaknesses())
                .faults(schedule.faults(), schedule.strikes())
                .startTogether(config.totalThreads())
                .maxSteps(canDelay(schedule) ? MAX_STEPS_WITH_DELAYS : MAX_STEPS);
        this.fabric = new SimFabric(simulator);
        this.seen = fabric;
        this.garbage = new SplittableRandom(~schedule.seed());
        schedule.observer().accept(simulator);
    }

    private static boolean canDelay(Schedule schedule) {
        return schedule.faults().stream().anyMatch(DELAYS::contains)
                || schedule.strikes().stream().anyMatch(strike -> DELAYS.contains(strike.fault()));
    }

    /**
     * Makes a small cluster: two Memory Nodes, two Compute Nodes, segments of 16 KiB, {@code --check-memory}, and
     * {@code --reclaim barrier}.
     *
     * @param threads the number of Compute Threads, which is even
     */
    public SimulatedCluster(int threads, Schedule schedule) {
        this(small(threads).build(), schedule);
    }

    /**
     * Returns the configuration of a small cluster, for changes. It has {@code --reclaim barrier}, since the steps of
     * epochs would take the place of steps that a structure's own race needs.
     *
     * @param threads the number of Compute Threads, which is even
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
                .lanes(2)
                .lanePolicy(LanePolicy.RAND)
                .segmentSizeLog2(14)
                .reclaim(Reclamation.BARRIER)
                .checkMemory(true);
    }

    /**
     * Ends the run after this many steps, with a {@link dev.remus.fabric.sim.StuckException} unless a thread has
     * stopped or something is lost. By default, these are 300,000, or 3,000,000 with faults that delay threads. A page
     * that plays a schedule keeps the last 20,000 moments.
     */
    public SimulatedCluster within(long steps) {
        simulator.maxSteps(steps);
        return this;
    }

    /** Lets the nodes use the fabric through a wrapper, for instance one with a planted mistake. */
    public SimulatedCluster over(UnaryOperator<Fabric> wrap) {
        seen = wrap.apply(fabric);
        return this;
    }

    /** Lets nodes that are both read words of their own memory without an operation, as they do over RDMA. */
    public SimulatedCluster withLocalReads() {
        fabric.withLocalReads();
        return this;
    }

    /** Makes a Memory Node take so long to cut off a Compute Node that is lost. Otherwise it does so at once. */
    public SimulatedCluster cuttingOffAfter(int memoryNode, Duration time) {
        fabric.cuttingOffAfter(memoryNode, time);
        return this;
    }

    /**
     * Gives a word an initial value, for instance to a counter that is about to wrap around.
     *
     * @param pointer a pointer to any word, even one that structures cannot access
     */
    public SimulatedCluster beginningWith(long pointer, long value) {
        first.put(pointer, value);
        return this;
    }

    /**
     * Declares that bodies share no Java objects but this recorder, so that an exhaustive search needs far fewer
     * schedules. To be called before {@link #run}.
     */
    public SimulatedCluster recordedBy(Recorder<?, ?> recorder) {
        simulator.sharesOnlyRecords();
        recorder.observedBy(new Recorder.Observer() {
            @Override
            public void called() {
                simulator.called();
            }

            @Override
            public void returned() {
                simulator.returned();
            }
        });
        return this;
    }

    /** Returns the simulator, for instance to read its trace or to raise the limit of steps. */
    public Simulator simulator() {
        return simulator;
    }

    /**
     * Makes every Compute Thread run this body first, and then meet the others at a barrier; no fault happens before
     * that.
     */
    public SimulatedCluster prepared(ComputeNode.Body first) {
        preparation = first;
        return this;
    }

    /**
     * Makes every Compute Thread meet the others at a barrier after its body, and then run this body; no fault happens
     * from the end of its first body on. A check of the final state belongs here rather than behind a barrier in the
     * body: that would be a loop of polls, of which an exhaustive search leaves most out.
     */
    public SimulatedCluster concluded(ComputeNode.Body last) {
        conclusion = last;
        return this;
    }

    /**
     * Returns a Compute Node by its id, for instance to open a thread of it again. For bodies that run on it.
     *
     * @throws IllegalArgumentException if no such node has connected
     */
    public ComputeNode computeNode(int id) {
        ComputeNode node = computeNodes.get(id);
        if (node == null) {
            throw new IllegalArgumentException("Compute Node " + id + " is not connected");
        }
        return node;
    }

    /** Returns the faults that have happened, in order. */
    public List<Strike> struck() {
        return simulator.struck();
    }

    /** Returns whether no fault has happened but those that only delay ({@link Fault#onlyDelays}). */
    public boolean isOnlyDelayed() {
        return simulator.struck().stream().allMatch(strike -> strike.fault().onlyDelays());
    }

    /** Returns the ids of the Compute Threads that have stopped for ever, alone or with their node. */
    public Set<Integer> stoppedThreads() {
        return simulator.stopped();
    }

    /**
     * Runs the cluster, once.
     *
     * @throws Exception the first exception of a body, unless a fault caused it
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
            memoryNodes.add(MemoryNode.start(config, id, seen));
            litter(id);
        }
        first.forEach((pointer, value) ->
                fabric.preset(config, RdmaPtr.node(pointer), RdmaPtr.segment(pointer), RdmaPtr.offset(pointer), value));
        List<Environment.Task> tasks = new ArrayList<>();
        for (int id = config.firstComputeNode(); id <= config.lastComputeNode(); id++) {
            int node = id;
            tasks.add(simulator.start("compute-" + id, false, () -> runCompute(node, body)));
        }
        try {
            for (Environment.Task node : tasks) {
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
            long end = Math.min(layout.end(segment), MAX_GARBAGE_BYTES);
            long[] words = new long[(int) Math.max(0, end - SegmentHeader.BYTES) / Long.BYTES];
            Arrays.setAll(words, i -> garbage.nextLong());
            fabric.preset(config, node, segment, SegmentHeader.BYTES, words);
        }
    }

    private void awaitFinished(MemoryNode node) {
        try {
            node.awaitFinished();
        } catch (RuntimeException e) {
            if (!hasStruck(MEMORY_LOSS)) { // a dead node's exception is expected
                failed(e);
            }
        }
    }

    private void runCompute(int id, ComputeNode.Body body) {
        try (ComputeNode node = ComputeNode.connect(config, id, seen)) {
            computeNodes.put(id, node);
            node.runThreads(ct -> {
                if (preparation != null) {
                    preparation.run(ct);
                    ct.barrier();
                }
                runExposed(body, ct);
                if (conclusion != null) {
                    ct.barrier();
                    conclusion.run(ct);
                }
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
            failed(e); // at once: if another thread of the node has stopped, the node never ends
            throw e;
        } finally {
            simulator.shelter();
        }
    }

    private boolean hasStruck(Set<Fault> faults) {
        return simulator.struck().stream().anyMatch(strike -> faults.contains(strike.fault()));
    }

    /** Keeps the first failure, but prefers a node's own failure to reports that the node is lost. */
    private void failed(Throwable e) {
        if (simulator.hasEnded() || e instanceof FabricException && hasStruck(VISIBLE)) {
            return;
        }
        if (failure == null || failure instanceof NodeLostException && !(e instanceof NodeLostException)) {
            failure = e;
            simulator.note("failure: " + e.toString().lines().findFirst().orElse(""));
        }
    }
}
