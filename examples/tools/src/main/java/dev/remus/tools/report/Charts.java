package dev.remus.tools.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The charts of one or several runs; a chart is empty if no run has data for it. */
final class Charts {
    /** The most nodes shown as lines: more are hard to distinguish. */
    private static final int MAX_NODES = 7;

    /** The most segments shown as bars. */
    private static final int MAX_SEGMENTS = 16;

    private final Map<String, Run> runs;

    Charts(Map<String, Run> runs) {
        this.runs = runs;
    }

    /** All charts with data, by the name of their file. */
    Map<String, Chart> all() {
        Map<String, Chart> all = new LinkedHashMap<>();
        throughput().ifPresent(chart -> all.put("throughput", chart));
        latency().ifPresent(chart -> all.put("latency", chart));
        remote().ifPresent(chart -> all.put("remote", chart));
        memory().ifPresent(chart -> all.put("memory", chart));
        return all;
    }

    /** Operations per second over time: of each node of a single run, or of each of several runs. */
    private Optional<Chart> throughput() {
        LineChart chart = new LineChart("Operations per second over time", "seconds", Text::tick, false);
        for (Map.Entry<String, Run> run : runs.entrySet()) {
            List<Rates.Rate> rates = run.getValue().rates();
            if (rates.isEmpty()) {
                continue;
            }
            chart.line(runs.size() == 1 ? "all nodes" : run.getKey(), points(Rates.sum(rates)));
            List<Integer> nodes =
                    rates.stream().map(Rates.Rate::node).distinct().toList();
            if (runs.size() == 1 && nodes.size() > 1 && nodes.size() <= MAX_NODES) {
                for (int node : nodes) {
                    chart.line(
                            "node " + node,
                            points(rates.stream().filter(r -> r.node() == node).toList()));
                }
            }
        }
        return chart.series().isEmpty() ? Optional.empty() : Optional.of(chart);
    }

    private static List<double[]> points(List<Rates.Rate> rates) {
        return rates.stream()
                .map(r -> new double[] {r.seconds(), r.perSecond()})
                .toList();
    }

    private Optional<Chart> latency() {
        Set<String> percentiles = new LinkedHashSet<>();
        runs.values().forEach(run -> run.latencyCurves().values().forEach(curve -> percentiles.addAll(curve.keySet())));
        List<String> names = new ArrayList<>(percentiles);
        LineChart chart =
                new LineChart("Latency by percentile", "percentile; 100 is the maximum", Text::time, true).words(names);
        runs.forEach((name, run) -> run.latencyCurves().forEach((operation, curve) -> {
            List<double[]> points = new ArrayList<>();
            curve.forEach((percentile, nanos) -> points.add(new double[] {names.indexOf(percentile), nanos}));
            chart.line(runs.size() == 1 ? operation : name + " " + operation, points);
        }));
        return names.isEmpty() ? Optional.empty() : Optional.of(chart);
    }

    private Optional<Chart> remote() {
        BarChart chart = new BarChart("Remote operations per operation");
        Map<String, Map<String, Double>> byKind = new LinkedHashMap<>();
        runs.forEach((name, run) -> run.remotePerOperation()
                .forEach((kind, count) ->
                        byKind.computeIfAbsent(kind, k -> new LinkedHashMap<>()).put(name, count)));
        byKind.forEach(
                (kind, counts) -> counts.forEach((name, count) -> chart.bar(kind, name, count, Text.number(count))));
        return byKind.isEmpty() ? Optional.empty() : Optional.of(chart);
    }

    private Optional<Chart> memory() {
        BarChart chart = new BarChart("Memory allocated in each segment, including freed blocks");
        int bars = 0;
        for (Map.Entry<String, Run> run : runs.entrySet()) {
            for (Map.Entry<String, long[]> segment : run.getValue().segments().entrySet()) {
                long[] use = segment.getValue();
                String group = runs.size() == 1 ? segment.getKey() : run.getKey() + ", " + segment.getKey();
                if (++bars <= MAX_SEGMENTS) {
                    chart.bar(group, run.getKey(), use[0], use[1], Text.bytes(use[0]) + " of " + Text.bytes(use[1]));
                }
            }
        }
        return bars == 0 ? Optional.empty() : Optional.of(chart);
    }
}
