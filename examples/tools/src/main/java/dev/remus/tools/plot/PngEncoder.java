// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.imageio.ImageIO;
import org.jfree.chart.JFreeChart;

/** Encodes a chart as PNG, with two pixels for each of the figure's, so that it is sharp on paper. */
final class PngEncoder {
    private static final int SCALE = 2;

    private PngEncoder() {}

    static byte[] encode(JFreeChart chart, FigureSize size) throws IOException {
        BufferedImage image =
                new BufferedImage(size.width() * SCALE, size.height() * SCALE, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.scale(SCALE, SCALE);
        graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        chart.draw(graphics, new Rectangle2D.Double(0, 0, size.width(), size.height()));
        graphics.dispose();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        if (!ImageIO.write(image, "png", bytes)) {
            throw new IOException("this Java cannot write PNG files");
        }
        return bytes.toByteArray();
    }
}
