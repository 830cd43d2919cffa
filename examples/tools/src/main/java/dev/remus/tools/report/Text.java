// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.report;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats figures for human readers. */
final class Text {
    private Text() {}

    /** A number with commas between thousands, and three significant digits below 100. */
    static String number(double value) {
        double size = Math.abs(value);
        if (size >= 100 || value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f", value);
    }

    /** The same for a number given as a string; other strings are unchanged. */
    static String number(@Nullable Object text) {
        try {
            return number(Double.parseDouble(String.valueOf(text)));
        } catch (NumberFormatException e) {
            return String.valueOf(text);
        }
    }

    /** A number short enough for an axis: {@code 1.5k}, {@code 20M}. */
    static String tick(double value) {
        double size = Math.abs(value);
        if (size >= 1e9) {
            return trim(value / 1e9) + "G";
        }
        if (size >= 1e6) {
            return trim(value / 1e6) + "M";
        }
        return size >= 1e3 ? trim(value / 1e3) + "k" : trim(value);
    }

    /** A time in nanoseconds, in a suitable unit. */
    static String time(double nanos) {
        if (nanos < 999.5) {
            return trim(nanos) + " ns";
        }
        if (nanos < 999.5e3) {
            return trim(nanos / 1e3) + " µs";
        }
        return nanos < 999.5e6 ? trim(nanos / 1e6) + " ms" : trim(nanos / 1e9) + " s";
    }

    /** A number of bytes, in a suitable unit. */
    static String bytes(double bytes) {
        if (bytes < 1023.5) {
            return trim(bytes) + " B";
        }
        if (bytes < 1023.5 * 1024) {
            return trim(bytes / 1024) + " KiB";
        }
        return bytes < 1023.5 * (1 << 20) ? trim(bytes / (1 << 20)) + " MiB" : trim(bytes / (1 << 30)) + " GiB";
    }

    /** A number with three significant digits, without trailing zeros. */
    private static String trim(double value) {
        double size = Math.abs(value);
        String text = String.format(Locale.ROOT, size >= 99.95 ? "%.0f" : size >= 9.995 ? "%.1f" : "%.2f", value);
        return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
