package dev.remus.tools.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A chart of horizontal bars, with a name above each group and a value beside each bar. */
final class BarChart implements Chart {
    private static final int WIDTH = 420;
    private static final int ROW = 17;
    private static final int NAME = 18;
    private static final int GAP = 8;
    private static final int BAR = 13;
    private static final int VALUE = 100;

    private record Bar(int series, double value, double full, String text) {
        boolean canFill() {
            return !Double.isNaN(full);
        }
    }

    private final String label;
    private final Map<String, List<Bar>> groups = new LinkedHashMap<>();
    private final List<String> series = new ArrayList<>();

    /** @param label the title, a few words */
    BarChart(String label) {
        this.label = label;
    }

    /** Adds a bar to a group. */
    void bar(String group, String seriesName, double value, String text) {
        bar(group, seriesName, value, Double.NaN, text);
    }

    /** Adds a bar that can fill up to {@code full}: its length is the share, and the text is above it. */
    void bar(String group, String seriesName, double value, double full, String text) {
        if (!series.contains(seriesName)) {
            series.add(seriesName);
        }
        groups.computeIfAbsent(group, g -> new ArrayList<>())
                .add(new Bar(series.indexOf(seriesName), value, full, text));
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
        int bars = groups.values().stream().mapToInt(List::size).sum();
        return Math.max(1, groups.size() * (NAME + GAP) + bars * ROW);
    }

    @Override
    public List<String> series() {
        return List.copyOf(series);
    }

    @Override
    public void draw(Canvas canvas) {
        double largest = groups.values().stream()
                .flatMap(List::stream)
                .mapToDouble(Bar::value)
                .max()
                .orElse(1);
        double y = 0;
        for (Map.Entry<String, List<Bar>> group : groups.entrySet()) {
            canvas.text(0, y + 13, Canvas.Anchor.START, group.getKey());
            y += NAME;
            for (Bar bar : group.getValue()) {
                draw(bar, y, largest, canvas);
                y += ROW;
            }
            y += GAP;
        }
    }

    private static void draw(Bar bar, double y, double largest, Canvas canvas) {
        double room = bar.canFill() ? WIDTH - 1.0 : WIDTH - VALUE;
        double share = bar.value() / Math.max(1e-12, bar.canFill() ? bar.full() : largest);
        double length = Math.max(1.5, share * room);
        if (bar.canFill()) {
            canvas.box(0.5, y + 0.5, room - 1, BAR - 1);
            canvas.bar(0, y, length, BAR, bar.series());
            canvas.text(WIDTH, y - 5, Canvas.Anchor.END, bar.text());
        } else {
            canvas.bar(0, y, length, BAR, bar.series());
            canvas.text(length + 6, y + 11, Canvas.Anchor.START, bar.text());
        }
    }
}
