// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.report;

import dev.remus.tools.plot.Axis;
import dev.remus.tools.plot.Columns;
import dev.remus.tools.plot.Figure;
import dev.remus.tools.plot.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The curves of runs that differ in a number, such as that of their threads: a line for each of their other
 * differences.
 */
final class Curves {
    private final Differences differences;

    Curves(Differences differences) {
        this.differences = differences;
    }

    /** The curves over the number in which runs differ; none if they differ in no number. */
    List<Figure> all() {
        Optional<String> axis = differences.axis();
        if (axis.isEmpty()) {
            return List.of();
        }
        List<Figure> all = new ArrayList<>();
        add(axis.get(), Columns.axis("throughput"), run -> run.metric("throughput"), all);
        add(axis.get(), Columns.axis("micros_per_op"), run -> run.metric("micros_per_op"), all);
        add(axis.get(), Axis.of("round trips per operation"), Run::roundTrips, all);
        return all;
    }

    private void add(String axis, Axis y, Function<Run, Optional<Double>> value, List<Figure> all) {
        List<String> lines = differences.lines(axis);
        Map<String, Map<Double, List<Double>>> points = new LinkedHashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            Optional<Double> measured = value.apply(differences.runs().get(i));
            if (measured.isPresent()) {
                points.computeIfAbsent(lines.get(i).isEmpty() ? y.label() : lines.get(i), key -> new TreeMap<>())
                        .computeIfAbsent(differences.position(axis, i), key -> new ArrayList<>())
                        .add(measured.get());
            }
        }
        Axis x = Columns.axis(axis.replaceFirst("^--", ""));
        Figure figure = new Figure(x, y).title(y.label() + " by " + x.label()).size(Charts.SIZE);
        points.forEach((line, measured) -> {
            Series series = Series.of(line);
            measured.forEach((at, values) -> series.point(
                    at, values.stream().mapToDouble(Double::doubleValue).toArray()));
            figure.add(series);
        });
        if (!figure.isEmpty()) {
            all.add(figure);
        }
    }
}
