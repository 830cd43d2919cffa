package dev.remus.tools.report;

import java.util.List;
import java.util.Locale;

/** A canvas that draws SVG, in colours that the enclosing page or picture defines. */
final class SvgCanvas implements Canvas {
    /** The number of distinct colours; further series reuse them. */
    static final int COLOURS = 8;

    private final StringBuilder markup = new StringBuilder();

    /** A chart as an element of a page. */
    static String of(Chart chart) {
        SvgCanvas canvas = new SvgCanvas();
        chart.draw(canvas);
        return "<svg viewBox=\"0 0 " + chart.width() + " " + chart.height() + "\" role=\"img\" aria-label=\""
                + Text.escape(chart.label()) + "\">" + canvas.markup + "</svg>";
    }

    /** The markup drawn so far. */
    String markup() {
        return markup.toString();
    }

    /** The name of the colour of a series. */
    static String colour(int series) {
        return "var(--c" + series % COLOURS + ")";
    }

    @Override
    public void gridLine(double x1, double y1, double x2, double y2) {
        add("<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", x1, y1, x2, y2);
    }

    @Override
    public void box(double x, double y, double width, double height) {
        add(
                "<rect class=\"grid\" fill=\"none\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\"/>",
                x, y, width, height);
    }

    @Override
    public void bar(double x, double y, double width, double height, int series) {
        add(
                "<rect fill=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\"/>",
                colour(series), x, y, width, height);
    }

    @Override
    public void path(List<double[]> points, int series) {
        StringBuilder list = new StringBuilder();
        points.forEach(p -> list.append(String.format(Locale.ROOT, "%.1f,%.1f ", p[0], p[1])));
        add(
                "<polyline fill=\"none\" stroke-width=\"2\" stroke-linejoin=\"round\" stroke=\"%s\" points=\"%s\"/>",
                colour(series), list.toString().strip());
    }

    @Override
    public void dot(double x, double y, int series) {
        add("<circle r=\"2.5\" fill=\"%s\" cx=\"%.1f\" cy=\"%.1f\"/>", colour(series), x, y);
    }

    @Override
    public void text(double x, double y, Anchor anchor, String text) {
        add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
                x, y, anchor.name().toLowerCase(Locale.ROOT), Text.escape(text));
    }

    private void add(String format, Object... values) {
        markup.append(String.format(Locale.ROOT, format, values));
    }
}
