// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import java.awt.Font;
import java.awt.geom.Line2D;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.xy.YIntervalDataItem;
import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;

/** Draws a {@link Figure} over numbers as lines with markers. */
final class LinePlot {
    private static final double LEGEND_LINE = 16;

    /** More points than this on a line have no markers, which would hide it. */
    private static final int MAX_MARKERS = 30;

    private LinePlot() {}

    static Plot of(FigureContent figure, Map<String, SeriesStyle> styles, Font font) {
        List<Point> points = figure.points();
        AxisMaker x = AxisMaker.of(figure.x(), points.stream().map(LinePlot::x).toList(), List.of(), font);
        AxisMaker y = AxisMaker.of(
                figure.y(),
                points.stream().map(Point::mean).toList(),
                points.stream()
                        .filter(Point::hasErrorBar)
                        .flatMap(point -> Stream.of(point.mean() - point.deviation(), point.mean() + point.deviation()))
                        .toList(),
                font);
        YIntervalSeriesCollection data = new YIntervalSeriesCollection();
        ErrorBarLineRenderer renderer = new ErrorBarLineRenderer();
        renderer.setLegendLine(new Line2D.Double(-LEGEND_LINE, 0, LEGEND_LINE, 0));
        for (Series series : figure.series()) {
            int number = data.getSeriesCount();
            YIntervalSeries items = new YIntervalSeries(series.name(), true, true);
            for (Point point : series.points()) {
                double bar = point.hasErrorBar() ? point.deviation() : Double.NaN;
                items.add(
                        new YIntervalDataItem(
                                x(point) / x.factor(),
                                point.mean() / y.factor(),
                                (point.mean() - bar) / y.factor(),
                                (point.mean() + bar) / y.factor()),
                        false);
            }
            data.addSeries(items);
            SeriesStyle style = styles.getOrDefault(series.styleName(), new SeriesStyle(number));
            renderer.style(number, style, series.isReference(), series.points().size() <= MAX_MARKERS);
        }
        ValueAxis across = x.axis();
        XYPlot plot = new XYPlot(data, across, y.axis(), renderer);
        plot.setDomainGridlinePaint(Ink.GRID);
        plot.setRangeGridlinePaint(Ink.GRID);
        plot.setDomainGridlineStroke(Ink.THIN);
        plot.setRangeGridlineStroke(Ink.THIN);
        return plot;
    }

    private static double x(Point point) {
        return FigureContent.number(point.x()).orElseThrow();
    }
}
