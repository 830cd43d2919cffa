// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import dev.remus.config.Suggestion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Makes the {@link Figure} of one column of a {@link RunTable} over another. Each point is the mean of the runs with
 * the same x and line.
 */
public final class TableFigure {
    /** Sorts numbers by value, also at the end of a text: "key range 512" precedes "key range 4096". */
    private static final Comparator<String> BY_NUMBER = Comparator.comparing(
                    (String text) -> FigureContent.number(text.substring(text.lastIndexOf(' ') + 1))
                            .orElse(Double.MAX_VALUE))
            .thenComparing(Comparator.naturalOrder());

    private TableFigure() {}

    /**
     * Makes a figure, whose title names its axes.
     *
     * @param table the table, whose rows without a value in both columns are ignored
     * @param x the column for the horizontal axis
     * @param y the column for the vertical axis, which must hold numbers
     * @param by the column with a line for each of its values, if any
     * @throws IllegalArgumentException if there is no such column, or the one for the vertical axis holds no numbers
     */
    public static Figure of(RunTable table, String x, String y, Optional<String> by) {
        return of(table, x, Columns.axis(x), y, Columns.axis(y), by);
    }

    /** The same with given axes. */
    public static Figure of(RunTable table, String x, Axis across, String y, Axis up, Optional<String> by) {
        List<String> columns = new ArrayList<>(List.of(x, y));
        by.ifPresent(columns::add);
        for (String column : columns) {
            if (!table.columns().contains(column)) {
                throw new IllegalArgumentException("there is no column '" + column + "'; there are "
                        + String.join(", ", table.columns()) + Suggestion.didYouMean(column, table.columns()));
            }
        }
        Map<String, Map<String, List<Double>>> values = new TreeMap<>(BY_NUMBER);
        for (Map<String, String> row : table.rows()) {
            String at = row.getOrDefault(x, "");
            Optional<Double> value = FigureContent.number(row.getOrDefault(y, ""));
            if (!at.isEmpty() && value.isPresent()) {
                String line = by.map(column -> Columns.series(column, row.getOrDefault(column, "")))
                        .orElse(Columns.axis(y).label());
                values.computeIfAbsent(line, key -> new TreeMap<>(BY_NUMBER))
                        .computeIfAbsent(at, key -> new ArrayList<>())
                        .add(value.get());
            }
        }
        if (values.isEmpty()) {
            throw new IllegalArgumentException("the column '" + y + "' holds no numbers");
        }
        Figure figure = new Figure(across, up).title(up.label() + " by " + across.label());
        values.forEach((name, points) -> {
            Series series = Series.of(name);
            points.forEach((at, measured) -> series.add(Point.of(
                    at, measured.stream().mapToDouble(Double::doubleValue).toArray())));
            figure.add(series);
        });
        return figure;
    }
}
