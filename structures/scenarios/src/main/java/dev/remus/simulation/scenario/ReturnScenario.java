// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.lock.Acquisition;
import dev.remus.lock.RemoteLock;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Thread 0 changes words on all Memory Nodes without end, some of them in a lock, and dies with its Compute Node at any
 * moment; some of its requests are late. At once its node is started again, perhaps before any other node has noticed
 * the loss. From the moment at which it has joined, nobody changes the words of its earlier life. Its new thread gets
 * the lock, and meets the others at the barriers that begin from then on. All agree on who took part in each, and find
 * there what the others wrote before.
 *
 * <p>With several returns, each life but the last dies, mostly while it joins, and the node is started again. Or the
 * first life is so late that the others have given it up, and meets them as one that has come back. Memory Nodes take
 * a while to cut a node off.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even; each is on a Compute Node of its own
 * @param rounds how many barriers the new thread takes part in
 * @param returns how often the node comes back
 * @param wrap replaces the fabric by one that may have a mistake
 */
public record ReturnScenario(int threads, int rounds, int returns, UnaryOperator<Fabric> wrap) implements Scenario {
    private static final int VICTIM = 0;
    private static final int FIRST_COMPUTE_NODE = 2;

    /** The barrier that ends the preparation, at which no thread writes that it arrives. */
    private static final long PREPARATION = 1;

    private static final int WORDS = 4;
    private static final int LATEST_DEATH = 40;
    private static final int LATEST_EARLY_DEATH = 100;
    private static final int MOST_LATE = 3;
    private static final int LONGEST_PAUSE = 20;
    private static final int SEVERAL_RETURNS = 3;

    /** A node that joins waits for about so long until it is let in. */
    private static final int LATEST_DEATH_OF_A_RETURN = 200;

    private static final int GIVEN_UP_ONE_IN = 4;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final long LONGEST_CUT_OFF_MILLIS = 300;

    /** So a run takes few steps until the late node starts. */
    private static final long POLL_NANOS = 50_000_000;

    private static final Duration LOSS_TIMEOUT = Duration.ofSeconds(1);

    /** Longer than a late request may be late. */
    private static final long QUIET_NANOS = 5_000_000_000L;

    /** Rejects parameters that cannot be run. */
    public ReturnScenario {
        if (threads < 2 || threads % 2 != 0 || rounds < 1 || returns < 1) {
            throw new IllegalArgumentException("threads " + threads + ", rounds " + rounds + ", returns " + returns
                    + ": needs an even number of threads, and at least one round and one return");
        }
    }

    /** The scenario with one return. */
    public ReturnScenario(int threads, int rounds, UnaryOperator<Fabric> wrap) {
        this(threads, rounds, 1, wrap);
    }

    /** The same on the fabric as it is. */
    public ReturnScenario(int threads, int rounds) {
        this(threads, rounds, fabric -> fabric);
    }

    /** The scenario with several returns, on the fabric as it is. */
    public static ReturnScenario again(int threads, int rounds) {
        return new ReturnScenario(threads, rounds, SEVERAL_RETURNS, fabric -> fabric);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        ClusterConfig.Builder settings = SimulatedCluster.small(threads)
                .computeNodes(FIRST_COMPUTE_NODE, 1 + threads)
                .threadsPerNode(1)
                .onNodeLoss(OnNodeLoss.CONTINUE)
                .returns(returns)
                .lossTimeout(LOSS_TIMEOUT);
        boolean isGivenUp = returns > 1 && random.nextInt(GIVEN_UP_ONE_IN) == 0;
        ClusterConfig config = (isGivenUp ? settings.connectTimeout(CONNECT_TIMEOUT) : settings).build();
        boolean diesEarly = returns > 1 && !isGivenUp && random.nextBoolean(); // while it joins for the first time
        int death = 1 + random.nextInt(diesEarly ? LATEST_EARLY_DEATH : LATEST_DEATH);
        List<Strike> strikes = new ArrayList<>();
        for (int late = random.nextInt(MOST_LATE + 1); late > 0 && death > late; late--) {
            strikes.add(new Strike(Fault.LATE_REQUESTS, VICTIM, death - late));
        }
        strikes.add(new Strike(Fault.LOST_COMPUTE_NODES, VICTIM, death));
        for (int life = 1; !isGivenUp && life < returns; life++) {
            int wait = 1 + random.nextInt(LATEST_DEATH_OF_A_RETURN);
            strikes.add(new Strike(Fault.LOST_COMPUTE_NODES, life * threads, wait));
        }
        List<Fabric> seen = new ArrayList<>();
        SimulatedCluster cluster = new SimulatedCluster(
                        config, schedule.withFaults(Set.of()).withStrikes(strikes.toArray(Strike[]::new)))
                .over(fabric -> {
                    seen.add(wrap.apply(fabric));
                    return seen.get(0);
                });
        cluster.simulator().quietAfter(QUIET_NANOS);
        for (int node = config.firstMemoryNode(); returns > 1 && node <= config.lastMemoryNode(); node++) {
            cluster.cuttingOffAfter(node, Duration.ofMillis(random.nextLong(LONGEST_CUT_OFF_MILLIS)));
        }
        long late = CONNECT_TIMEOUT
                .plusMillis(random.nextLong(CONNECT_TIMEOUT.toMillis()))
                .toNanos();
        if (isGivenUp) {
            cluster.over(fabric -> new WatchedFabric(
                    seen.get(0), node -> at(node, () -> cluster.simulator().sleep(late)), node -> {}));
        } else if (diesEarly) {
            cluster.over(fabric -> new WatchedFabric(
                    seen.get(0),
                    node -> {},
                    node -> at(node, () -> cluster.simulator().expose(VICTIM))));
        }
        Run run = new Run(config, cluster, seen.get(0), schedule, isGivenUp);
        cluster.prepared(run::prepare).run(ct -> run.work(schedule.choices(ct.id()), ct));
        run.judge();
    }

