package dev.remus.tools.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;

/** A chart of lines over a horizontal axis. */
final class LineChart implements Chart {
    private static final int WIDTH = 420;
    private static final int HEIGHT = 240;
    private static final int LEFT = 58;
    private static final int RIGHT = 14;
    private static final int TOP = 12;
    private static final int BOTTOM = 36;
    private static final int STEPS = 5;
    private static final int MAX_DOTS = 12;
    private static final double WORD_MARGIN = 0.3;

    private final String label;
    private final String xTitle;
    private final DoubleFunction<String> yFormat;
    private final boolean logarithmic;
    private final Map<String, List<double[]>> lines = new LinkedHashMap<>();
    private List<String> words = List.of();

    /**
     * An empty chart.
     *
     * @param label the title, also read by screen readers
     * @param xTitle the title of the horizontal axis, with the unit
     * @param yFormat formats the numbers at the vertical axis
     * @param logarithmic whether the vertical axis is logarithmic; otherwise it starts at 0
     */
    LineChart(String label, String xTitle, DoubleFunction<String> yFormat, boolean logarithmic) {
        this.label = label;
        this.xTitle = xTitle;
        this.yFormat = yFormat;
        this.logarithmic = logarithmic;
    }

    /** Labels the positions 0, 1, ... of the horizontal axis with words instead of numbers. */
    LineChart words(List<String> names) {
        words = names;
        return this;
    }

    /** Adds a line through points, each x and y. */
    void line(String name, List<double[]> points) {
        lines.put(name, points);
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public int width() {
        return WIDTH;
    }

    @Override
    public int height() {
        return HEIGHT;
    }

    @Override
    public List<String> series() {
        return List.copyOf(lines.keySet());
    }

    @Override
    public void draw(Canvas canvas) {
        List<double[]> points = lines.values().stream().flatMap(List::stream).toList();
        boolean isNumbers = words.isEmpty();
        double xMin = isNumbers ? 0 : -WORD_MARGIN;
        double xMax =
                isNumbers ? points.stream().mapToDouble(p -> p[0]).max().orElse(1) : words.size() - 1 + WORD_MARGIN;
        double least = points.stream().mapToDouble(p -> p[1]).min().orElse(1);
        double largest = points.stream().mapToDouble(p -> p[1]).max().orElse(1);
        List<Double> marks = logarithmic ? powers(least, largest) : round(largest);
        double yMin = marks.get(0);
        double yMax = marks.get(marks.size() - 1);
        for (double mark : marks) {
            double y = y(mark, yMin, yMax);
            canvas.gridLine(LEFT, y, WIDTH - RIGHT, y);
            canvas.text(LEFT - 6, y + 4, Canvas.Anchor.END, yFormat.apply(mark));
        }
        double below = HEIGHT - BOTTOM + 16;
        for (int i = 0; i < words.size(); i++) {
            canvas.text(x(i, xMin, xMax), below, Canvas.Anchor.MIDDLE, words.get(i));
        }
        for (double place : isNumbers ? round(xMax) : List.<Double>of()) {
            if (place <= xMax) {
                canvas.text(x(place, xMin, xMax), below, Canvas.Anchor.MIDDLE, Text.tick(place));
            }
        }
        canvas.text(WIDTH - RIGHT, HEIGHT - 4, Canvas.Anchor.END, xTitle);
        int number = 0;
        for (List<double[]> line : lines.values()) {
            List<double[]> path = line.stream()
                    .map(p -> new double[] {x(p[0], xMin, xMax), y(p[1], yMin, yMax)})
                    .toList();
            canvas.path(path, number);
            if (path.size() <= MAX_DOTS) {
                for (double[] p : path) {
                    canvas.dot(p[0], p[1], number);
                }
            }
            number++;
        }
    }

    private static double x(double value, double min, double max) {
        return LEFT + (value - min) / (max - min) * (WIDTH - LEFT - RIGHT);
    }

    private double y(double value, double min, double max) {
        double share = logarithmic
                ? (Math.log(Math.max(value, min)) - Math.log(min)) / (Math.log(max) - Math.log(min))
                : (value - min) / (max - min);
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
    }

    /** 0 and a few round numbers, the last of which is at least {@code largest}. */
    static List<Double> round(double largest) {
        double rough = Math.max(largest, 1e-9) / STEPS;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double step = power * (rough / power <= 1 ? 1 : rough / power <= 2 ? 2 : rough / power <= 5 ? 5 : 10);
        List<Double> marks = new ArrayList<>();
        for (int i = 0; marks.isEmpty() || marks.get(marks.size() - 1) < largest; i++) {
            marks.add(i * step);
        }
        return marks;
    }

    /** The powers of ten around a range. */
    private static List<Double> powers(double least, double largest) {
        List<Double> marks = new ArrayList<>();
        for (double p = Math.floor(Math.log10(Math.max(1, least)));
                marks.size() < 2 || marks.get(marks.size() - 1) < largest;
                p++) {
            marks.add(Math.pow(10, p));
        }
        return marks;
    }
}
