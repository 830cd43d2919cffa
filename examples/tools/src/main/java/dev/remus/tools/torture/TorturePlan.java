// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.torture;

import dev.remus.config.ThreadKind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The plan of a trial: the cluster, its workload, and the fault to inject.
 *
 * @param number the number of the trial
 * @param victim the node that gets the fault; with {@link NodeFault#KILL_ALL}, any node
 * @param chance when the fault is injected within the point, 0 at its start and 1 at its end
 * @param stopMillis the time for which a stopped node stays stopped
 * @param threads the kind of the Compute Threads
 */
record TorturePlan(
        int number,
        Topology topology,
        NodeFault fault,
        InjectionPoint point,
        int victim,
        double chance,
        long stopMillis,
        ThreadKind threads) {
    private static final long SHORTEST_STOP_MILLIS = 300;

    /** A workload of one or two seconds: long enough to stop a node, and short enough to end. */
    private static final List<String> WORKLOAD_TO_STOP = List.of("--num-ops=100000", "--key-ub=200");

    private static final List<String> SHORT_WORKLOAD = List.of("--num-ops=2000", "--key-ub=200");

    /**
     * Draws a plan, the same for the same seed and number.
     *
     * @param longestStopMillis the longest time for which a node is stopped
     */
    static TorturePlan draw(long seed, int number, long longestStopMillis, ThreadKind threads) {
        SplittableRandom random = new SplittableRandom(seed * 1_000_003 + number);
        Topology topology = Topology.ALL.get(random.nextInt(Topology.ALL.size()));
        int lot = random.nextInt(20);
        NodeFault fault = lot == 0 ? NodeFault.STOP : lot <= 2 ? NodeFault.KILL_ALL : NodeFault.KILL;
        InjectionPoint point = drawPoint(random);
        if (fault == NodeFault.STOP && point == InjectionPoint.START) {
            point = InjectionPoint.RUN; // a node that is stopped too long at its start misses the start
        }
        List<Integer> nodes = topology.nodes();
        int victim = nodes.get(random.nextInt(nodes.size()));
        double chance = random.nextDouble();
        long stop = SHORTEST_STOP_MILLIS + (long) (random.nextDouble() * (longestStopMillis - SHORTEST_STOP_MILLIS));
        return new TorturePlan(number, topology, fault, point, victim, chance, stop, threads);
    }

    private static InjectionPoint drawPoint(SplittableRandom random) {
        List<InjectionPoint> lots = new ArrayList<>();
        for (InjectionPoint point : InjectionPoint.values()) {
            for (int i = 0; i < point.weight(); i++) {
                lots.add(point);
            }
        }
        return lots.get(random.nextInt(lots.size()));
    }

    /** A plan without a fault. */
    static TorturePlan withoutFault(int number, ThreadKind threads) {
        return new TorturePlan(number, Topology.ALL.get(0), NodeFault.NONE, InjectionPoint.METRICS, 0, 0, 0, threads);
    }

    /** The name of the program and its options. */
    List<String> words() {
        List<String> options = new ArrayList<>(List.of("intset"));
        options.addAll(topology.options());
        options.add("--set=" + TortureSet.class.getName());
        options.add("--seg-size=22");
        options.add("--seed=" + number);
        options.add("--cn-thread-kind=" + threads);
        switch (fault) {
            case STOP -> options.addAll(WORKLOAD_TO_STOP);
            case NONE -> options.addAll(SHORT_WORKLOAD);
            default -> options.addAll(point.workload());
        }
        return options;
    }

    @Override
    public String toString() {
        String target = switch (fault) {
            case NONE -> "a cluster";
            case KILL_ALL -> "nodes";
            default -> topology.role(victim) + " " + victim;
        };
        return "trial " + number + ": " + target + " " + fault + " at " + point + ", " + topology;
    }
}
