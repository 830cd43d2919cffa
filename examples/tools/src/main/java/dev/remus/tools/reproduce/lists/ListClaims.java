// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.lists;

import static dev.remus.tools.reproduce.lists.ListFigure.ROUND_TRIP;
import static dev.remus.tools.reproduce.lists.ListFigure.ROUND_TRIPS;
import static dev.remus.tools.reproduce.lists.ListFigure.THROUGHPUT;
import static dev.remus.tools.reproduce.lists.ListFigure.USED_SEGMENTS;

import dev.remus.config.AllocationPolicy;
import dev.remus.tools.reproduce.claims.Claim;
import dev.remus.tools.reproduce.claims.TrialTable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The tutorial's sentences about its list, and the verdicts that follow from a table. */
final class ListClaims {
    private static final String FIGURE = ListTrial.FIGURE;
    private static final String PAGE_3 = "tutorial, page 3";
    private static final String PAGE_5 = "tutorial, page 5";
    private static final String PAGE_6 = "tutorial, page 6";

    /** A ratio up to this much from the stated one counts as equal. */
    private static final double TOLERANCE = 0.1;

    private final TrialTable table;
    private final boolean isModelled;

    /** @param isModelled whether the figures are those of a cost model */
    ListClaims(TrialTable table, boolean isModelled) {
        this.table = table;
        this.isModelled = isModelled;
    }

    List<Claim> all() {
        return List.of(
                twoRoundTripsForEachKey(),
                halfOfTheRoundTrips(),
                twiceAsFast(),
                roundTripsPredictTheSpeed(),
                oneOrTwoWithTheCache(),
                evenSegments(),
                hotSpot(),
                moreLanes());
    }

    private Claim twoRoundTripsForEachKey() {
        List<String> keys = table.conditions("keys", Map.of(FIGURE, ListPlan.KEYS));
        int fewest = Integer.parseInt(keys.get(0));
        int most = Integer.parseInt(keys.get(keys.size() - 1));
        double slope = (searches(ROUND_TRIPS, ListSeries.LAZY, most) - searches(ROUND_TRIPS, ListSeries.LAZY, fewest))
                / ((most - fewest) / 2.0);
        return new Claim(
                PAGE_5,
                "A search passes half of the keys on average, and takes two round trips for each",
                Math.abs(slope - 1) <= TOLERANCE,
                format(
                        "From %d to %d keys, a search takes %.2f round trips more for each key in the list; half of the"
                                + " keys, two round trips each, make 1.00.",
                        fewest / 2, most / 2, slope));
    }

    private Claim halfOfTheRoundTrips() {
        double ratio =
                searches(ROUND_TRIPS, ListSeries.FAST, mostKeys()) / searches(ROUND_TRIPS, ListSeries.LAZY, mostKeys());
        return new Claim(
                PAGE_6,
                "Half of the round trips are gone",
                Math.abs(ratio - 0.5) <= TOLERANCE / 2,
                format(
                        "With %d keys, the fast list takes %.2f times the round trips of the lazy list for a search.",
                        mostKeys() / 2, ratio));
    }

    private Claim twiceAsFast() {
        double ratio =
                searches(THROUGHPUT, ListSeries.FAST, mostKeys()) / searches(THROUGHPUT, ListSeries.LAZY, mostKeys());
        return new Claim(
                PAGE_6,
                "You make it twice as fast without changing its algorithm",
                ratio >= 2 - 2 * TOLERANCE,
                format(
                        "With %d keys, the fast list does %.2f times as many searches a second.",
                        mostKeys() / 2, ratio));
    }

    private Claim roundTripsPredictTheSpeed() {
        double[] micros = Stream.of(ListSeries.values())
                .mapToDouble(list -> searches(ROUND_TRIP, list, mostKeys()))
                .toArray();
        double fewest = DoubleStream.of(micros).min().orElseThrow();
        double most = DoubleStream.of(micros).max().orElseThrow();
        return new Claim(
                PAGE_6,
                "The number of round trips predicts how fast a structure is",
                most <= fewest * (1 + 2 * TOLERANCE),
                format("A round trip and its work take %.2f to %.2f µs in searches of the three lists.", fewest, most));
    }

