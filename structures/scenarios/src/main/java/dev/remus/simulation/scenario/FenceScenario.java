// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Thread 0 changes words on all Memory Nodes without end. It dies with its Compute Node, and some of its requests are
 * late; or a Memory Node declares it lost while it goes on with the others, so that it is a zombie. Once the other
 * threads see that it is lost ({@link dev.remus.node.Peers#isLost}), they take over its words: from then on nobody else
 * may change them. All of them must see its loss, and a zombie must end with an exception that names its own node.
 *
 * <p>In some runs thread 1 loses a Memory Node too, which goes on for the others. It may take over nothing unless that
 * one has cut thread 0 off, because it passes on what it takes over. The others use that without a look of their own.
 * If it cannot know that, it must learn that it waits in vain ({@link dev.remus.node.Peers#isLostAndNotCutOff}).
 *
 * <p>Where Memory Nodes are slow, each of them takes a time of its own to cut a node off, some longer than the loss
 * time-out. The others wait for the slowest of those that are there: in some runs one has died. They learn that they
 * may wait in vain if one takes longer than that time, and only then.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even; each is on a Compute Node of its own
 * @param checks how often each thread that takes over looks whether the words have changed
 * @param isSlow whether Memory Nodes are slow to cut off a node
 * @param wrap replaces the fabric by one that may have a mistake
 */
public record FenceScenario(int threads, int checks, boolean isSlow, UnaryOperator<Fabric> wrap) implements Scenario {
    private static final int VICTIM = 0;
    private static final int HALF_CONNECTED = 1;
    private static final int WORDS = 4;
    private static final int LATEST_WAIT = 30;
    private static final int MOST_LATE = 3;
    private static final int LONGEST_PAUSE = 40;
    private static final long NEVER = Long.MIN_VALUE;

    /** A link is lost after a second. */
    private static final Duration LOSS_TIMEOUT = Duration.ofSeconds(1);

    /** The longest time in which a Memory Node cuts off a node within the loss time-out. */
    private static final Duration SHORT_CUT_OFF = Duration.ofMillis(300);

    /** The shortest time in which one does not. */
    private static final Duration LONG_CUT_OFF = Duration.ofMillis(2500);

    /** Longer than a late request may be late. */
    private static final long QUIET_NANOS = 5_000_000_000L;

    /** Rejects parameters that cannot be run. */
    public FenceScenario {
        if (threads < 2 || threads % 2 != 0 || checks < 1) {
            throw new IllegalArgumentException("threads " + threads + ", checks " + checks
                    + ": needs an even number of threads, and at least one check");
        }
    }

    /** The scenario with Memory Nodes that cut off a node at once. */
    public FenceScenario(int threads, int checks, UnaryOperator<Fabric> wrap) {
        this(threads, checks, false, wrap);
    }

    /** The same on the fabric as it is. */
    public FenceScenario(int threads, int checks) {
        this(threads, checks, fabric -> fabric);
    }

    /** The scenario with slow Memory Nodes, on the fabric as it is. */
    public static FenceScenario slow(int threads, int checks) {
        return new FenceScenario(threads, checks, true, fabric -> fabric);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        ClusterConfig config = SimulatedCluster.small(threads)
                .computeNodes(2, 1 + threads)
                .threadsPerNode(1)
                .onNodeLoss(OnNodeLoss.CONTINUE)
                .lossTimeout(LOSS_TIMEOUT)
                .build();
        boolean dies = random.nextBoolean();
        int last = 1 + random.nextInt(LATEST_WAIT);
        List<Strike> strikes = new ArrayList<>();
        for (int late = random.nextInt(MOST_LATE + 1); late > 0 && last > late; late--) {
            strikes.add(new Strike(Fault.LATE_REQUESTS, VICTIM, last - late));
        }
        Strike loss = new Strike(dies ? Fault.LOST_COMPUTE_NODES : Fault.LOST_LINKS, VICTIM, last);
        strikes.add(loss);
        boolean isHalfConnected = random.nextBoolean();
        boolean mayMemoryDie = isSlow && dies && !isHalfConnected && random.nextBoolean();
        if (isHalfConnected) {
            strikes.add(new Strike(Fault.LOST_LINKS, HALF_CONNECTED, 1 + random.nextInt(LATEST_WAIT)));
        } else if (mayMemoryDie) {
            strikes.add(new Strike(Fault.LOST_MEMORY_NODES, HALF_CONNECTED, 1 + random.nextInt(LATEST_WAIT)));
        }
        SimulatedCluster cluster = new SimulatedCluster(
                        config, schedule.withFaults(Set.of()).withStrikes(strikes.toArray(Strike[]::new)))
                .over(wrap);
        cluster.simulator().quietAfter(QUIET_NANOS);
        boolean isInTime = true;
        for (int node = config.firstMemoryNode(); isSlow && node <= config.lastMemoryNode(); node++) {
            boolean isLong = random.nextBoolean();
            isInTime &= !isLong;
            cluster.cuttingOffAfter(node, drawTime(isLong, random));
        }
        Run run = new Run(
                config.firstComputeNode(),
                isHalfConnected,
                isInTime,
                mayMemoryDie,
                () -> cluster.struck().contains(loss));
        cluster.prepared(run::prepare).run(ct -> run.work(schedule.choices(ct.id()), ct));
        run.judge(dies);
    }

    /** How long a slow Memory Node takes. */
    private static Duration drawTime(boolean isLong, SplittableRandom random) {
        return isLong
                ? LONG_CUT_OFF.plusMillis(random.nextLong(LONG_CUT_OFF.toMillis() / 2))
                : Duration.ofMillis(random.nextLong(SHORT_CUT_OFF.toMillis()));
    }

    /** Records of the run, on the Java heap. */
    private final class Run {
        private final int victimNode;
        private final boolean isHalfConnected;

        /** Whether each Memory Node cuts off a node within the loss time-out. */
        private final boolean isInTime;

        private final boolean mayMemoryDie;

        /** Whether the victim, or its link, is lost by now. */
        private final BooleanSupplier isStruck;

        private final long[] words = new long[WORDS];
        private final Set<Integer> begun = new TreeSet<>();
        private final Set<Integer> through = new TreeSet<>();

        /** The Memory Nodes that the zombie reports as lost. */
        private final Set<Integer> lostMemoryNodes = new TreeSet<>();

        /** Memory Nodes that have died. */
        private final Set<Integer> died = new TreeSet<>();

        /** Whether {@link #HALF_CONNECTED} has taken over, and has passed it on. */
        private boolean isPassedOn;

        /** The first values that a thread saw when it took over; null before. */
        private long @Nullable [] taken;

        private @Nullable NodeLostException endOfVictim;

        Run(int victimNode, boolean isHalfConnected, boolean isInTime, boolean mayMemoryDie, BooleanSupplier isStruck) {
            this.victimNode = victimNode;
            this.isHalfConnected = isHalfConnected;
            this.isInTime = isInTime;
            this.mayMemoryDie = mayMemoryDie;
            this.isStruck = isStruck;
        }

        /** Spreads the words over all Memory Nodes. */
        void prepare(ComputeThread ct) {
            if (ct.id() == VICTIM) {
                for (int i = 0; i < WORDS; i++) {
                    words[i] = ct.allocate(Long.BYTES);
                    ct.write(words[i], 0);
                }
            }
        }

        void work(SplittableRandom random, ComputeThread ct) {
            begun.add(ct.id());
            if (ct.id() == VICTIM) {
                changeForEver(random, ct);
            } else if (ct.id() == HALF_CONNECTED) {
                workHalfConnected(random, ct);
            } else {
                awaitLoss(ct);
                check(random, ct);
            }
        }

        /** Checks that the thread learns in time that it may wait in vain; a Memory Node may have died long before. */
        private void awaitLoss(ComputeThread ct) {
            long since = NEVER;
            boolean mayBeInVain = isHalfConnected;
            while (!isPassedOn && !ct.peers().isLost(VICTIM)) {
                mayBeInVain |= ct.peers().isLostAndNotCutOff(VICTIM);
                boolean begins =
                        since == NEVER && isStruck.getAsBoolean() && ct.peers().isAnyNodeLost();
                since = begins ? ct.nanoTime() : since;
                ct.pause();
            }
            if (!mayBeInVain && since != NEVER && ct.nanoTime() - since > 2 * LOSS_TIMEOUT.toNanos()) {
                throw new AssertionError(ct + " has waited since " + since + " for thread " + VICTIM
                        + " to be cut off, and was not told that it may wait in vain");
            }
            if (mayBeInVain && !isHalfConnected && isInTime) {
                throw new AssertionError(ct + " was told that it may wait in vain for thread " + VICTIM
                        + " to be cut off, although each Memory Node cuts it off in time");
            }
        }

        /** Of a thread that can lose a Memory Node, or be declared lost by it. */
        private void workHalfConnected(SplittableRandom random, ComputeThread ct) {
            try {
                while (!ct.peers().isLost(VICTIM)) {
                    if (ct.peers().isLostAndNotCutOff(VICTIM)) {
                        through.add(ct.id()); // it may wait in vain
                    }
                    ct.pause();
                }
                isPassedOn = true;
                check(random, ct);
            } catch (NodeLostException e) {
                through.add(ct.id());
                if (e.node() == victimNode) {
                    throw e;
                }
            }
        }

        private void changeForEver(SplittableRandom random, ComputeThread ct) {
            while (true) {
                try {
                    change(words[random.nextInt(WORDS)], random, ct);
                } catch (NodeLostException e) {
                    endOfVictim = e;
                    lostMemoryNodes.add(e.node());
                    if (e.node() == victimNode || lostMemoryNodes.containsAll(memoryNodes())) {
                        throw e;
                    }
                } catch (FabricException e) {
                    ct.pause(); // the lane broke
                }
            }
        }

        private Set<Integer> memoryNodes() {
            return Arrays.stream(words).mapToObj(RdmaPtr::node).collect(Collectors.toSet());
        }

        private static void change(long word, SplittableRandom random, ComputeThread ct) {
            switch (random.nextInt(4)) {
                case 0 -> ct.post(word, random.nextLong());
                case 1 -> ct.write(word, random.nextLong());
                case 2 -> ct.read(word);
                default -> ct.place();
            }
        }

        private void check(SplittableRandom random, ComputeThread ct) {
            boolean isCutOff = false; // as far as this thread knows: another one may have passed it on
            for (int i = 0; i < checks; i++) {
                isCutOff |= ct.peers().isLost(VICTIM);
                if (isCutOff && ct.peers().isLostAndNotCutOff(VICTIM)) {
                    throw new AssertionError(ct + " learns that thread " + VICTIM + " is not cut off, after it was");
                }
                long[] seen = Arrays.stream(words).map(word -> read(word, ct)).toArray();
                long[] before = taken;
                if (before == null) {
                    taken = seen;
                } else if (!agree(before, seen)) {
                    throw new AssertionError(ct + " sees " + Arrays.toString(seen) + " after a thread has taken over "
                            + Arrays.toString(before) + ": something of the lost node has arrived since");
                }
                for (int pauses = random.nextInt(LONGEST_PAUSE); pauses > 0; pauses--) {
                    ct.pause();
                }
            }
            through.add(ct.id());
        }

        /** The value of a word; any value if its Memory Node has died. */
        private long read(long word, ComputeThread ct) {
            try {
                return ct.read(word);
            } catch (NodeLostException e) {
                if (!mayMemoryDie || e.node() != RdmaPtr.node(word)) {
                    throw e;
                }
                died.add(e.node());
                return 0;
            }
        }

        /** Whether two threads have seen the same on each Memory Node that has not died. */
        private boolean agree(long[] before, long[] seen) {
            return IntStream.range(0, WORDS)
                    .allMatch(i -> before[i] == seen[i] || died.contains(RdmaPtr.node(words[i])));
        }

        void judge(boolean dies) {
            for (int thread = 0; thread < threads; thread++) {
                boolean hasBegun = !mayMemoryDie || begun.contains(thread); // the memory may die before
                if (thread != VICTIM && hasBegun && !through.contains(thread)) {
                    throw new AssertionError(
                            "thread " + thread + " waits for ever until thread " + VICTIM + " is lost");
                }
            }
            if (!dies && (endOfVictim == null || endOfVictim.node() != victimNode)) {
                throw new AssertionError("the zombie did not end with its own loss", endOfVictim);
            }
        }
    }
}
