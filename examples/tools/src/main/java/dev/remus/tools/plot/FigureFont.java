// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import java.awt.Font;
import java.awt.FontFormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.pdfbox.pdmodel.PDDocument;

/**
 * The font of all figures: Liberation Sans, which comes with PDFBox, so figures are the same on all machines. Its
 * letters are as wide as those of Arial and Helvetica, which browsers use where it is missing.
 */
final class FigureFont {
    /** The name of the font. */
    static final String NAME = "Liberation Sans";

    /** The fonts with the same widths, for style sheets. */
    static final String FAMILIES = "Liberation Sans, Arial, Helvetica, sans-serif";

    private static final String RESOURCE = "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf";

    private FigureFont() {}

    /** Makes a font from the bytes of its file. */
    interface Loader {
        /** @throws IOException also if a library is missing: AWT wraps all failures */
        Font load(byte[] file) throws IOException, FontFormatException;
    }

    /** The file of the font. */
    static InputStream open() throws IOException {
        InputStream file = PDDocument.class.getResourceAsStream(RESOURCE);
        if (file == null) {
            throw new IOException("the font of figures, " + RESOURCE + ", is missing from the class path");
        }
        return file;
    }

    /**
     * The font at a size.
     *
     * @throws NoFontsException if this Java cannot draw text
     */
    static Font atSize(float size) throws IOException {
        System.setProperty("java.awt.headless", "true"); // figures go only to files
        return atSize(size, bytes -> Font.createFont(Font.TRUETYPE_FONT, new ByteArrayInputStream(bytes)));
    }

    static Font atSize(float size, Loader loader) throws IOException {
        byte[] bytes;
        try (InputStream file = open()) {
            bytes = file.readAllBytes();
        }
        try {
            return loader.load(bytes).deriveFont(size);
        } catch (IOException | FontFormatException | RuntimeException | LinkageError | InternalError e) {
            throw new NoFontsException(e);
        }
    }
}