    /** Does something if a node is the one that is to die. */
    private static void at(int node, Runnable what) {
        if (node == FIRST_COMPUTE_NODE) {
            what.run();
        }
    }

    /** Records of the run, on the Java heap. */
    private final class Run {
        private final ClusterConfig config;
        private final SimulatedCluster cluster;
        private final Fabric fabric;
        private final Schedule schedule;

        /** Whether the first life is so late that the others give it up. */
        private final boolean isGivenUp;

        private final long[] words = new long[WORDS];
        private long lock;

        /** Where each thread writes the number of the barrier at which it arrives. */
        private long arrivals;

        /** Who took part in each barrier, by its number. */
        private final Map<Long, Set<Integer>> participants = new HashMap<>();

        private boolean isStarted;
        private boolean isDone;
        private @Nullable Throwable failure;

        Run(ClusterConfig config, SimulatedCluster cluster, Fabric fabric, Schedule schedule, boolean isGivenUp) {
            this.config = config;
            this.cluster = cluster;
            this.fabric = fabric;
            this.schedule = schedule;
            this.isGivenUp = isGivenUp;
        }

        void prepare(ComputeThread ct) {
            if (ct.id() != (returns > 1 ? VICTIM + 1 : VICTIM)) { // with several returns, the victim may be late
                return;
            }
            for (int i = 0; i < WORDS; i++) {
                words[i] = ct.allocate(Long.BYTES);
                ct.write(words[i], 0);
            }
            arrivals = ct.allocate((long) Long.BYTES * ct.threads());
            for (int thread = 0; thread < ct.threads(); thread++) {
                ct.write(arrivals + (long) Long.BYTES * thread, 0);
            }
            RemoteLock created = new RemoteLock(ct.threads());
            created.allocate(ct);
            created.init(ct);
            lock = created.pointer();
            if (returns > 1 && !isGivenUp) {
                startReturns(); // the first life may die before it has joined
            }
        }

        private void startReturns() {
            for (int life = 1; life <= returns; life++) {
                int number = life;
                cluster.simulator().start("return", false, () -> comeBack(number));
            }
        }

        void work(SplittableRandom random, ComputeThread ct) {
            if (ct.id() == VICTIM) {
                changeForEver(random, ct);
            } else if (ct.id() >= threads) { // the others had given it up
                isStarted = true;
                live(random, ct);
                return;
            }
            if (ct.id() == VICTIM + 1 && returns == 1) {
                startReturns();
            }
            while (!isDone && failure == null) {
                meet(ct);
                if (isGivenUp && !isStarted) {
                    ct.pause(POLL_NANOS);
                }
            }
        }

        private void changeForEver(SplittableRandom random, ComputeThread ct) {
            while (true) {
                try {
                    RemoteLock mine = lock(ct);
                    mine.acquire(ct);
                    change(random, ct);
                    mine.release(ct);
                    change(random, ct);
                } catch (FabricException e) {
                    ct.pause(); // the lane broke
                }
            }
        }

