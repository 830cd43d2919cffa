// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.Recorder;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.simulation.scenario.NodeLosses;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Threads use an ordered map, each on a Compute Node of its own. One of them is lost, perhaps while it holds a lock,
 * and no Memory Node confirms that it has cut it off. No other thread may wait for ever: each ends, or gets a {@link
 * NodeLostException}. The results must be linearizable.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param map the operations, and the map; its threads do not meet here
 */
public record TreeUncutScenario(TreeScenario map) implements Scenario {
    private static final int LATEST_WAIT = 30;
    private static final long QUIET_NANOS = 8_000_000_000L;

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        int lost = random.nextInt(map.threads());
        Strike strike = new Strike(Fault.LOST_COMPUTE_NODES, lost, 1 + random.nextInt(LATEST_WAIT));
        int remembered = TreeScenario.remembered(random);
        SimulatedCluster cluster = new SimulatedCluster(
                        SimulatedCluster.small(map.threads())
                                .computeNodes(2, 1 + map.threads())
                                .threadsPerNode(1)
                                .onNodeLoss(OnNodeLoss.CONTINUE)
                                .lossTimeout(NodeLosses.TIMEOUT)
                                .build(),
                        schedule.withFaults(Set.of()).withStrikes(strike))
                .over(TreeUncutScenario::withoutConfirmation);
        cluster.simulator().quietAfter(QUIET_NANOS);
        Recorder<MapOperation<Long, Long>, Optional<Long>> recorder = new Recorder<>();
        Set<Integer> ended = new TreeSet<>();
        TreeHandle[] handles = new TreeHandle[map.threads()];
        cluster.prepared(ct -> {
                    map.createMap(recorder, ct);
                    ct.barrier();
                    handles[ct.id()] = map.opener().open(ct.root().get(), remembered, ct);
                })
                .run(ct -> {
                    SplittableRandom choices = schedule.choices(ct.id());
                    try {
                        for (int i = 1; i <= map.operations(); i++) {
                            map.operate(handles[ct.id()], i, choices, recorder, ct);
                        }
                        ended.add(ct.id());
                    } catch (NodeLostException e) {
                        ended.add(ct.id());
                    }
                });
        for (int thread = 0; thread < map.threads(); thread++) {
            if (!ended.contains(thread) && !cluster.stoppedThreads().contains(thread)) {
                throw new AssertionError("thread " + thread + " waits for ever, after " + cluster.struck());
            }
        }
        TreeScenario.judge(recorder);
    }

    /** A fabric whose Memory Nodes cut a lost Compute Node off, but never confirm it. */
    private static Fabric withoutConfirmation(Fabric fabric) {
        return replace(Fabric.class, fabric, TreeUncutScenario::withoutConfirmation);
    }

    private static Object withoutConfirmation(String method, Object result) {
        if (result instanceof MemoryEndpoint memory) {
            return replace(MemoryEndpoint.class, memory, (name, of) -> name.equals("fence") ? Boolean.FALSE : of);
        }
        return result;
    }

    /** Replaces the result of a method. */
    private interface Results {
        Object replace(String method, Object result);
    }

    /** Replaces results of an interface. */
    private static <T> T replace(Class<T> type, T original, Results results) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return results.replace(method.getName(), method.invoke(original, arguments));
                    } catch (InvocationTargetException e) {
                        throw Objects.requireNonNullElse(e.getCause(), e);
                    }
                }));
    }
}
