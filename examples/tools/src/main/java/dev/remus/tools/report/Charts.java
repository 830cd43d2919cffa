// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.report;

import dev.remus.tools.plot.Axis;
import dev.remus.tools.plot.Figure;
import dev.remus.tools.plot.FigureSize;
import dev.remus.tools.plot.Series;
import dev.remus.tools.plot.Unit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The charts of one or several runs; there is none of what no run has data for. */
final class Charts {
    static final FigureSize SIZE = new FigureSize(560, 360, 13);

    /** The most nodes shown as lines: more are hard to distinguish. */
    private static final int MAX_NODES = 7;

    /** The most runs shown as lines over time or percentiles. */
    private static final int MAX_RUNS = 6;

    private static final int HEIGHT_OF_A_BAR = 17;
    private static final int HEIGHT_OF_A_WORD = 14;
    private static final int HEIGHT_OF_AXES = 110;
    private static final int RUNS_IN_A_ROW_OF_THE_LEGEND = 3;
    private static final int HEIGHT_OF_A_ROW = 24;

    private final Map<String, Run> runs;

    /** @param runs the runs by their names in the charts */
    Charts(Map<String, Run> runs) {
        this.runs = runs;
    }

    /** All charts with data, by the name of their file. */
    Map<String, Figure> all() {
        Map<String, Figure> all = new LinkedHashMap<>();
        if (runs.size() <= MAX_RUNS) {
            add("throughput", throughput(), all);
            add("latency-over-time", latencyOverTime(), all);
            add("latency", latency(), all);
        }
        add("remote", remote(), all);
        add("memory", memory(), all);
        return all;
    }

    /** A sentence about charts that {@link #all} leaves out; empty if there are none. */
    String leftOut() {
        return runs.size() <= MAX_RUNS
                ? ""
                : "Throughput and latency over time and latency by percentile are shown for at most " + MAX_RUNS
                        + " runs; ./remus report FOLDER shows them for one.";
    }

    private static void add(String name, Figure figure, Map<String, Figure> all) {
        if (!figure.isEmpty()) {
            all.put(name, figure);
        }
    }

    /** Operations per second over time: of each node of a single run, or of each of several runs. */
    private Figure throughput() {
        Figure chart = new Figure(Axis.of("time", Unit.SECONDS), Axis.of("throughput", Unit.OPERATIONS_PER_SECOND))
                .title("Operations per second over time")
                .size(SIZE);
        for (Map.Entry<String, Run> run : runs.entrySet()) {
            List<Rates.Rate> rates = run.getValue().rates();
            if (rates.isEmpty()) {
                continue;
            }
            chart.add(line(runs.size() == 1 ? "all nodes" : run.getKey(), Rates.sum(rates)));
            List<Integer> nodes =
                    rates.stream().map(Rates.Rate::node).distinct().toList();
            if (runs.size() == 1 && nodes.size() > MAX_NODES) {
                chart.caption("Lines of single nodes are shown for at most " + MAX_NODES + " nodes.");
            } else if (runs.size() == 1 && nodes.size() > 1) {
                for (int node : nodes) {
                    chart.add(line(
                            "node " + node,
                            rates.stream().filter(r -> r.node() == node).toList()));
                }
            }
        }
        return chart;
    }

    private static Series line(String name, List<Rates.Rate> rates) {
        Series line = Series.of(name);
        rates.forEach(rate -> line.point(rate.seconds(), rate.perSecond()));
        return line;
    }

    /**
     * The median and the 99th percentile over time: of each kind of operations of a single run, or the latter of all
     * operations of each of several runs.
     */
    private Figure latencyOverTime() {
        boolean isSingle = runs.size() == 1;
        Figure chart = new Figure(
                        Axis.of("time", Unit.SECONDS),
                        Axis.of("latency", Unit.NANOSECONDS).logarithmic())
                .title(isSingle ? "Latency over time" : "99th percentile of the latency over time")
                .size(SIZE);
        runs.forEach((name, run) -> {
            List<String> kinds = run.latenciesOverTime().stream()
                    .map(Run.LatencyAt::operation)
                    .filter(kind -> isSingle != kind.equals(Run.LatencyAt.ALL))
                    .distinct()
                    .toList();
            if (kinds.size() < 2) { // one kind, or a file of an earlier version: all operations are the same
                kinds = List.of(Run.LatencyAt.ALL);
            }
            for (String kind : kinds) {
                List<Run.LatencyAt> ofKind = run.latenciesOverTime().stream()
                        .filter(at -> at.operation().equals(kind))
                        .toList();
                if (ofKind.size() > 1) {
                    String prefix = kind.equals(Run.LatencyAt.ALL) ? "" : kind + ", ";
                    Series tail = Series.of(isSingle ? prefix + "99th percentile" : name);
                    Series median = Series.of(prefix + "median");
                    for (Run.LatencyAt at : ofKind) {
                        tail.point(at.seconds(), Math.max(1, at.p99()));
                        median.point(at.seconds(), Math.max(1, at.p50()));
                    }
                    chart.add(tail);
                    if (isSingle) {
                        chart.add(median);
                    }
                }
            }
        });
        return chart;
    }

