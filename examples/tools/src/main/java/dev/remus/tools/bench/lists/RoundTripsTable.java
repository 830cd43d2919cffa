// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.lists;

import dev.remus.tools.plot.RunTable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** The round trips of all lists in several sizes, compared with targets. */
final class RoundTripsTable {
    /** The sizes of the key range; half of the keys are in the list. */
    static final List<Integer> SIZES = List.of(64, 1024, 4096);

    private static final double FAST_TARGET = 0.55;
    private static final double CACHED_TARGET = 0.15;
    private static final int CACHED_TARGET_FROM = 4096;
    private static final int BEYOND_TARGET = 3;
    private static final int BEYOND_TARGET_OF_TWO = 4;

    private final Map<Integer, Map<ListKind, RoundTrips>> oneNode = new LinkedHashMap<>();
    private final Map<Integer, Map<ListKind, RoundTrips>> twoNodes = new LinkedHashMap<>();
    private final List<String> misses = new ArrayList<>();

    private RoundTripsTable() {}

    /** @param samples repetitions of each operation, for each list and size */
    static RoundTripsTable count(int samples) throws Exception {
        RoundTripsTable table = new RoundTripsTable();
        for (int keys : SIZES) {
            Map<ListKind, RoundTrips> one = new EnumMap<>(ListKind.class);
            Map<ListKind, RoundTrips> two = new EnumMap<>(ListKind.class);
            for (ListKind kind : ListKind.values()) {
                one.put(kind, RoundTrips.count(kind, keys, 1, samples));
                two.put(kind, RoundTrips.count(kind, keys, 2, samples));
            }
            table.oneNode.put(keys, one);
            table.twoNodes.put(keys, two);
        }
        return table;
    }

    /** A line for each missed target, available after {@link #toText}. */
    List<String> misses() {
        return misses;
    }

    String toText() {
        misses.clear();
        StringBuilder text = new StringBuilder(
                "Round trips per operation, one thread; half of the keys are present, the cache is filled\n");
        text.append(String.format(
                "%-5s %-9s %8s %8s %6s  %-11s %8s %6s  %-11s %7s %6s  %s%n",
                "keys",
                "operation",
                "plain",
                "fast",
                "ratio",
                "target",
                "lockfree",
                "ratio",
                "target",
                "cached",
                "ratio",
                "target"));
        for (int keys : SIZES) {
            Map<ListKind, RoundTrips> row = of(oneNode, keys);
            appendRow(keys, "contains", row, RoundTrips::contains, text);
            appendRow(keys, "insert", row, RoundTrips::insert, text);
            appendRow(keys, "remove", row, RoundTrips::remove, text);
        }
        text.append("\nBeyond the search, at most\n");
        text.append(String.format(
                "%-18s %9s %9s %9s %8s  %s%n", "", "plain", "fast", "lockfree", "cached", "target of the last three"));
        appendBeyond("insert, 1 Memory Node", oneNode, RoundTrips::insertBeyondSearch, BEYOND_TARGET, text);
        appendBeyond("remove, 1 Memory Node", oneNode, RoundTrips::removeBeyondSearch, BEYOND_TARGET, text);
        appendBeyond("insert, 2 Memory Nodes", twoNodes, RoundTrips::insertBeyondSearch, BEYOND_TARGET_OF_TWO, text);
        appendBeyond("remove, 2 Memory Nodes", twoNodes, RoundTrips::removeBeyondSearch, BEYOND_TARGET_OF_TWO, text);
        return text.toString();
    }

    private static <K, V> V of(Map<K, V> counted, K key) {
        return Objects.requireNonNull(counted.get(key), "counted");
    }

    private interface Average {
        double of(RoundTrips counted);
    }

    private void appendRow(
            int keys, String operation, Map<ListKind, RoundTrips> row, Average average, StringBuilder text) {
        double plain = average.of(of(row, ListKind.PLAIN));
        double fast = average.of(of(row, ListKind.FAST));
        double lockFree = average.of(of(row, ListKind.LOCKFREE));
        double cached = average.of(of(row, ListKind.CACHED));
        String what = operation + ", " + keys + " keys: ";
        text.append(String.format(
                        Locale.ROOT,
                        "%-5d %-9s %8.2f %8.2f %6.3f  %-11s %8.2f %6.3f  %-11s %7.2f %6.3f  %s",
                        keys,
                        operation,
                        plain,
                        fast,
                        fast / plain,
                        verdict(what + "fast", fast / plain, FAST_TARGET),
                        lockFree,
                        lockFree / plain,
                        verdict(what + "lockfree", lockFree / plain, FAST_TARGET),
                        cached,
                        cached / plain,
                        keys < CACHED_TARGET_FROM ? "" : verdict(what + "cached", cached / plain, CACHED_TARGET))
                .stripTrailing());
        text.append('\n');
    }

    private void appendBeyond(
            String what,
            Map<Integer, Map<ListKind, RoundTrips>> counted,
            Average average,
            int target,
            StringBuilder text) {
        Map<ListKind, Double> most = new EnumMap<>(ListKind.class);
        counted.values().forEach(row -> row.forEach((kind, trips) -> most.merge(kind, average.of(trips), Math::max)));
        double ours =
                Math.max(of(most, ListKind.LOCKFREE), Math.max(of(most, ListKind.FAST), of(most, ListKind.CACHED)));
        text.append(String.format(
                Locale.ROOT,
                "%-22s %5.0f %9.0f %9.0f %8.0f  %s%n",
                what,
                of(most, ListKind.PLAIN),
                of(most, ListKind.FAST),
                of(most, ListKind.LOCKFREE),
                of(most, ListKind.CACHED),
                verdict(what + " beyond the search", ours, target)));
    }

    private String verdict(String what, double average, double target) {
        boolean met = average <= target;
        String bound = target == Math.rint(target) ? Long.toString(Math.round(target)) : Double.toString(target);
        if (!met) {
            misses.add(String.format(Locale.ROOT, "%s: %.3f, target <= %s", what, average, bound));
        }
        return "<= " + bound + (met ? "  ok" : "  MISS");
    }

    RunTable toTable() {
        List<Map<String, String>> rows = new ArrayList<>();
        for (int keys : SIZES) {
            of(oneNode, keys).forEach((kind, trips) -> rows.add(row(keys, 1, kind, trips)));
            of(twoNodes, keys).forEach((kind, trips) -> rows.add(row(keys, 2, kind, trips)));
        }
        return new RunTable(rows);
    }

    private static Map<String, String> row(int keys, int memoryNodes, ListKind kind, RoundTrips trips) {
        Map<String, String> row = new LinkedHashMap<>();
        row.put("keys", Integer.toString(keys));
        row.put("memory nodes", Integer.toString(memoryNodes));
        row.put("list", kind.toString());
        row.put("round trips of contains", text(trips.contains()));
        row.put("round trips of insert", text(trips.insert()));
        row.put("round trips of remove", text(trips.remove()));
        row.put("insert beyond the search", text(trips.insertBeyondSearch()));
        row.put("remove beyond the search", text(trips.removeBeyondSearch()));
        return row;
    }

    private static String text(double figure) {
        return String.format(Locale.ROOT, "%.3f", figure);
    }
}
