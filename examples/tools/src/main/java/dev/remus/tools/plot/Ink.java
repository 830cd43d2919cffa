// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import java.awt.BasicStroke;
import java.awt.Color;

/** Colours and strokes of the frame of every chart: text, axes, and the lines behind the data. */
final class Ink {
    static final Color TEXT = new Color(0x1D232A);
    static final Color GRID = new Color(0xD5DADF);
    static final BasicStroke THIN = new BasicStroke(1);

    private Ink() {}

    /** Rules that replace the colours which depend on the background; those of series suit both. */
    static String pageStyle(String ink, String grid, String paper) {
        return rules(rgb(TEXT), ink) + rules(rgb(GRID), grid) + rules("black", ink) + rules("white", paper);
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
