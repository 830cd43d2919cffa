// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CrosshairState;
import org.jfree.chart.plot.PlotRenderingInfo;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYItemRendererState;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.IntervalXYDataset;
import org.jfree.data.xy.XYDataset;
import org.jspecify.annotations.Nullable;

/** Draws lines with markers, and error bars where a point has an interval; an interval of NaN is none. */
final class ErrorBarLineRenderer extends XYLineAndShapeRenderer {
    private static final long serialVersionUID = 1;
    private static final double CAP = 4;

    ErrorBarLineRenderer() {
        super(true, true);
        setUseFillPaint(true);
        setUseOutlinePaint(true);
        setDrawSeriesLineAsPath(true);
    }

    /** Sets the style of a series. */
    void style(int series, SeriesStyle style, boolean isReference, boolean hasMarkers) {
        setSeriesPaint(series, style.colour());
        setSeriesOutlinePaint(series, style.colour());
        setSeriesFillPaint(series, isReference ? Color.WHITE : style.colour());
        setSeriesOutlineStroke(series, Ink.THIN);
        setSeriesShape(series, style.marker());
        setSeriesStroke(series, style.stroke(isReference));
        setSeriesShapesVisible(series, hasMarkers);
    }

    @Override
    public void drawItem(
            Graphics2D g2,
            XYItemRendererState state,
            Rectangle2D dataArea,
            @Nullable PlotRenderingInfo info,
            XYPlot plot,
            ValueAxis domainAxis,
            ValueAxis rangeAxis,
            XYDataset dataset,
            int series,
            int item,
            @Nullable CrosshairState crosshairState,
            int pass) {
        if (pass == 0 && dataset instanceof IntervalXYDataset intervals) {
            double low = intervals.getStartYValue(series, item);
            double high = intervals.getEndYValue(series, item);
            if (!Double.isNaN(low) && !Double.isNaN(high)) {
                double x =
                        domainAxis.valueToJava2D(dataset.getXValue(series, item), dataArea, plot.getDomainAxisEdge());
                double bottom = rangeAxis.valueToJava2D(
                        Math.max(low, rangeAxis.getLowerBound()), dataArea, plot.getRangeAxisEdge());
                double top = rangeAxis.valueToJava2D(high, dataArea, plot.getRangeAxisEdge());
                g2.setPaint(getItemPaint(series, item));
                g2.setStroke(Ink.THIN);
                g2.draw(new Line2D.Double(x, bottom, x, top));
                g2.draw(new Line2D.Double(x - CAP, top, x + CAP, top));
                if (low >= rangeAxis.getLowerBound()) {
                    g2.draw(new Line2D.Double(x - CAP, bottom, x + CAP, bottom));
                }
            }
        }
        super.drawItem(
                g2, state, dataArea, info, plot, domainAxis, rangeAxis, dataset, series, item, crosshairState, pass);
    }
}
