// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.lists;

import dev.remus.tools.bench.suite.OtherLoad;
import dev.remus.tools.plot.RunTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;

/** The operations per second of all lists, measured interleaved, and their ratios. */
final class ThroughputTable {
    private static final String HEAP = "heap";
    private static final double OF_HEAP = 0.8;
    private static final double ONE_READ_ON_SHM = 1.0;
    private static final double ONE_READ_ON_VERBS = 1.7;
    private static final double CACHED_ON_VERBS = 4.0;

    private final String fabric;
    private final int keys;
    private final int updates;
    private final int rounds;
    private final ListLayout layout;

    /** The share of the processors that others used meanwhile. */
    private double otherLoad;

    private final Map<Integer, Map<String, double[]>> measured = new LinkedHashMap<>();
    private final List<String> misses = new ArrayList<>();

    private ThroughputTable(String fabric, int keys, int updates, int rounds, ListLayout layout) {
        this.layout = layout;
        this.fabric = fabric;
        this.keys = keys;
        this.updates = updates;
        this.rounds = rounds;
    }

    /**
     * Measures all lists.
     *
     * @param threads the numbers of threads, measured one after the other
     * @param layout how the nodes of the lists lie in memory at first
     * @param done receives the number of finished races
     */
    static ThroughputTable measure(
            String fabric,
            List<Integer> threads,
            int keys,
            int updates,
            int rounds,
            int millis,
            ListLayout layout,
            IntConsumer done)
            throws Exception {
        ThroughputTable table = new ThroughputTable(fabric, keys, updates, rounds, layout);
        OtherLoad load = OtherLoad.begin();
        int races = 0;
        for (int n : threads) {
            Map<String, double[]> row = new LinkedHashMap<>();
            ListRace race = new ListRace(fabric, n, keys, updates, millis, layout);
            for (int round = -1; round < rounds; round++) { // the first is warm-up
                for (ListKind kind : ListKind.values()) {
                    table.add(row, kind.toString(), round, race.run(kind));
                    done.accept(++races);
                }
                if (table.isShm()) {
                    table.add(row, HEAP, round, race.runOnHeap());
                    done.accept(++races);
                }
            }
            table.measured.put(n, row);
        }
        table.otherLoad = load.share();
        return table;
    }

    /** The number of races of such a measurement. */
    static int races(String fabric, List<Integer> threads, int rounds) {
        int lists = ListKind.values().length + (fabric.equals("shm") ? 1 : 0);
        return threads.size() * lists * (rounds + 1);
    }

    private boolean isShm() {
        return fabric.equals("shm");
    }

    private void add(Map<String, double[]> row, String list, int round, double perSecond) {
        double[] all = row.computeIfAbsent(list, name -> new double[rounds]);
        if (round >= 0) {
            all[round] = perSecond;
        }
    }

    List<String> misses() {
        return misses;
    }

    String toText() {
        misses.clear();
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "Operations per second%s on %s, %,d keys, half of them present at first; %d %% inserts, %d %% removes;"
                        + " medians of %d%n%s; %s%n",
                isShm() ? " of processor time" : "",
                fabric,
                keys,
                (updates + 1) / 2,
                updates / 2,
                rounds,
                layout,
                OtherLoad.describe(otherLoad)));
        text.append(String.format(
                "%7s  %-8s %12s %8s  %-25s %7s  %s%n",
                "threads", "list", "op/s", "/ plain", "target", isShm() ? "/ heap" : "", isShm() ? "target" : ""));
        measured.forEach((threads, row) -> row.keySet().forEach(list -> appendRow(threads, list, row, text)));
        return text.toString();
    }

    private void appendRow(int threads, String list, Map<String, double[]> row, StringBuilder text) {
        double perSecond = median(row, list);
        double toPlain = perSecond / median(row, ListKind.PLAIN.toString());
        double toHeap = isShm() ? perSecond / median(row, HEAP) : 0;
        String what = fabric + ", " + layout + ", " + threads + " threads, " + list;
        boolean isFast = list.equals(ListKind.FAST.toString());
        boolean locks = isFast || list.equals(ListKind.PLAIN.toString());
        boolean readsOnce = isFast || list.equals(ListKind.LOCKFREE.toString());
        String plainVerdict = "";
        if (readsOnce) {
            plainVerdict = verdict(what + " / plain", toPlain, isShm() ? ONE_READ_ON_SHM : ONE_READ_ON_VERBS);
        } else if (list.equals(ListKind.CACHED.toString()) && !isShm()) {
            plainVerdict = verdict(what + " / plain", toPlain, CACHED_ON_VERBS);
        }
        text.append(String.format(
                        Locale.ROOT,
                        "%7d  %-8s %,12.0f %8.2f  %-25s %7s  %s",
                        threads,
                        list,
                        perSecond,
                        toPlain,
                        plainVerdict,
                        isShm() ? String.format(Locale.ROOT, "%.2f", toHeap) : "",
                        isShm() && locks ? verdict(what + " / heap", toHeap, OF_HEAP) : "")
                .stripTrailing());
        text.append('\n');
    }

    private String verdict(String what, double ratio, double target) {
        boolean met = ratio >= target;
        if (!met && !OtherLoad.isTooBusy(otherLoad)) {
            misses.add(String.format(Locale.ROOT, "%s: %.2f, target >= %.1f", what, ratio, target));
        }
        return String.format(Locale.ROOT, ">= %.1f  %s", target, OtherLoad.verdict(met, otherLoad));
    }

    private static double median(Map<String, double[]> row, String list) {
        double[] sorted = Objects.requireNonNull(row.get(list), "measured").clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    RunTable toTable() {
        List<Map<String, String>> rows = new ArrayList<>();
        measured.forEach((threads, row) -> row.forEach((list, all) -> {
            for (int round = 0; round < all.length; round++) {
                Map<String, String> cells = new LinkedHashMap<>();
                cells.put("fabric", fabric);
                cells.put("layout", layout.toString());
                cells.put("threads", Integer.toString(threads));
                cells.put("list", list);
                cells.put("round", Integer.toString(round + 1));
                cells.put("operations per second", String.format(Locale.ROOT, "%.1f", all[round]));
                rows.add(cells);
            }
        }));
        return new RunTable(rows);
    }
}
