// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.locks;

import dev.remus.tools.plot.RunTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The measured points, the medians of their rounds, and the target. */
final class LocksTable {
    /** The column of the pictures' horizontal axis. */
    static final String THREADS = "threads";

    /** The column of the pictures' vertical axis. */
    static final String PER_SECOND = "acquisitions per second";

    /** The column with a line for each value. */
    static final String LOCK = "lock";

    private static final int MANY_THREADS = 1_000;
    private static final double MOST_ROUND_TRIPS = 4;

    private final Map<LocksPoint, List<LocksFigures>> measured = new LinkedHashMap<>();

    void add(LocksPoint point, LocksFigures figures) {
        measured.computeIfAbsent(point, p -> new ArrayList<>()).add(figures);
    }

    private double median(LocksPoint point, ToDoubleFunction<LocksFigures> figure) {
        double[] sorted = Objects.requireNonNull(measured.get(point), "measured").stream()
                .mapToDouble(figure)
                .sorted()
                .toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    String toText() {
        StringBuilder text = new StringBuilder("shm: threads of one process on this machine, medians of the rounds;"
                + " model: the hardware of the model, in its time\n"
                + "short: " + Contest.SHORT + " READ inside, long: " + Contest.LONG
                + ", and a WRITE of each writer; of the locks -read, 1 of " + LockSubject.ACQUISITIONS_PER_WRITER
                + " acquisitions is a writer's\n"
                + "round trips: to acquire and release the lock, without those inside\n");
        text.append(String.format(
                "%-6s %-6s %-13s %7s %16s %12s %14s %12s%n",
                "place", "inside", LOCK, THREADS, "acquisitions/s", "mean wait", "longest/mean", "round trips"));
        measured.keySet()
                .forEach(point -> text.append(String.format(
                        Locale.ROOT,
                        "%-6s %-6s %-13s %,7d %,16.0f %9.1f µs %,14.1f %12s%n",
                        point.place(),
                        point.section(),
                        point.kind(),
                        point.threads(),
                        median(point, LocksFigures::perSecond),
                        median(point, LocksFigures::meanNanos) / 1e3,
                        median(point, LocksFigures::unfairness),
                        point.kind().isRemote()
                                ? String.format(Locale.ROOT, "%.1f", median(point, LocksFigures::roundTrips))
                                : "-")));
        return text.toString();
    }

    /** A line for each measurement to which the target applies. */
    List<String> verdicts() {
        return Stream.of(LockSubject.QUEUELOCK, LockSubject.COHORTLOCK)
                .map(kind -> new LocksPoint(true, kind, MANY_THREADS, Contest.SHORT))
                .filter(measured::containsKey)
                .map(this::verdict)
                .toList();
    }

    private String verdict(LocksPoint point) {
        double trips = Math.rint(100 * median(point, LocksFigures::roundTrips)) / 100; // judged as it is printed
        return String.format(
                Locale.ROOT,
                "round trips of an acquisition and release of %s by %,d threads: %.2f, target <= %.0f  %s",
                point.kind(),
                point.threads(),
                trips,
                MOST_ROUND_TRIPS,
                trips <= MOST_ROUND_TRIPS ? "ok" : "MISS");
    }

    /** A row for each measurement. */
    RunTable toTable() {
        List<Map<String, String>> rows = new ArrayList<>();
        measured.forEach((point, rounds) -> {
            for (int round = 0; round < rounds.size(); round++) {
                LocksFigures figures = rounds.get(round);
                Map<String, String> row = new LinkedHashMap<>();
                row.put("place", point.place());
                row.put("inside", point.section());
                row.put(LOCK, point.kind().toString());
                row.put(THREADS, Integer.toString(point.threads()));
                row.put("round", Integer.toString(round + 1));
                row.put(PER_SECOND, text(figures.perSecond()));
                row.put("mean_wait_ns", text(figures.meanNanos()));
                row.put("longest_wait_ns", text(figures.longestNanos()));
                row.put("round_trips", text(figures.roundTrips()));
                rows.add(row);
            }
        });
        return new RunTable(rows);
    }

    /** The points of one place and section, with the medians. */
    RunTable throughputs(boolean isModel, int reads) {
        return new RunTable(measured.keySet().stream()
                .filter(point -> point.isModel() == isModel && point.reads() == reads)
                .map(point -> Map.of(
                        LOCK, point.kind().toString(),
                        THREADS, Integer.toString(point.threads()),
                        PER_SECOND, text(median(point, LocksFigures::perSecond))))
                .toList());
    }

    private static String text(double figure) {
        return String.format(Locale.ROOT, "%.3f", figure);
    }
}
