// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.report;

import dev.remus.cli.progress.ProgressLog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The speed of a run's nodes over time. The operations between two reports of a node are spread evenly and collected
 * into intervals of equal length.
 */
final class Rates {
    /** The most intervals. */
    private static final int INTERVALS = 60;

    /**
     * The shortest interval. Nodes report four times a second, so shorter intervals would show the times of reports
     * rather than the speed.
     */
    private static final double SHORTEST_SECONDS = 0.5;

    private static final double BETWEEN_REPORTS = 0.25;

    /**
     * One interval.
     *
     * @param seconds its middle, since the beginning of the phase
     * @param node the id of the node
     * @param perSecond operations per second
     */
    record Rate(double seconds, int node, double perSecond) {}

    private Rates() {}

    /**
     * The rates of a phase.
     *
     * @return sorted by node and then by time; empty if the phase was too short
     */
    static List<Rate> of(List<ProgressLog.Entry> log, String phase) {
        List<ProgressLog.Entry> entries =
                log.stream().filter(e -> e.phase().equals(phase)).toList();
        if (entries.isEmpty()) {
            return List.of();
        }
        double first = entries.get(0).seconds();
        double begin = log.stream()
                .filter(e -> !e.phase().equals(phase) && e.seconds() <= first)
                .mapToDouble(ProgressLog.Entry::seconds)
                .max()
                .orElse(0);
        begin = Math.max(begin, first - BETWEEN_REPORTS);
        double end =
                entries.stream().mapToDouble(ProgressLog.Entry::seconds).max().orElseThrow();
        int intervals = (int) Math.min(INTERVALS, (end - begin) / SHORTEST_SECONDS);
        if (intervals < 2) {
            return List.of();
        }
        double width = (end - begin) / intervals;
        Map<Integer, List<ProgressLog.Entry>> byNode = new TreeMap<>();
        entries.forEach(
                e -> byNode.computeIfAbsent(e.node(), n -> new ArrayList<>()).add(e));
        List<Rate> rates = new ArrayList<>();
        for (Map.Entry<Integer, List<ProgressLog.Entry>> node : byNode.entrySet()) {
            List<ProgressLog.Entry> own = node.getValue();
            own.sort(Comparator.comparingDouble(ProgressLog.Entry::seconds));
            for (int i = 0; i < intervals; i++) {
                double from = begin + i * width;
                double done = doneAt(from + width, begin, own) - doneAt(from, begin, own);
                rates.add(new Rate(from + width / 2 - begin, node.getKey(), done / width));
            }
        }
        return rates;
    }

    /** The operations that a node had completed at a time, interpolated between the reports before and after it. */
    private static double doneAt(double time, double begin, List<ProgressLog.Entry> reports) {
        double seconds = begin;
        double done = 0;
        for (ProgressLog.Entry report : reports) {
            if (report.seconds() >= time) {
                double share = (time - seconds) / Math.max(1e-9, report.seconds() - seconds);
                return done + (report.done() - done) * share;
            }
            seconds = report.seconds();
            done = report.done();
        }
        return done;
    }

    /** The rates as CSV with the columns {@code seconds,node,throughput}. */
    static String toCsv(List<Rate> rates) {
        StringBuilder text = new StringBuilder("seconds,node,throughput\n");
        for (Rate rate : rates) {
            text.append(String.format(Locale.ROOT, "%.3f,%d,%.1f%n", rate.seconds(), rate.node(), rate.perSecond()));
        }
        return text.toString();
    }

    /** The rates of all nodes together. */
    static List<Rate> sum(List<Rate> rates) {
        Map<Double, Double> sums = new TreeMap<>();
        rates.forEach(rate -> sums.merge(rate.seconds(), rate.perSecond(), Double::sum));
        List<Rate> all = new ArrayList<>();
        sums.forEach((seconds, perSecond) -> all.add(new Rate(seconds, -1, perSecond)));
        return all;
    }
}
