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
        byte[] encode(JFreeChart chart, FigureSize size) throws IOException {
            return SvgEncoder.encode(chart, size);
        }
    },
    /** Scalable, with its font embedded. */
    PDF {
        @Override
        byte[] encode(JFreeChart chart, FigureSize size) throws IOException {
            return PdfEncoder.encode(chart, size);
        }
    },
    /** Pixels. */
    PNG {
        @Override
        byte[] encode(JFreeChart chart, FigureSize size) throws IOException {
            return PngEncoder.encode(chart, size);
        }
    };

    /** @throws IllegalArgumentException if the name has another ending */
    static FigureFormat of(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        for (FigureFormat format : values()) {
            if (name.endsWith(format.ending())) {
                return format;
            }
        }
        throw new IllegalArgumentException(file + " must end in .svg, .pdf or .png");
    }

    /** The end of the name, such as {@code .svg}. */
    String ending() {
        return "." + name().toLowerCase(Locale.ROOT);
    }

    /** The bytes of a file; the same chart has the same bytes. */
    abstract byte[] encode(JFreeChart chart, FigureSize size) throws IOException;

    /** Writes a chart to a file, replaced if it exists. */
    void write(JFreeChart chart, FigureSize size, Path file) throws IOException {
        Files.write(file, encode(chart, size));
    }
}
