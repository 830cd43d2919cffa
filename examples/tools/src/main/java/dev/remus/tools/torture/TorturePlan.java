package dev.remus.tools.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What is done to which cluster, and when.
 *
 * @param number of the trial
 * @param victim the node that is hit; with {@link Blow#KILL_ALL}, one of them
 * @param chance where in the moment the blow comes, 0 at its begin and 1 at its end
 * @param stopMillis how long a stopped node stays stopped
 */
record TorturePlan(
        int number, Topology topology, Blow blow, Moment moment, int victim, double chance, long stopMillis) {
    private static final long SHORTEST_STOP_MILLIS = 300;

    /** As many operations as keep a run going for a second or two, so that it can be stopped and can end. */
    private static final List<String> WORKLOAD_TO_STOP = List.of("--num-ops=100000", "--key-ub=200");

    private static final List<String> SHORT_WORKLOAD = List.of("--num-ops=2000", "--key-ub=200");

    /**
     * Draws a plan; the same for the same seed and number.
     *
     * @param longestStopMillis how long a node is stopped at most
     */
    static TorturePlan draw(long seed, int number, long longestStopMillis) {
        SplittableRandom random = new SplittableRandom(seed * 1_000_003 + number);
        Topology topology = Topology.ALL.get(random.nextInt(Topology.ALL.size()));
        int lot = random.nextInt(20);
        Blow blow = lot == 0 ? Blow.STOP : lot <= 2 ? Blow.KILL_ALL : Blow.KILL;
        Moment moment = drawMoment(random);
        if (blow == Blow.STOP && moment == Moment.START) {
            moment = Moment.RUN; // whoever is stopped too long at its start has not started in time
        }
        List<Integer> nodes = topology.nodes();
        int victim = nodes.get(random.nextInt(nodes.size()));
        double chance = random.nextDouble();
        long stop = SHORTEST_STOP_MILLIS + (long) (random.nextDouble() * (longestStopMillis - SHORTEST_STOP_MILLIS));
        return new TorturePlan(number, topology, blow, moment, victim, chance, stop);
    }

    private static Moment drawMoment(SplittableRandom random) {
        List<Moment> lots = new ArrayList<>();
        for (Moment moment : Moment.values()) {
            for (int i = 0; i < moment.weight(); i++) {
                lots.add(moment);
            }
        }
        return lots.get(random.nextInt(lots.size()));
    }

    /** A run to which nothing is done. */
    static TorturePlan leftAlone(int number) {
        return new TorturePlan(number, Topology.ALL.get(0), Blow.NONE, Moment.METRICS, 0, 0, 0);
    }

    /** The options of {@code intset}. */
    List<String> options() {
        List<String> options = new ArrayList<>(topology.options());
        options.add("--set=" + TortureSet.class.getName());
        options.add("--seg-size=22");
        options.add("--seed=" + number);
        switch (blow) {
            case STOP -> options.addAll(WORKLOAD_TO_STOP);
            case NONE -> options.addAll(SHORT_WORKLOAD);
            default -> options.addAll(moment.workload());
        }
        return options;
    }

    @Override
    public String toString() {
        String who = switch (blow) {
            case NONE -> "a cluster";
            case KILL_ALL -> "nodes";
            default -> topology.role(victim) + " " + victim;
        };
        return "trial " + number + ": " + who + " " + blow + " at " + moment + ", " + topology;
    }
}
