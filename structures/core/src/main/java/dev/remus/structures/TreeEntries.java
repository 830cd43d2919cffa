// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import java.util.Arrays;

/** A list of entries of an ordered map, by ascending keys, which grows if it must. */
class TreeEntries {
    private final int words;

    /** The words of all keys, one key after the other. */
    private long[] keys;

    private long[] values;
    private int size;

    /** An empty list of keys of so many words, with room for some entries. */
    TreeEntries(int words, int room) {
        this.words = words;
        keys = new long[words * room];
        values = new long[room];
    }

    final void clear() {
        size = 0;
    }

    final int size() {
        return size;
    }

    /** Sets a key to that of an entry, and returns it. */
    final TreeKey key(int i, TreeKey to) {
        return to.set(keys, i * words);
    }

    final long value(int i) {
        return values[i];
    }

    /** Negative, 0 or positive, as the key of an entry is below, at or above another. */
    final int compare(int i, TreeKey key) {
        return compare(keys, i * words, key, words);
    }

    /** The same of the key whose words begin at a place of an array. */
    static int compare(long[] keys, int at, TreeKey key, int words) {
        int order = Long.compare(keys[at], key.word());
        for (int j = 1; order == 0 && j < words; j++) {
            order = Long.compare(keys[at + j], key.word(j));
        }
        return order;
    }

    /** The number of the entry of a key; if there is none, -1 minus the number of entries below it. */
    final int search(TreeKey key) {
        return search(keys, 0, size, key, words);
    }

    /** The same for some keys in an array, in order, of which the first one begins at a place. */
    static int search(long[] keys, int at, int size, TreeKey key, int words) {
        if (words == 1) {
            int found = Arrays.binarySearch(keys, at, at + size, key.word());
            return found >= 0 ? found - at : found + at;
        }
        int from = 0;
        int to = size;
        while (from < to) {
            int middle = from + to >>> 1;
            int order = compare(keys, at + middle * words, key, words);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return -1 - from;
    }

    /** Copies all keys to a place of an array, and all values behind them. */
    final void copyTo(long[] to, int at) {
        System.arraycopy(keys, 0, to, at, size * words);
        System.arraycopy(values, 0, to, at + size * words, size);
    }

    /** The number of entries below a key. */
    final int below(TreeKey key) {
        int found = search(key);
        return found < 0 ? -1 - found : found;
    }

    /** The number of entries at or below a key. */
    final int upTo(TreeKey key) {
        int found = search(key);
        return found < 0 ? -1 - found : found + 1;
    }

    /** Adds an entry behind all others. */
    final void add(TreeKey key, long value) {
        addAt(size, key, value);
    }

    /** Adds an entry where it belongs, unless the key is there. */
    final void insert(TreeKey key, long value) {
        int found = size > 0 && compare(size - 1, key) >= 0 ? search(key) : -1 - size;
        if (found < 0) {
            addAt(-1 - found, key, value);
        }
    }

    private void addAt(int i, TreeKey key, long value) {
        if (size == values.length) {
            keys = Arrays.copyOf(keys, 2 * keys.length);
            values = Arrays.copyOf(values, 2 * size);
        }
        if (i < size) {
            System.arraycopy(keys, i * words, keys, (i + 1) * words, (size - i) * words);
            System.arraycopy(values, i, values, i + 1, size - i);
        }
        int at = i * words;
        keys[at] = key.word();
        for (int j = 1; j < words; j++) {
            keys[at + j] = key.word(j);
        }
        values[i] = value;
        size++;
    }
}
