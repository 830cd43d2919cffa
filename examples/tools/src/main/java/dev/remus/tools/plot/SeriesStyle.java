// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Shape;
import java.awt.Stroke;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.List;

/**
 * The colour, marker and dashes of a series. Okabe and Ito chose the colours such that readers with colour blindness
 * distinguish them; markers and dashes distinguish them in grey.
 *
 * @param number the position among all styles
 */
record SeriesStyle(int number) {
    private static final List<Color> COLOURS = List.of(
            new Color(0x0072B2), // blue
            new Color(0xD55E00), // vermillion
            new Color(0x009E73), // bluish green
            new Color(0xCC79A7), // reddish purple
            new Color(0xE69F00), // orange
            new Color(0x56B4E9), // sky blue
            new Color(0x000000));

    private static final float[][] DASHES = {{}, {7, 3}, {2, 2}, {9, 3, 2, 3}, {12, 4}};
    private static final float[] DOTS = {1, 3};
    private static final double[][] POLYGONS = {
        {-4, 3.5, 4, 3.5, 0, -4.5}, // triangle
        {0, -5, 5, 0, 0, 5, -5, 0}, // diamond
        {-4, -3.5, 4, -3.5, 0, 4.5}, // triangle, point down
        {
            -1.5, -4.5, 1.5, -4.5, 1.5, -1.5, 4.5, -1.5, 4.5, 1.5, 1.5, 1.5, 1.5, 4.5, -1.5, 4.5, -1.5, 1.5, -4.5, 1.5,
            -4.5, -1.5, -1.5, -1.5
        }
    };
    private static final int MARKERS = POLYGONS.length + 2;

    Color colour() {
        return COLOURS.get(number % COLOURS.size());
    }

    /** The marker around the origin. */
    Shape marker() {
        int kind = number % MARKERS;
        if (kind == 0) {
            return new Ellipse2D.Double(-4, -4, 8, 8);
        }
        return kind == 1 ? new Rectangle2D.Double(-3.5, -3.5, 7, 7) : polygon(POLYGONS[kind - 2]);
    }

    private static Shape polygon(double... corners) {
        Path2D path = new Path2D.Double();
        path.moveTo(corners[0], corners[1]);
        for (int i = 2; i < corners.length; i += 2) {
            path.lineTo(corners[i], corners[i + 1]);
        }
        path.closePath();
        return path;
    }

    /** The marker at a size relative to the normal one. */
    Shape marker(double size) {
        return AffineTransform.getScaleInstance(size, size).createTransformedShape(marker());
    }

    /** The line, dotted for a reference. */
    Stroke stroke(boolean isReference) {
        float[] dashes = isReference ? DOTS : DASHES[number % DASHES.length];
        return dashes.length == 0
                ? new BasicStroke(2, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND)
                : new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dashes, 0);
    }
}
