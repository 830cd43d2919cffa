// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.Stroke;
import java.awt.geom.Area;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;

/**
 * Lines across a column, which distinguish it in grey. They are drawn as lines rather than as a texture, so that a
 * figure in SVG or PDF keeps them sharp.
 *
 * @param number the position of the style of the series, see {@link SeriesStyle}
 */
record Hatching(int number) {
    private static final double DISTANCE = 7;
    private static final Stroke STROKE = new BasicStroke(1.5f);
    private static final Rectangle2D SWATCH = new Rectangle2D.Double(-9, -6, 18, 12);

    private enum Kind {
        NONE,
        RISING,
        FALLING,
        CROSSING,
        LEVEL,
        UPRIGHT
    }

    private Kind kind() {
        return Kind.values()[number % Kind.values().length];
    }

    /** Draws the lines across a column, in white. */
    void draw(Graphics2D g2, Rectangle2D column) {
        if (kind() == Kind.NONE || column.isEmpty()) {
            return;
        }
        Area within = new Area(STROKE.createStrokedShape(lines(column)));
        within.intersect(new Area(column)); // rather than a clip, which a figure in SVG does not keep
        g2.setPaint(Color.WHITE);
        g2.fill(within);
    }

    /** The shape of a column in the legend: without the lines. */
    Shape swatch() {
        Area shape = new Area(SWATCH);
        shape.subtract(new Area(STROKE.createStrokedShape(lines(SWATCH))));
        return shape;
    }

    /** The lines, which may be longer than the column. */
    private Path2D lines(Rectangle2D column) {
        Path2D lines = new Path2D.Double();
        Kind kind = kind();
        double extent = column.getWidth() + column.getHeight();
        for (double at = DISTANCE / 2; at < extent; at += DISTANCE) {
            double x = column.getMinX() + at;
            double y = column.getMaxY() - at;
            if (kind == Kind.LEVEL) {
                line(lines, column.getMinX(), y, column.getMaxX(), y);
            }
            if (kind == Kind.UPRIGHT) {
                line(lines, x, column.getMinY(), x, column.getMaxY());
            }
            if (kind == Kind.RISING || kind == Kind.CROSSING) {
                line(lines, x, column.getMaxY(), x - extent, column.getMaxY() - extent);
            }
            if (kind == Kind.FALLING || kind == Kind.CROSSING) {
                line(
                        lines,
                        column.getMaxX() - at,
                        column.getMaxY(),
                        column.getMaxX() - at + extent,
                        column.getMaxY() - extent);
            }
        }
        return lines;
    }

    private static void line(Path2D lines, double fromX, double fromY, double toX, double toY) {
        lines.moveTo(fromX, fromY);
        lines.lineTo(toX, toY);
    }
}