        private void change(SplittableRandom random, ComputeThread ct) {
            for (int i = random.nextInt(WORDS); i >= 0; i--) {
                long word = words[random.nextInt(WORDS)];
                if (random.nextBoolean()) {
                    ct.post(word, random.nextLong());
                } else {
                    ct.write(word, random.nextLong());
                }
            }
        }

        private RemoteLock lock(ComputeThread ct) {
            RemoteLock there = new RemoteLock(ct.threads());
            there.at(lock);
            return there;
        }

        /** Starts the node again as soon as it has died. */
        private void comeBack(int life) {
            try {
                while (!cluster.stoppedThreads().contains(VICTIM + (life - 1) * threads)) {
                    cluster.simulator().sleep(1_000_000);
                }
                Fabric exposed = new WatchedFabric(fabric, node -> {}, node -> expose(life));
                try (ComputeNode node = ComputeNode.connect(config, config.firstComputeNode(), exposed)) {
                    isStarted |= life == returns;
                    ComputeNode.Body body = ct -> {
                        expose(life);
                        if (life < returns) {
                            changeForEver(schedule.choices(life * threads), ct);
                        }
                        live(schedule.choices(threads), ct);
                    };
                    node.runThreads(body);
                }
            } catch (Throwable e) {
                if (!cluster.simulator().hasEnded()) {
                    failure = e;
                }
            }
        }

        /** Lets a life die at any moment, but the last. */
        private void expose(int life) {
            if (life < returns) {
                cluster.simulator().expose(VICTIM + life * threads);
            }
        }

        private void live(SplittableRandom random, ComputeThread ct) {
            for (int earlier = VICTIM; earlier < ct.id(); earlier += threads) {
                if (!ct.peers().isLost(earlier)) {
                    throw new AssertionError(ct + " has come back, and does not know that thread " + earlier
                            + " of its earlier life is lost");
                }
            }
            long[] before = read(ct);
            acquire(ct);
            checkAttendanceOfLast(ct);
            meet(ct); // the one that was under way, at which nobody waits for this thread
            for (int round = 0; round < rounds; round++) {
                for (int pauses = random.nextInt(LONGEST_PAUSE); pauses > 0; pauses--) {
                    ct.pause();
                }
                meet(ct);
                if (!ct.peers().tookPart(ct.id())) {
                    throw new AssertionError(ct + " did not take part in a barrier that it has passed");
                }
                long[] now = read(ct);
                if (!Arrays.equals(before, now)) {
                    throw new AssertionError(ct + " sees " + Arrays.toString(now) + " after " + Arrays.toString(before)
                            + ": something of its earlier life has arrived since");
                }
            }
            isDone = true;
        }

        private long[] read(ComputeThread ct) {
            return Arrays.stream(words).map(ct::read).toArray();
        }

        private void acquire(ComputeThread ct) {
            RemoteLock there = lock(ct);
            if (there.acquire(ct) == Acquisition.HOLDER_DIED) {
                there.makeConsistent();
            }
            there.release(ct);
        }

        /** Arrives at a barrier, and finds what those wrote who took part in it. */
        private void meet(ComputeThread ct) {
            long number = ct.peers().meetings() + 1;
            ct.post(arrivals + (long) Long.BYTES * ct.id(), number);
            ct.barrier();
            checkAttendanceOfLast(ct);
            for (int thread : participants(ct)) {
                long seen = ct.read(arrivals + (long) Long.BYTES * thread);
                if (number > PREPARATION && seen < number && thread != VICTIM) {
                    throw new AssertionError(ct + " has passed barrier " + number + " with thread " + thread
                            + ", and finds that it wrote " + seen + " before it arrived");
                }
            }
        }

        private Set<Integer> participants(ComputeThread ct) {
            return IntStream.range(0, ct.threads())
                    .filter(ct.peers()::tookPart)
                    .boxed()
                    .collect(Collectors.toCollection(TreeSet::new));
        }

        private void checkAttendanceOfLast(ComputeThread ct) {
            Set<Integer> here = participants(ct);
            Set<Integer> there = participants.putIfAbsent(ct.peers().meetings(), here);
            if (there != null && !there.equals(here)) {
                throw new AssertionError("the threads disagree on who took part in barrier "
                        + ct.peers().meetings() + ": " + there + ", but " + here + " for " + ct);
            }
        }

        void judge() {
            if (failure != null) {
                throw new AssertionError("the node that came back has failed", failure);
            }
            if (!isDone) {
                throw new AssertionError(
                        isStarted ? "the node that has come back waits for ever" : "the node cannot come back");
            }
        }
    }
}
