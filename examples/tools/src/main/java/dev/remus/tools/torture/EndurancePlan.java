// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.torture;

import dev.remus.config.ThreadKind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * The plan of a trial with {@code --on-node-loss continue}: the cluster, its experiment, and what happens to its
 * Compute Nodes. One of them is never killed, so the others can finish with it.
 *
 * @param number the number of the trial
 * @param experiment the name of a program and its options
 * @param moments in the order of their times
 * @param threads the kind of the Compute Threads
 */
record EndurancePlan(int number, Topology topology, String experiment, List<Moment> moments, ThreadKind threads) {
    /** All structures. {@code nd-published} is none of them: its books balance only if it never reuses a cell. */
    static final List<String> EXPERIMENTS = List.of(
            "intset --set lazy --key-ub 255",
            "intset --set fast --key-ub 255",
            "intset --set cached --key-ub 255",
            "intset --set lockfree --key-ub 255",
            "kv --read 50 --update 40 --remove 10",
            "kv --value-bytes 100 --update 40 --remove 10",
            "kv --map tree --update 40 --remove 10 --scan 10",
            "kv --map tree --value-bytes 100 --update 40 --remove 10",
            "kv --map list --update 40 --remove 10",
            "queue --queue nd",
            "queue --queue scalable",
            "queue --queue scalable --workload producer-consumer",
            "queue --queue sharded",
            "queue --queue sharded --workload producer-consumer",
            "queue --queue bd",
            "queue --queue bc",
            "queue --queue buffered",
            "queue --queue buffered-relaxed");

    private static final List<Topology> TOPOLOGIES =
            List.of(new Topology("1 MN + 3 CN", 0, 0, 1, 3, 2), new Topology("2 MN + 3 CN", 0, 1, 2, 4, 1));

    private static final List<Moment.Kind> LOTS =
            List.of(Moment.Kind.KILLED, Moment.Kind.RESTARTED, Moment.Kind.RESTARTED, Moment.Kind.STOPPED);

    private static final int MOMENTS = 4;
    private static final long RUN_SECONDS = 8;

    /** The last faults come when the threads have ended their operations. */
    private static final long LAST_MILLIS = RUN_SECONDS * 1_000 + 300;

    private static final long SHORTEST_STOP_MILLIS = 300;

    /**
     * Draws a plan, the same for the same seed and number. Successive plans have successive experiments.
     *
     * @param longestStopMillis the longest time for which a node is stopped
     */
    static EndurancePlan draw(long seed, int number, long longestStopMillis, ThreadKind threads) {
        SplittableRandom random = new SplittableRandom(seed * 1_000_003 + number);
        Topology topology = TOPOLOGIES.get(random.nextInt(TOPOLOGIES.size()));
        List<Integer> alive = new ArrayList<>(
                topology.nodes().stream().filter(topology::isCompute).toList());
        int survivor = alive.get(random.nextInt(alive.size()));
        List<Long> times =
                random.longs(MOMENTS, 0, LAST_MILLIS).sorted().boxed().toList();
        List<Moment> moments = new ArrayList<>();
        for (long millis : times) {
            Moment.Kind drawn = LOTS.get(random.nextInt(LOTS.size()));
            int victim = alive.get(random.nextInt(alive.size()));
            Moment.Kind kind = victim == survivor ? Moment.Kind.STOPPED : drawn;
            if (kind == Moment.Kind.KILLED) {
                alive.remove(Integer.valueOf(victim));
            }
            long stop =
                    SHORTEST_STOP_MILLIS + (long) (random.nextDouble() * (longestStopMillis - SHORTEST_STOP_MILLIS));
            moments.add(new Moment(kind, victim, millis, kind == Moment.Kind.STOPPED ? stop : 0));
        }
        return new EndurancePlan(
                number, topology, EXPERIMENTS.get(number % EXPERIMENTS.size()), List.copyOf(moments), threads);
    }

    /** The name of the program and its options. */
    List<String> words() {
        List<String> words = new ArrayList<>(List.of(experiment.split(" ")));
        words.addAll(topology.options());
        words.add("--on-node-loss=continue");
        words.add("--returns=" + MOMENTS);
        words.add("--run-time=" + RUN_SECONDS);
        words.add("--seg-size=25"); // what a node that is killed has retired and not freed yet is lost
        words.add("--seed=" + number);
        words.add("--cn-thread-kind=" + threads);
        return words;
    }

    @Override
    public String toString() {
        return "trial " + number + ": " + experiment + ", " + topology
                + moments.stream().map(moment -> "; " + moment).collect(Collectors.joining());
    }
}
