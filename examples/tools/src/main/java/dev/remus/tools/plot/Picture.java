package dev.remus.tools.plot;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;

/**
 * A chart of one column of a {@link RunTable} over another. Each point is the mean of the runs with the same x and
 * line, with an error bar of one standard deviation. Numbers are drawn as lines, words (such as policies) as columns
 * side by side.
 */
public final class Picture {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 600;

    /** Sorts numbers by value, also at the end of a text: "key-ub 512" precedes "key-ub 4096". */
    private static final Comparator<String> BY_NUMBER = Comparator.comparing((String text) ->
                    number(text.substring(text.lastIndexOf(' ') + 1)).orElse(Double.MAX_VALUE))
            .thenComparing(Comparator.naturalOrder());

    private final String x;
    private final String y;
    private final Map<String, List<Point>> lines;
    private final boolean isLogarithmic;

    private Picture(String x, String y, Map<String, List<Point>> lines, boolean isLogarithmic) {
        this.isLogarithmic = isLogarithmic;
        this.x = x;
        this.y = y;
        this.lines = lines;
    }

    /**
     * Prepares a chart.
     *
     * @param table the table, whose rows without a value in both columns are ignored
     * @param x the column for the horizontal axis
     * @param y the column for the vertical axis, which must hold numbers
     * @param by the column with a line for each of its values, if any
     * @throws IllegalArgumentException if there is no such column, or the one for the vertical axis holds no numbers
     */
    public static Picture of(RunTable table, String x, String y, Optional<String> by) {
        Map<String, Map<String, List<Double>>> values = new TreeMap<>(BY_NUMBER);
        List<String> axes = new ArrayList<>(List.of(x, y));
        by.ifPresent(axes::add);
        for (String column : axes) {
            if (!table.columns().contains(column)) {
                throw new IllegalArgumentException(
                        "there is no column '" + column + "'; there are " + String.join(", ", table.columns()));
            }
        }
        for (Map<String, String> row : table.rows()) {
            String at = row.getOrDefault(x, "");
            Optional<Double> value = number(row.getOrDefault(y, ""));
            if (!at.isEmpty() && value.isPresent()) {
                String line = by.map(column -> column + " " + row.getOrDefault(column, ""))
                        .orElse(y);
                values.computeIfAbsent(line, key -> new TreeMap<>(BY_NUMBER))
                        .computeIfAbsent(at, key -> new ArrayList<>())
                        .add(value.get());
            }
        }
        if (values.isEmpty()) {
            throw new IllegalArgumentException("the column '" + y + "' holds no numbers");
        }
        Map<String, List<Point>> lines = new LinkedHashMap<>();
        values.forEach((line, points) -> lines.put(
                line,
                points.entrySet().stream()
                        .map(point -> Point.of(
                                point.getKey(),
                                point.getValue().stream()
                                        .mapToDouble(Double::doubleValue)
                                        .toArray()))
                        .toList()));
        return new Picture(x, y, lines, false);
    }

    private static Optional<Double> number(String text) {
        try {
            return Optional.of(Double.valueOf(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** A copy with logarithmic axes. All numbers must be above 0. */
    public Picture withLogarithms() {
        return new Picture(x, y, lines, true);
    }

    /** The points of each line, by the line's name. */
    Map<String, List<Point>> lines() {
        return lines;
    }

    /**
     * Writes the chart to a file.
     *
     * @param file the file, replaced if it exists; SVG if its name ends in {@code .svg}, else PNG
     */
    public void write(Path file) throws IOException {
        boolean numbers = lines.values().stream()
                .flatMap(List::stream)
                .allMatch(point -> number(point.x()).isPresent());
        Chart<?, ?> chart = numbers ? ofNumbers() : ofWords();
        chart.setTitle(y + " by " + x + " (mean, standard deviation)");
        chart.setXAxisTitle(x);
        chart.setYAxisTitle(y);
        if (file.toString().endsWith(".svg")) {
            VectorGraphicsEncoder.saveVectorGraphic(chart, file.toString(), VectorGraphicsFormat.SVG);
        } else {
            BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
        }
    }

    private XYChart ofNumbers() {
        XYChart chart = new XYChartBuilder().width(WIDTH).height(HEIGHT).build();
        chart.getStyler().setErrorBarsColorSeriesColor(true);
        if (isLogarithmic) {
            chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true);
        } else {
            chart.getStyler().setYAxisMin(0.0);
        }
        lines.forEach((line, points) -> chart.addSeries(
                line,
                points.stream()
                        .mapToDouble(point -> Double.parseDouble(point.x()))
                        .toArray(),
                means(points),
                deviations(points)));
        return chart;
    }

    private CategoryChart ofWords() {
        CategoryChart chart =
                new CategoryChartBuilder().width(WIDTH).height(HEIGHT).build();
        chart.getStyler().setErrorBarsColorSeriesColor(true).setYAxisMin(0.0);
        List<String> words = lines.values().stream()
                .flatMap(List::stream)
                .map(Point::x)
                .distinct()
                .sorted(BY_NUMBER)
                .toList();
        lines.forEach((line, points) -> {
            Map<String, Point> byWord = new LinkedHashMap<>();
            words.forEach(word -> byWord.put(word, new Point(word, 0, 0)));
            points.forEach(point -> byWord.put(point.x(), point));
            List<Point> all = List.copyOf(byWord.values());
            chart.addSeries(
                    line,
                    words,
                    all.stream().map(Point::mean).toList(),
                    all.stream().map(Point::deviation).toList());
        });
        return chart;
    }

    private static double[] means(List<Point> points) {
        return points.stream().mapToDouble(Point::mean).toArray();
    }

    private static double[] deviations(List<Point> points) {
        return points.stream().mapToDouble(Point::deviation).toArray();
    }
}
