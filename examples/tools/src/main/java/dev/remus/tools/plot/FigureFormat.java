// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jfree.chart.JFreeChart;

/** The format of a figure's file, by the end of its name. */
enum FigureFormat {
    /** Scalable, with text as text. */
    SVG {
        @Override
        byte[] encode(JFreeChart chart, FigureSize size, String name) throws IOException {
            return SvgEncoder.encode(chart, size, name);
        }
    },
    /** Scalable, with its font embedded. */
    PDF {
        @Override
        byte[] encode(JFreeChart chart, FigureSize size, String name) throws IOException {
            return PdfEncoder.encode(chart, size);
        }
    },
    /** Pixels. */
    PNG {
        @Override
        byte[] encode(JFreeChart chart, FigureSize size, String name) throws IOException {
            return PngEncoder.encode(chart, size);
        }
    };

    /** @throws IllegalArgumentException if the name has another ending */
    static FigureFormat of(Path file) {
        String last = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        for (FigureFormat format : values()) {
            if (last.endsWith(format.ending())) {
                return format;
            }
        }
        throw new IllegalArgumentException(file + " must end in .svg, .pdf or .png");
    }

    /** The end of the name, such as {@code .svg}. */
    String ending() {
        return "." + name().toLowerCase(Locale.ROOT);
    }

    /** The bytes of a file; the same chart has the same bytes. The name is for readers who cannot see it. */
    abstract byte[] encode(JFreeChart chart, FigureSize size, String name) throws IOException;

    /** Writes a chart to a file, replaced if it exists. */
    void write(JFreeChart chart, FigureSize size, String name, Path file) throws IOException {
        Files.write(file, encode(chart, size, name));
    }
}
