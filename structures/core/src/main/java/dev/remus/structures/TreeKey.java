// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A key of an ordered map: some words, of which the first that differs decides, as a signed number. Methods that get
 * one may keep it only as a copy, since its owner may change it.
 */
final class TreeKey implements Comparable<TreeKey> {
    /** The most words. */
    static final int MOST_WORDS = 32;

    private final long[] words;

    /** A key whose words are 0. */
    TreeKey(int words) {
        this.words = new long[words];
    }

    /** The lowest key of so many words. */
    static TreeKey lowest(int words) {
        return filled(words, Long.MIN_VALUE);
    }

    /** The highest key of so many words. */
    static TreeKey highest(int words) {
        return filled(words, Long.MAX_VALUE);
    }

    private static TreeKey filled(int words, long word) {
        TreeKey key = new TreeKey(words);
        Arrays.fill(key.words, word);
        return key;
    }

    /** The number of words. */
    int words() {
        return words.length;
    }

    long word(int i) {
        return words[i];
    }

    /** The first word. */
    long word() {
        return words[0];
    }

    // ------------------------------------------------------------------------------------------------ changing

    void setWord(int i, long word) {
        words[i] = word;
    }

    /** Sets the only word, and returns this key. */
    TreeKey set(long word) {
        words[0] = word;
        return this;
    }

    /** Sets all words, and returns this key. */
    TreeKey set(TreeKey other) {
        return set(other.words, 0);
    }

    /** Sets all words to those from a place of an array on, and returns this key. */
    TreeKey set(long[] from, int at) {
        words[0] = from[at];
        for (int i = 1; i < words.length; i++) {
            words[i] = from[at + i];
        }
        return this;
    }

    /** Sets all words to those from an offset of local memory on, and returns this key. */
    TreeKey set(LocalBuffer from, long offset) {
        words[0] = from.getLong(offset);
        for (int i = 1; i < words.length; i++) {
            words[i] = from.getLong(offset + (long) i * Long.BYTES);
        }
        return this;
    }

    /** Sets it to the key just below; it is not the lowest. Returns this key. */
    TreeKey stepDown() {
        int i = words.length - 1;
        while (words[i] == Long.MIN_VALUE) {
            words[i--] = Long.MAX_VALUE;
        }
        words[i]--;
        return this;
    }

    // ------------------------------------------------------------------------------------------------ comparing

    /** Another key of the same words. */
    TreeKey copy() {
        return new TreeKey(words.length).set(this);
    }

    /** The key just below this one, which is not the lowest. */
    TreeKey lower() {
        return copy().stepDown();
    }

    boolean isLowest() {
        for (long word : words) {
            if (word != Long.MIN_VALUE) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int compareTo(TreeKey other) {
        int order = Long.compare(words[0], other.words[0]);
        for (int i = 1; order == 0 && i < words.length; i++) {
            order = Long.compare(words[i], other.words[i]);
        }
        return order;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TreeKey key && Arrays.equals(words, key.words);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(words);
    }

    @Override
    public String toString() {
        return Arrays.stream(words).mapToObj(Long::toString).collect(Collectors.joining(":"));
    }
}
