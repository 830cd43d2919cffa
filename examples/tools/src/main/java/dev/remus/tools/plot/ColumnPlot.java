package dev.remus.tools.plot;

import java.awt.Font;
import java.util.List;
import java.util.Map;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.CategoryLabelPositions;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.Plot;
import org.jfree.data.statistics.DefaultStatisticalCategoryDataset;

/** Draws a {@link Figure} over words as columns side by side. */
final class ColumnPlot {
    private static final double GAP_BETWEEN_WORDS = 0.2;
    private static final int MAX_UPRIGHT = 6;

    private ColumnPlot() {}

    static Plot of(Figure figure, Map<String, SeriesStyle> styles, Font font) {
        List<Point> points = figure.points();
        AxisMaker y = AxisMaker.fromZero(
                figure.y(),
                points.stream().map(Point::mean).toList(),
                points.stream()
                        .filter(Point::hasErrorBar)
                        .map(point -> point.mean() + point.deviation())
                        .toList(),
                font);
        List<String> words = points.stream().map(Point::x).distinct().toList();
        DefaultStatisticalCategoryDataset data = new DefaultStatisticalCategoryDataset();
        ErrorBarColumnRenderer renderer = new ErrorBarColumnRenderer();
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
            renderer.style(
                    number, styles.getOrDefault(series.styleName(), new SeriesStyle(number)), series.isReference());
        }
        CategoryAxis across = new CategoryAxis(figure.x().label());
        AxisMaker.style(across, font);
        across.setCategoryMargin(GAP_BETWEEN_WORDS);
        if (words.size() > MAX_UPRIGHT) {
            across.setCategoryLabelPositions(CategoryLabelPositions.UP_45);
        }
        CategoryPlot plot = new CategoryPlot(data, across, y.axis(), renderer);
        plot.setRangeGridlinePaint(ChartMaker.GRID);
        plot.setRangeGridlineStroke(ChartMaker.THIN);
        return plot;
    }
}
