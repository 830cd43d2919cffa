// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.cluster;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.util.Map;

/**
 * Prints in the character set of the user's locale, and spells in ASCII what that set lacks: {@code us} for
 * microseconds, and {@code -+} for the corner of a drawing. A character without a spelling becomes a question mark.
 */
public final class LocalePrintStream extends PrintStream {
    /** The spellings; those of drawings have one character, so that columns stay in line. */
    private static final Map<String, String> SPELLINGS = Map.ofEntries(
            Map.entry("µ", "u"),
            Map.entry("±", "+-"),
            Map.entry("−", "-"),
            Map.entry("–", "-"),
            Map.entry("→", "->"),
            Map.entry("…", "..."),
            Map.entry("─", "-"),
            Map.entry("┄", "~"),
            Map.entry("│", "|"),
            Map.entry("┐", "+"),
            Map.entry("┘", "+"),
            Map.entry("◄", "<"));

    private final CharsetEncoder encoder;

    /** Prints to a stream in a character set, and flushes after each line. */
    public LocalePrintStream(OutputStream to, Charset charset) {
        super(to, true, charset);
        encoder = charset.newEncoder();
    }

    /** The text with a spelling of each character that the character set lacks. */
    private synchronized String spelled(String text) {
        if (encoder.canEncode(text)) {
            return text;
        }
        StringBuilder spelled = new StringBuilder();
        text.codePoints().forEach(point -> {
            String character = Character.toString(point);
            spelled.append(encoder.canEncode(character) ? character : SPELLINGS.getOrDefault(character, "?"));
        });
        return spelled.toString();
    }

    @Override
    public void print(String text) {
        super.print(spelled(String.valueOf(text)));
    }

    @Override
    public void print(Object object) {
        print(String.valueOf(object));
    }

    @Override
    public void print(char character) {
        print(String.valueOf(character));
    }

    @Override
    public void print(char[] characters) {
        print(String.valueOf(characters));
    }
}
