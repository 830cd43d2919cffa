// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.History;
import dev.remus.check.Recorder;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.simulation.scenario.NodeLosses;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Threads use a structure without locks, each on a Compute Node of its own. Some of the nodes are lost meanwhile,
 * killed with late requests outstanding or cut off as zombies; lanes of others break, and one thread is delayed. Each
 * thread that is left must finish all of its operations, without any exception but that its own lane broke; then its
 * handle must be usable. At the end each reads the whole structure. All results must be linearizable.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param users the operations, and the structure
 */
public record UnblockedScenario(Users<?, ?, ?> users) implements Scenario {
    private static final int LATEST_WAIT = 60;
    private static final long QUIET_NANOS = 3_000_000_000L;

    /**
     * The threads that use a structure.
     *
     * @param <H> handles
     * @param <O> operations
     * @param <R> results
     */
    public interface Users<H, O, R> {
        /** The number of threads, which is even. */
        int threads();

        /** The number of operations of each. */
        int operations();

        /** Makes the structure, in the first thread, and sets the root. */
        void create(ComputeThread ct);

        /** A handle to the structure at the root. */
        H open(ComputeThread ct);

        /** Does a random operation, and records it. */
        void operate(H handle, SplittableRandom random, Recorder<O, R> recorder, ComputeThread ct);

        /** Reads everything, and records it. */
        void readAll(H handle, Recorder<O, R> recorder, ComputeThread ct);

        /** Rejects results that the structure's promise forbids. */
        void judge(History<O, R> history);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        int threads = users.threads();
        List<Strike> strikes = new ArrayList<>();
        strikes.add(new Strike(Fault.PAUSED_THREADS, random.nextInt(threads), wait(random)));
        int first = random.nextInt(threads);
        for (int i = random.nextInt(threads); i > 0; i--) { // at least one thread is left
            int thread = (first + i) % threads;
            if (random.nextBoolean()) {
                NodeLosses.add(thread, wait(random), strikes, random);
            } else {
                strikes.add(new Strike(Fault.BROKEN_LANES, thread, wait(random)));
            }
        }
        run(schedule, strikes);
    }

    private static int wait(SplittableRandom random) {
        return 1 + random.nextInt(LATEST_WAIT);
    }

    /**
     * The same with chosen faults.
     *
     * @throws Exception if the scenario fails
     */
    public void run(Schedule schedule, List<Strike> strikes) throws Exception {
        run(users, schedule, strikes);
    }

    private static <H, O, R> void run(Users<H, O, R> users, Schedule schedule, List<Strike> strikes) throws Exception {
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(users.threads())
                        .computeNodes(2, 1 + users.threads())
                        .threadsPerNode(1)
                        .lanes(1 + schedule.choices(-2).nextInt(2))
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .lossTimeout(NodeLosses.TIMEOUT)
                        .build(),
                schedule.withFaults(Set.of()).withStrikes(strikes.toArray(Strike[]::new)));
        cluster.simulator().quietAfter(QUIET_NANOS);
        Recorder<O, R> recorder = new Recorder<>();
        Map<Integer, H> handles = new TreeMap<>();
        Set<Integer> ended = new TreeSet<>();
        cluster.prepared(ct -> {
                    users.create(ct);
                    ct.barrier();
                    handles.put(ct.id(), users.open(ct));
                })
                .run(ct -> {
                    H handle = Objects.requireNonNull(handles.get(ct.id()), "prepared");
                    SplittableRandom random = schedule.choices(ct.id());
                    for (int i = 0; i < users.operations(); i++) {
                        orBreak(cluster, ct, () -> users.operate(handle, random, recorder, ct));
                    }
                    orBreak(cluster, ct, () -> users.readAll(handle, recorder, ct));
                    ended.add(ct.id());
                });
        for (int thread = 0; thread < users.threads(); thread++) {
            if (!ended.contains(thread) && !NodeLosses.isLost(thread, cluster)) {
                throw new AssertionError("thread " + thread + " has not ended, after the faults " + cluster.struck());
            }
        }
        users.judge(recorder.history());
    }

    /** An operation whose lane breaks is pending. */
    private static void orBreak(SimulatedCluster cluster, ComputeThread ct, Runnable operation) {
        try {
            operation.run();
        } catch (NodeLostException e) {
            if (!NodeLosses.isZombie(ct.id(), cluster)) {
                throw new AssertionError(ct + " fails because another one is lost", e);
            }
            throw e;
        } catch (FabricException e) {
            // its lane broke
        }
    }
}
