package dev.remus.tools.plot;

import java.awt.BasicStroke;
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
    static final Color INK = new Color(0x1D232A);
    static final Color GRID = new Color(0xD5DADF);
    static final BasicStroke THIN = new BasicStroke(1);

    private static final float NOTE_SIZE = 0.85f;
    private static final float TITLE_SIZE = 1.1f;
    private static final RectangleInsets LEGEND_ITEM = new RectangleInsets(2, 8, 2, 8);

    private ChartMaker() {}

    static JFreeChart chart(Figure figure, Font font) {
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
            title.setPaint(INK);
            chart.setTitle(title);
        }
        if (!figure.note().isEmpty()) {
            TextTitle note = new TextTitle(figure.note(), font.deriveFont(font.getSize2D() * NOTE_SIZE));
            note.setPaint(INK);
            note.setPosition(RectangleEdge.BOTTOM);
            note.setHorizontalAlignment(HorizontalAlignment.CENTER);
            chart.addSubtitle(note);
        }
        if (figure.series().size() > 1) {
            LegendTitle legend = new LegendTitle(plot);
            legend.setItemFont(font);
            legend.setItemPaint(INK);
            legend.setItemLabelPadding(LEGEND_ITEM);
            legend.setFrame(BlockBorder.NONE);
            legend.setPosition(RectangleEdge.BOTTOM);
            chart.addSubtitle(legend);
        }
        return chart;
    }

    /** Rules that replace the colours which depend on the background; those of series suit both. */
    static String pageStyle(String ink, String grid, String paper) {
        return rules(rgb(INK), ink) + rules(rgb(GRID), grid) + rules("black", ink) + rules("white", paper);
    }

    /** A colour as Batik writes it. */
    private static String rgb(Color colour) {
        return "rgb(" + colour.getRed() + "," + colour.getGreen() + "," + colour.getBlue() + ")";
    }

    private static String rules(String colour, String replacement) {
        return "svg [fill=\"%s\"] { fill: %s } svg [stroke=\"%s\"] { stroke: %s } "
                .formatted(colour, replacement, colour, replacement);
    }
}
