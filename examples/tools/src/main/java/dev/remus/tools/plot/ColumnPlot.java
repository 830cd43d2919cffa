// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.CategoryLabelPositions;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.CategoryItemRenderer;
import org.jfree.chart.renderer.category.LineAndShapeRenderer;
import org.jfree.data.statistics.DefaultStatisticalCategoryDataset;

/** Draws a {@link Figure} over words, as columns side by side or as lines. */
final class ColumnPlot {
    private static final double GAP_BETWEEN_WORDS = 0.2;

    /** The share of the figure's width that words may take: below a column, or left of it. */
    private static final double WIDTH_BELOW = 0.6;

    /** An axis ends at this multiple of the value of a column with a text beside it. */
    private static final double ROOM_FOR_TEXT = 1.5;

    private static final float WIDTH_BESIDE = 0.6f;

    private ColumnPlot() {}

    static Plot of(FigureContent figure, Map<String, SeriesStyle> styles, Font font) {
        List<Point> points = figure.points();
        List<Double> means = points.stream().map(Point::mean).toList();
        List<Double> limits = new ArrayList<>();
        for (Series series : figure.series()) {
            for (Point point : series.points()) {
                double bar = point.hasErrorBar() ? point.deviation() : 0;
                limits.add(point.mean() - bar);
                limits.add((point.mean() + bar) * (series.text(point.x()).isEmpty() ? 1 : ROOM_FOR_TEXT));
            }
        }
        AxisMaker y = figure.y().isLogarithmic()
                ? AxisMaker.of(figure.y(), means, limits, font)
                : AxisMaker.fromZero(figure.y(), means, limits, font);
        List<String> words = points.stream().map(Point::x).distinct().toList();
        DefaultStatisticalCategoryDataset data = new DefaultStatisticalCategoryDataset();
        ErrorBarColumnRenderer columns = new ErrorBarColumnRenderer(figure.series(), figure.isHorizontal(), font);
        LineAndShapeRenderer lines = new LineAndShapeRenderer();
        for (Series series : figure.series()) {
            int number = data.getRowCount();
            for (String word : words) {
                series.at(word)
                        .ifPresentOrElse(
                                point -> data.add(
                                        point.mean() / y.factor(),
                                        point.hasErrorBar() ? point.deviation() / y.factor() : Double.NaN,
                                        series.name(),
                                        word),
                                () -> data.add(null, null, series.name(), word));
            }
            SeriesStyle style = styles.getOrDefault(series.styleName(), new SeriesStyle(number));
            columns.style(number, style, series.isReference());
            lines.setSeriesPaint(number, style.colour());
            lines.setSeriesShape(number, style.marker());
            lines.setSeriesStroke(number, style.stroke(series.isReference()));
        }
        CategoryItemRenderer renderer = figure.isConnected() ? lines : columns;
        CategoryPlot plot = new CategoryPlot(data, across(figure, words, font), y.axis(), renderer);
        plot.setOrientation(figure.isHorizontal() ? PlotOrientation.HORIZONTAL : PlotOrientation.VERTICAL);
        plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
        plot.setRangeGridlinePaint(Ink.GRID);
        plot.setRangeGridlineStroke(Ink.THIN);
        return plot;
    }

    private static CategoryAxis across(FigureContent figure, List<String> words, Font font) {
        CategoryAxis axis = new CategoryAxis(
                figure.x().label().isEmpty() ? null : figure.x().label());
        AxisMaker.style(axis, font);
        axis.setCategoryMargin(GAP_BETWEEN_WORDS);
        if (figure.isHorizontal()) {
            axis.setMaximumCategoryLabelWidthRatio(WIDTH_BESIDE);
            return axis;
        }
        FontRenderContext context = new FontRenderContext(null, true, true);
        double widest = words.stream()
                .mapToDouble(word -> font.getStringBounds(word, context).getWidth())
                .max()
                .orElse(0);
        if (widest * words.size() > WIDTH_BELOW * figure.size().width()) {
            axis.setCategoryLabelPositions(CategoryLabelPositions.UP_45);
        }
        return axis;
    }
}