    private Claim oneOrTwoWithTheCache() {
        double most = table.conditions("keys", Map.of(FIGURE, ListPlan.KEYS)).stream()
                .mapToDouble(keys -> searches(ROUND_TRIPS, ListSeries.CACHED, Integer.parseInt(keys)))
                .max()
                .orElseThrow();
        return new Claim(
                PAGE_6,
                "With the cache, a lookup takes a round trip or two, however long the list is",
                most <= 2,
                format(
                        "At most %.2f round trips for a search, the first ones included, with up to %d keys.",
                        most, mostKeys() / 2));
    }

    private Claim evenSegments() {
        double even = ofPolicy(USED_SEGMENTS, AllocationPolicy.GLOBAL_RR);
        String others = Stream.of(AllocationPolicy.values())
                .filter(policy -> policy != AllocationPolicy.GLOBAL_RR)
                .map(policy -> format("%s %.2f", policy.optionName(), ofPolicy(USED_SEGMENTS, policy)))
                .reduce((one, other) -> one + ", " + other)
                .orElse("");
        return new Claim(
                PAGE_3,
                "With GLOBAL-RR, each thread goes round all segments of all Memory Nodes, so that they are used evenly",
                even >= 1 - 2 * TOLERANCE,
                format(
                        "The emptiest segment has %.2f of the bytes of the median one; with the other policies %s.",
                        even, others));
    }

    private Claim hotSpot() {
        int threads = last("threads", ListPlan.THREADS);
        Map<String, Object> spread = Map.of(FIGURE, ListPlan.THREADS, "list", ListSeries.LAZY, "threads", threads);
        Map<String, Object> onOne =
                Map.of(FIGURE, ListPlan.THREADS, "list", ListSeries.LAZY + ListTrial.ON_ONE_NODE, "threads", threads);
        double ratio = table.mean(THROUGHPUT, onOne) / table.mean(THROUGHPUT, spread);
        return new Claim(
                PAGE_3,
                "A node is a hot spot if its threads build data that all threads use",
                ratio < 1 - TOLERANCE,
                format(
                        "With %d threads, a list on one Memory Node does %.2f times the operations of one on %d.",
                        threads, ratio, mostNodes()));
    }

    private Claim moreLanes() {
        int threads = last("threads", ListPlan.LANES);
        int lanes = last("lanes", ListPlan.LANES);
        double ratio = table.mean(THROUGHPUT, Map.of(FIGURE, ListPlan.LANES, "lanes", lanes, "threads", threads))
                / table.mean(THROUGHPUT, Map.of(FIGURE, ListPlan.LANES, "lanes", 1, "threads", threads));
        String remark = isModelled ? " The model gives a lane no limit of its own." : "";
        return new Claim(
                PAGE_3,
                "With more lanes, more threads can send at the same time",
                ratio >= 1 + TOLERANCE,
                format("With %d threads, %d lanes do %.2f times the operations of one lane.", threads, lanes, ratio)
                        + remark);
    }

    private double ofPolicy(String figure, AllocationPolicy policy) {
        return table.mean(figure, Map.of(FIGURE, ListPlan.POLICY, "policy", policy.optionName()));
    }

    private int mostKeys() {
        return last("keys", ListPlan.KEYS);
    }

    private int mostNodes() {
        return table.conditions("memory_nodes", Map.of(FIGURE, ListPlan.THREADS)).stream()
                .mapToInt(Integer::parseInt)
                .max()
                .orElseThrow();
    }

    private int last(String condition, String figure) {
        List<String> values = table.conditions(condition, Map.of(FIGURE, figure));
        return Integer.parseInt(values.get(values.size() - 1));
    }

    private double searches(String figure, ListSeries list, int keys) {
        return table.mean(figure, Map.of(FIGURE, ListPlan.KEYS, "list", list, "keys", keys));
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
