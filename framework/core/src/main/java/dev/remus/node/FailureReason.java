// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.memory.SegmentLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * The reason of a Compute Node's failure, as words in the memory of every Memory Node: UTF-8, padded with zeros. The
 * node writes the first word last, so the text is complete once the first word is not 0.
 */
final class FailureReason {
    private static final int BYTES = SegmentLayout.REASON_WORDS * Long.BYTES;
    private static final String CUT = "...";

    private FailureReason() {}

    /** The words of a text, cut if there is not enough room. The first word is not 0. */
    static long[] words(String reason) {
        String line = oneLine(reason);
        byte[] text = (line.isEmpty() ? "no reason given" : line).getBytes(StandardCharsets.UTF_8);
        if (text.length > BYTES) {
            text = (start(text, BYTES - CUT.length()) + CUT).getBytes(StandardCharsets.UTF_8);
        }
        ByteBuffer bytes = ByteBuffer.wrap(Arrays.copyOf(text, BYTES));
        long[] words = new long[SegmentLayout.REASON_WORDS];
        bytes.asLongBuffer().get(words);
        return words;
    }

    /** The longest prefix of whole characters with at most so many bytes. */
    private static String start(byte[] text, int bytes) {
        int end = bytes;
        while ((text[end] & 0xC0) == 0x80) { // within a character
            end--;
        }
        return new String(text, 0, end, StandardCharsets.UTF_8);
    }

    private static String oneLine(String text) {
        return text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    }

    /**
     * Decodes the text.
     *
     * @param word reads a word by its number
     * @return empty if there is none
     */
    static String text(IntToLongFunction word) {
        if (word.applyAsLong(0) == 0) {
            return "";
        }
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        for (int i = 0; i < SegmentLayout.REASON_WORDS; i++) {
            bytes.putLong(word.applyAsLong(i));
        }
        int length = 0;
        while (length < BYTES && bytes.get(length) != 0) {
            length++;
        }
        return oneLine(new String(bytes.array(), 0, length, StandardCharsets.UTF_8));
    }
}
