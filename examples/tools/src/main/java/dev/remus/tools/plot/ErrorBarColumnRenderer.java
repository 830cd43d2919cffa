// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.CategoryItemRendererState;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.statistics.StatisticalCategoryDataset;

/** Draws hatched columns, and error bars where a column has a deviation; a deviation of NaN is none. */
final class ErrorBarColumnRenderer extends BarRenderer {
    private static final long serialVersionUID = 1;
    private static final double CAP = 4;

    /** By series; a reference has none. */
    private final transient Map<Integer, Hatching> hatchings = new HashMap<>();

    ErrorBarColumnRenderer(List<Series> series, boolean isHorizontal, Font font) {
        setDefaultItemLabelFont(font);
        setBarPainter(new StandardBarPainter());
        setShadowVisible(false);
        setDrawBarOutline(true);
        setItemMargin(0.05);
        setMaximumBarWidth(0.15);
        setDefaultItemLabelGenerator(new TextBeside(series));
        setDefaultItemLabelsVisible(true);
        setDefaultItemLabelPaint(Ink.TEXT);
        if (isHorizontal) {
            setDefaultPositiveItemLabelPosition(
                    new ItemLabelPosition(ItemLabelAnchor.OUTSIDE3, TextAnchor.CENTER_LEFT));
        }
    }

    /** Texts beside columns, see {@link Series#point(String, double, String)}. */
    private static final class TextBeside extends StandardCategoryItemLabelGenerator {
        private static final long serialVersionUID = 1;
        private final transient List<Series> series;

        TextBeside(List<Series> series) {
            this.series = series;
        }

        @Override
        public String generateLabel(CategoryDataset dataset, int row, int column) {
            return series.get(row).text(dataset.getColumnKey(column).toString());
        }
    }

    /** Sets the style of a series. */
    void style(int series, SeriesStyle style, boolean isReference) {
        setSeriesPaint(series, isReference ? Color.WHITE : style.colour());
        setSeriesOutlinePaint(series, isReference ? style.colour() : Ink.TEXT);
        setSeriesOutlineStroke(series, Ink.THIN);
        if (!isReference) {
            Hatching hatching = new Hatching(style.number());
            hatchings.put(series, hatching);
            setLegendShape(series, hatching.swatch());
        }
    }

    @Override
    public void drawItem(
            Graphics2D g2,
            CategoryItemRendererState state,
            Rectangle2D dataArea,
            CategoryPlot plot,
            CategoryAxis domainAxis,
            ValueAxis rangeAxis,
            CategoryDataset dataset,
            int row,
            int column,
            int pass) {
        super.drawItem(g2, state, dataArea, plot, domainAxis, rangeAxis, dataset, row, column, pass);
        if (dataset instanceof StatisticalCategoryDataset statistics) {
            Number mean = statistics.getMeanValue(row, column);
            Number deviation = statistics.getStdDevValue(row, column);
            int visible = state.getVisibleSeriesIndex(row);
            if (mean == null || visible < 0) {
                return;
            }
            boolean isUpright = plot.getOrientation().equals(PlotOrientation.VERTICAL);
            double side = calculateBarW0(plot, plot.getOrientation(), dataArea, domainAxis, state, visible, column);
            double top = rangeAxis.valueToJava2D(mean.doubleValue(), dataArea, plot.getRangeAxisEdge());
            double base =
                    rangeAxis.valueToJava2D(Math.max(0, rangeAxis.getLowerBound()), dataArea, plot.getRangeAxisEdge());
            Rectangle2D bar = isUpright
                    ? new Rectangle2D.Double(side, Math.min(top, base), state.getBarWidth(), Math.abs(base - top))
                    : new Rectangle2D.Double(Math.min(top, base), side, Math.abs(base - top), state.getBarWidth());
            if (hatchings.containsKey(row)) {
                hatchings.get(row).draw(g2, bar);
                g2.setPaint(Ink.TEXT);
                g2.setStroke(Ink.THIN);
                g2.draw(bar);
            }
            if (deviation == null || Double.isNaN(deviation.doubleValue())) {
                return;
            }
            double middle = side + state.getBarWidth() / 2;
            double low = Math.max(mean.doubleValue() - deviation.doubleValue(), rangeAxis.getLowerBound());
            double high = mean.doubleValue() + deviation.doubleValue();
            double from = rangeAxis.valueToJava2D(low, dataArea, plot.getRangeAxisEdge());
            double to = rangeAxis.valueToJava2D(high, dataArea, plot.getRangeAxisEdge());
            g2.setPaint(Ink.TEXT);
            g2.setStroke(Ink.THIN);
            line(g2, middle, from, middle, to, isUpright);
            line(g2, middle - CAP, to, middle + CAP, to, isUpright);
            line(g2, middle - CAP, from, middle + CAP, from, isUpright);
        }
    }

    private static void line(Graphics2D g2, double x1, double y1, double x2, double y2, boolean isUpright) {
        g2.draw(isUpright ? new Line2D.Double(x1, y1, x2, y2) : new Line2D.Double(y1, x1, y2, x2));
    }
}
