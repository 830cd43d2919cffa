// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import java.awt.Color;
import java.awt.Font;
import java.util.Map;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.text.TextUtils;
import org.jfree.chart.title.LegendTitle;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;

/** Makes the chart of a {@link Figure}: title above, legend and note below. */
final class ChartMaker {
    private static final float NOTE_SIZE = 0.85f;
    private static final float TITLE_SIZE = 1.1f;
    private static final RectangleInsets LEGEND_ITEM = new RectangleInsets(2, 8, 2, 8);

    private ChartMaker() {}

    static JFreeChart chart(FigureContent figure, Font font) {
        TextUtils.setUseDrawRotatedStringWorkaround(false); // which would draw the shapes of letters instead of text
        Map<String, SeriesStyle> styles = StyleRegistry.styles(
                figure.series().stream().map(Series::styleName).toList());
        Plot plot = figure.hasNumbers() ? LinePlot.of(figure, styles, font) : ColumnPlot.of(figure, styles, font);
        plot.setBackgroundPaint(null);
        plot.setOutlinePaint(null);
        plot.setInsets(new RectangleInsets(4, 4, 4, 12));
        JFreeChart chart = new JFreeChart(null, font, plot, false);
        chart.setBackgroundPaint(Color.WHITE);
        chart.setPadding(new RectangleInsets(8, 8, 8, 8));
        chart.setElementHinting(false);
        if (!figure.title().isEmpty()) {
            TextTitle title = new TextTitle(figure.title(), font.deriveFont(font.getSize2D() * TITLE_SIZE));
            title.setPaint(Ink.TEXT);
            chart.setTitle(title);
        }
        if (!figure.note().isEmpty()) {
            TextTitle note = new TextTitle(figure.note(), font.deriveFont(font.getSize2D() * NOTE_SIZE));
            note.setPaint(Ink.TEXT);
            note.setPosition(RectangleEdge.BOTTOM);
            note.setHorizontalAlignment(HorizontalAlignment.CENTER);
            chart.addSubtitle(note);
        }
        if (figure.series().size() > 1) {
            LegendTitle legend = new LegendTitle(plot);
            legend.setItemFont(font);
            legend.setItemPaint(Ink.TEXT);
            legend.setItemLabelPadding(LEGEND_ITEM);
            legend.setFrame(BlockBorder.NONE);
            legend.setPosition(RectangleEdge.BOTTOM);
            chart.addSubtitle(legend);
        }
        return chart;
    }
}
