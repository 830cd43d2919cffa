// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.lockfree;

import dev.remus.tools.plot.RunTable;
import dev.remus.tools.queue.QueueKind;
import dev.remus.tools.queue.QueueMetric;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The points of all runs. */
final class QueuePoints {
    /** The series of figure 5. */
    static final List<QueueMetric> PARTS = List.of(
            QueueMetric.ENQ_ALL, QueueMetric.ENQ_HOP, QueueMetric.DEQ_ALL, QueueMetric.DEQ_HOP, QueueMetric.BCAST_ALL);

    /** One for each run, the runs of a point together. */
    private final List<QueuePoint> points = new ArrayList<>();

    void add(QueuePoint point) {
        points.add(point);
    }

    /** The point that the files of a run of {@code ./remus queue} describe. */
    static QueuePoint read(RunTable run, QueueKind queue) {
        Map<String, String> row = run.rows().get(0);
        Map<QueueMetric, Double> nanos = new EnumMap<>(QueueMetric.class);
        for (QueueMetric part : PARTS) {
            String text = row.get(part.meanKey());
            if (text != null) {
                nanos.put(part, Double.valueOf(text));
            }
        }
        int processes = Integer.parseInt(row.getOrDefault("threads", "0"));
        return new QueuePoint(
                queue,
                processes,
                Long.parseLong(row.getOrDefault("op_count", "0")) / Math.max(1, processes),
                Double.parseDouble(row.getOrDefault("throughput", "0")),
                nanos);
    }

    /** The points of a table as {@link #table} makes it. */
    static QueuePoints of(RunTable table) {
        QueuePoints points = new QueuePoints();
        for (Map<String, String> row : table.rows()) {
            Map<QueueMetric, Double> nanos = new EnumMap<>(QueueMetric.class);
            for (QueueMetric part : PARTS) {
                String text = row.getOrDefault(column(part), "");
                if (!text.isEmpty()) {
                    nanos.put(part, 1000 * Double.parseDouble(text));
                }
            }
            points.add(new QueuePoint(
                    QueueKind.of(row.getOrDefault("queue", "")),
                    Integer.parseInt(row.getOrDefault("processes", "0")),
                    Long.parseLong(row.getOrDefault("n", "0")),
                    Double.parseDouble(row.getOrDefault("throughput", "0")),
                    nanos));
        }
        return points;
    }

    /** The means of one queue's runs, by number of processes. */
    List<QueuePoint> of(QueueKind queue) {
        return points.stream()
                .filter(point -> point.queue() == queue)
                .map(QueuePoint::processes)
                .distinct()
                .flatMap(processes -> find(queue, processes).stream())
                .toList();
    }

    /** The means of all queues' runs, in the order of the runs. */
    List<QueuePoint> means() {
        return points.stream()
                .map(QueuePoint::queue)
                .distinct()
                .flatMap(queue -> of(queue).stream())
                .toList();
    }

    /** The runs of one queue with a number of processes. */
    List<QueuePoint> runs(QueueKind queue, int processes) {
        return points.stream()
                .filter(point -> point.queue() == queue && point.processes() == processes)
                .toList();
    }

    /** Whether a point has more than one run. */
    boolean areSeveralRuns() {
        return points.size() > means().size();
    }

    /** The mean of the runs of one queue with a number of processes; empty if there are none. */
    Optional<QueuePoint> find(QueueKind queue, int processes) {
        List<QueuePoint> runs = runs(queue, processes);
        if (runs.isEmpty()) {
            return Optional.empty();
        }
        Map<QueueMetric, Double> nanos = new EnumMap<>(QueueMetric.class);
        for (QueuePoint run : runs) {
            run.nanos().forEach((part, time) -> nanos.merge(part, time / runs.size(), Double::sum));
        }
        double throughput =
                runs.stream().mapToDouble(QueuePoint::throughput).average().orElseThrow();
        long operations = runs.stream().mapToLong(QueuePoint::operations).sum() / runs.size();
        return Optional.of(new QueuePoint(queue, processes, operations, throughput, nanos));
    }

    /** The fewest operations of a process at a point; 0 if there are no points. */
    long fewestOperations() {
        return points.stream().mapToLong(QueuePoint::operations).min().orElse(0);
    }

    /** A row per run, for {@code points.csv}. */
    RunTable table(PaperFigures paper) {
        List<Map<String, String>> rows = new ArrayList<>();
        Map<String, Integer> runs = new HashMap<>();
        for (QueuePoint point : points) {
            int run = runs.merge(point.queue() + "-" + point.processes(), 1, Integer::sum);
            Map<String, String> row = new LinkedHashMap<>();
            row.put("queue", point.queue().toString());
            row.put("processes", Integer.toString(point.processes()));
            row.put("run", Integer.toString(run));
            row.put("n", Long.toString(point.operations()));
            row.put("throughput", String.format(Locale.ROOT, "%.0f", point.throughput()));
            paper.throughput(point.queue(), point.processes())
                    .ifPresent(value -> row.put("throughput_paper", Double.toString(value)));
            for (QueueMetric part : PARTS) {
                if (point.nanos().containsKey(part)) {
                    row.put(column(part), String.format(Locale.ROOT, "%.3f", point.micros(part)));
                }
            }
            rows.add(row);
        }
        return new RunTable(rows);
    }

    /** The name of the column of a part, such as {@code enq_all_us}. */
    private static String column(QueueMetric part) {
        return part.name().toLowerCase(Locale.ROOT) + "_us";
    }
}
