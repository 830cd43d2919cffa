package dev.remus.tools.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;

/** A stand-alone chart with its title above and its legend below, for papers and slides. */
final class TitledChart implements Chart {
    private static final int MARGIN = 14;
    private static final int TITLE = 24;
    private static final int LEGEND_ROW = 18;
    private static final int COLUMNS = 3;

    private static final String SVG = """
            <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">
            <style>svg { %s } text { font: 12px sans-serif; fill: %s } .grid { stroke: %s }</style>
            <rect width="100%%" height="100%%" fill="#ffffff"/>
            %s
            </svg>
            """;

    private final Chart chart;

    TitledChart(Chart chart) {
        this.chart = chart;
    }

    @Override
    public String label() {
        return chart.label();
    }

    @Override
    public int width() {
        return chart.width() + 2 * MARGIN;
    }

    @Override
    public int height() {
        int rows = hasLegend() ? (series().size() + COLUMNS - 1) / COLUMNS : 0;
        return chart.height() + TITLE + 2 * MARGIN + rows * LEGEND_ROW;
    }

    @Override
    public List<String> series() {
        return chart.series();
    }

    private boolean hasLegend() {
        return series().size() > 1;
    }

    @Override
    public void draw(Canvas canvas) {
        canvas.text(width() / 2.0, MARGIN + 6.0, Canvas.Anchor.MIDDLE, label());
        chart.draw(new Shifted(canvas, MARGIN, MARGIN + TITLE - 6));
        if (hasLegend()) {
            for (int i = 0; i < series().size(); i++) {
                double x = MARGIN + (double) (i % COLUMNS) * chart.width() / COLUMNS;
                int row = i / COLUMNS;
                double y = MARGIN + TITLE + chart.height() + (double) row * LEGEND_ROW;
                canvas.bar(x, y, 10, 10, i);
                canvas.text(x + 15, y + 9, Canvas.Anchor.START, series().get(i));
            }
        }
    }

    /** Writes it as PNG and as SVG. */
    void write(Path folder, String name) throws IOException {
        SvgCanvas svg = new SvgCanvas();
        draw(svg);
        String markup = SVG.formatted(
                width(),
                height(),
                width(),
                height(),
                Palette.variables(false),
                Palette.TEXT,
                Palette.GRID,
                svg.markup());
        Files.writeString(folder.resolve(name + ".svg"), markup);
        ImageCanvas image = new ImageCanvas(width(), height());
        draw(image);
        if (!ImageIO.write(image.finish(), "png", folder.resolve(name + ".png").toFile())) {
            throw new IOException("this Java cannot write PNG files");
        }
    }

    /** A canvas that shifts all coordinates. */
    private record Shifted(Canvas canvas, double dx, double dy) implements Canvas {
        @Override
        public void gridLine(double x1, double y1, double x2, double y2) {
            canvas.gridLine(x1 + dx, y1 + dy, x2 + dx, y2 + dy);
        }

        @Override
        public void box(double x, double y, double width, double height) {
            canvas.box(x + dx, y + dy, width, height);
        }

        @Override
        public void bar(double x, double y, double width, double height, int series) {
            canvas.bar(x + dx, y + dy, width, height, series);
        }

        @Override
        public void path(List<double[]> points, int series) {
            List<double[]> shifted = new ArrayList<>();
            points.forEach(p -> shifted.add(new double[] {p[0] + dx, p[1] + dy}));
            canvas.path(shifted, series);
        }

        @Override
        public void dot(double x, double y, int series) {
            canvas.dot(x + dx, y + dy, series);
        }

        @Override
        public void text(double x, double y, Anchor anchor, String text) {
            canvas.text(x + dx, y + dy, anchor, text);
        }
    }
}