    private Figure latency() {
        Figure chart = new Figure(
                        Axis.of("percentile; 100 is the maximum"),
                        Axis.of("latency", Unit.NANOSECONDS).logarithmic())
                .title("Latency by percentile")
                .connected();
        List<Series> lines = new ArrayList<>();
        runs.forEach((name, run) -> run.latencyCurves().forEach((operation, curve) -> {
            Series line = Series.of(runs.size() == 1 ? operation : name + ", " + operation);
            curve.forEach((percentile, nanos) -> line.point(percentile, Math.max(1, nanos)));
            lines.add(line);
        }));
        lines.forEach(chart::add);
        int rows = lines.size() / RUNS_IN_A_ROW_OF_THE_LEGEND;
        return chart.size(new FigureSize(SIZE.width(), SIZE.height() + rows * HEIGHT_OF_A_ROW, SIZE.fontSize()));
    }

    private Figure remote() {
        Figure chart = new Figure(Axis.of(""), Axis.of("per operation"))
                .title("Remote operations per operation")
                .horizontal();
        int bars = 0;
        int kinds = 0;
        for (Map.Entry<String, Run> run : runs.entrySet()) {
            Series series = Series.of(run.getKey()).styledAs(style(run));
            Map<String, Double> counts = run.getValue().remotePerOperation();
            counts.forEach((kind, count) -> series.point(kind, count, beside(run.getKey(), count)));
            bars += counts.size();
            kinds = Math.max(kinds, counts.size());
            chart.add(series);
        }
        return chart.size(height(bars, kinds));
    }

    /** Names the run too, because colours of many runs repeat. */
    private String beside(String run, double count) {
        return runs.size() == 1 ? Text.number(count) : Text.number(count) + "  " + run;
    }

    private Figure memory() {
        Figure chart = new Figure(Axis.of(""), Axis.of("allocated", Unit.of("%")))
                .title("Memory allocated in each segment, including freed blocks")
                .horizontal();
        Series series = Series.of("memory");
        int bars = 0;
        for (Map.Entry<String, Run> run : runs.entrySet()) {
            for (Map.Entry<String, long[]> segment : run.getValue().segments().entrySet()) {
                long[] use = segment.getValue();
                String name = runs.size() == 1 ? segment.getKey() : run.getKey() + ", " + segment.getKey();
                series.point(name, 100.0 * use[0] / use[1], Text.bytes(use[0]) + " of " + Text.bytes(use[1]));
                bars++;
            }
        }
        return chart.add(series).size(height(bars));
    }

    /** Runs of one structure need different styles; a run that is the only one of its structure has that one's. */
    private String style(Map.Entry<String, Run> run) {
        String subject = run.getValue().subject();
        long same = runs.values().stream()
                .filter(other -> other.subject().equals(subject))
                .count();
        return same == 1 && !subject.isEmpty() ? subject : run.getKey();
    }

    /** The size of a chart of horizontal bars, each with its own name. */
    static FigureSize height(int bars) {
        return new FigureSize(
                SIZE.width(), HEIGHT_OF_AXES + bars * (HEIGHT_OF_A_BAR + HEIGHT_OF_A_WORD), SIZE.fontSize());
    }

    private FigureSize height(int bars, int words) {
        int rows = runs.size() == 1 ? 0 : runs.size() / RUNS_IN_A_ROW_OF_THE_LEGEND + 1;
        int height = HEIGHT_OF_AXES + bars * HEIGHT_OF_A_BAR + words * HEIGHT_OF_A_WORD + rows * HEIGHT_OF_A_ROW;
        return new FigureSize(SIZE.width(), height, SIZE.fontSize());
    }
}
