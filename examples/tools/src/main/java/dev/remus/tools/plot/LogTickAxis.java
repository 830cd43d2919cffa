// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.font.FontRenderContext;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/** A logarithmic axis with the densest ticks whose labels have room. */
final class LogTickAxis extends LogAxis {
    private static final long serialVersionUID = 1;

    /** The room between labels, as a share of their height. */
    private static final double GAP = 0.6;

    private final transient List<List<LogTicks.Tick>> candidates;

    /** @param candidates sets of ticks, the densest first */
    LogTickAxis(String label, List<List<LogTicks.Tick>> candidates) {
        super(label);
        this.candidates = candidates;
    }

    @Override
    public List<NumberTick> refreshTicks(Graphics2D g2, AxisState state, Rectangle2D dataArea, RectangleEdge edge) {
        List<LogTicks.Tick> chosen = List.of();
        for (List<LogTicks.Tick> candidate : candidates) {
            List<LogTicks.Tick> visible = candidate.stream()
                    .filter(tick -> getRange().contains(tick.value()))
                    .toList();
            if (chosen.isEmpty() || !haveRoom(chosen, dataArea, edge)) {
                chosen = visible.isEmpty() ? chosen : visible;
            }
        }
        TextAnchor anchor = RectangleEdge.isTopOrBottom(edge) ? TextAnchor.TOP_CENTER : TextAnchor.CENTER_RIGHT;
        List<NumberTick> ticks = new ArrayList<>();
        for (LogTicks.Tick tick : chosen) {
            ticks.add(new NumberTick(tick.value(), tick.label(), anchor, TextAnchor.CENTER, 0));
        }
        return ticks;
    }

    private boolean haveRoom(List<LogTicks.Tick> ticks, Rectangle2D dataArea, RectangleEdge edge) {
        Font font = getTickLabelFont();
        FontRenderContext context = new FontRenderContext(null, true, true);
        double previousEnd = Double.NEGATIVE_INFINITY;
        for (LogTicks.Tick tick : ticks) {
            Rectangle2D bounds = font.getStringBounds(tick.label(), context);
            double middle = valueToJava2D(tick.value(), dataArea, edge);
            double position = RectangleEdge.isTopOrBottom(edge) ? middle : -middle; // grows with the value
            double extent = RectangleEdge.isTopOrBottom(edge) ? bounds.getWidth() : bounds.getHeight();
            if (position - extent / 2 < previousEnd) {
                return false;
            }
            previousEnd = position + extent / 2 + GAP * bounds.getHeight();
        }
        return true;
    }
}
