// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import de.rototor.pdfbox.graphics2d.PdfBoxGraphics2D;
import de.rototor.pdfbox.graphics2d.PdfBoxGraphics2DFontTextDrawer;
import java.awt.geom.Rectangle2D;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.font.PDType0Font;
import org.apache.pdfbox.util.Matrix;
import org.jfree.chart.JFreeChart;

/** Encodes a chart as a PDF of one page of the figure's size, with the font embedded. */
final class PdfEncoder {
    /** Points of a PDF in a pixel: 72 and 96 are an inch. */
    private static final float POINTS = 0.75f;

    private PdfEncoder() {}

    static byte[] encode(JFreeChart chart, FigureSize size) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PDDocument document = new PDDocument();
                InputStream font = FigureFont.open();
                PdfBoxGraphics2DFontTextDrawer text = new PdfBoxGraphics2DFontTextDrawer()) {
            document.setDocumentId(1L); // else it is made of the time
            text.registerFont(FigureFont.NAME, PDType0Font.load(document, font, true));
            PDPage page = new PDPage(new PDRectangle(size.width() * POINTS, size.height() * POINTS));
            document.addPage(page);
            PdfBoxGraphics2D graphics = new PdfBoxGraphics2D(document, size.width(), size.height());
            graphics.setFontTextDrawer(text);
            chart.draw(graphics, new Rectangle2D.Double(0, 0, size.width(), size.height()));
            graphics.dispose();
            try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                content.transform(Matrix.getScaleInstance(POINTS, POINTS));
                content.drawForm(graphics.getXFormObject());
            }
            document.save(bytes);
        }
        return bytes.toByteArray();
    }
}
