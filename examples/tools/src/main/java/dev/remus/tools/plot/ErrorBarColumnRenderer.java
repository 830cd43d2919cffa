package dev.remus.tools.plot;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.CategoryItemRendererState;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.statistics.StatisticalCategoryDataset;

/** Draws columns, and error bars where a column has a deviation; a deviation of NaN is none. */
final class ErrorBarColumnRenderer extends BarRenderer {
    private static final long serialVersionUID = 1;
    private static final double CAP = 4;

    ErrorBarColumnRenderer() {
        setBarPainter(new StandardBarPainter());
        setShadowVisible(false);
        setDrawBarOutline(true);
        setItemMargin(0.05);
        setMaximumBarWidth(0.15);
    }

    /** Sets the style of a series. */
    void style(int series, SeriesStyle style, boolean isReference) {
        setSeriesPaint(series, isReference ? Color.WHITE : style.colour());
        setSeriesOutlinePaint(series, isReference ? style.colour() : ChartMaker.INK);
        setSeriesOutlineStroke(series, ChartMaker.THIN);
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
            if (mean == null || deviation == null || Double.isNaN(deviation.doubleValue()) || visible < 0) {
                return;
            }
            double left = calculateBarW0(plot, plot.getOrientation(), dataArea, domainAxis, state, visible, column);
            double x = left + state.getBarWidth() / 2;
            double low = Math.max(mean.doubleValue() - deviation.doubleValue(), rangeAxis.getLowerBound());
            double high = mean.doubleValue() + deviation.doubleValue();
            double bottom = rangeAxis.valueToJava2D(low, dataArea, plot.getRangeAxisEdge());
            double top = rangeAxis.valueToJava2D(high, dataArea, plot.getRangeAxisEdge());
            g2.setPaint(ChartMaker.INK);
            g2.setStroke(ChartMaker.THIN);
            g2.draw(new Line2D.Double(x, bottom, x, top));
            g2.draw(new Line2D.Double(x - CAP, top, x + CAP, top));
            g2.draw(new Line2D.Double(x - CAP, bottom, x + CAP, bottom));
        }
    }
}
