// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import java.util.Arrays;

/**
 * What a step has read and changed: words of memory and, as words with numbers below 0, the states of agents. Two steps
 * that do not {@linkplain #conflictsWith conflict} have the same effect in either order.
 */
final class Footprint {
    private long[] words = new long[8];
    private boolean[] changed = new boolean[8];
    private int size;

    /** The words on which an atomic has begun or ended, apart from the others. */
    private long locked = NONE;

    private long unlocked = NONE;

    private boolean calls;
    private boolean returns;

    private static final long NONE = Long.MIN_VALUE;

    /** Adds an access. */
    void add(long word, boolean changes) {
        for (int i = 0; i < size; i++) {
            if (words[i] == word) {
                changed[i] |= changes;
                return;
            }
        }
        if (size == words.length) {
            words = Arrays.copyOf(words, 2 * size);
            changed = Arrays.copyOf(changed, 2 * size);
        }
        words[size] = word;
        changed[size++] = changes;
    }

    /** Adds the beginning of an atomic, which no other atomic on this word may follow before its end. */
    void lock(long word) {
        locked = word;
    }

    /** Adds the end of an atomic. */
    void unlock(long word) {
        unlocked = word;
    }

    /** Adds the record of a call: it matters which operations have returned before. */
    void call() {
        calls = true;
    }

    /** Adds the record of a return. */
    void returned() {
        returns = true;
    }

    /** Adds all accesses of another footprint. */
    void addAll(Footprint other) {
        calls |= other.calls;
        returns |= other.returns;
        for (int i = 0; i < other.size; i++) {
            add(other.words[i], other.changed[i]);
        }
        for (long word : new long[] {other.locked, other.unlocked}) {
            if (word != NONE) {
                add(word, true); // as an access: conflicts with more than the atomic does
            }
        }
    }

    /** Whether the order of this step and another may matter. */
    boolean conflictsWith(Footprint other) {
        if (isOnAtomicWordOf(other) || calls && other.returns || returns && other.calls) {
            return true;
        }
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < other.size; j++) {
                if (words[i] == other.words[j] && (changed[i] || other.changed[j])) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isOnAtomicWordOf(Footprint other) {
        return locked != NONE && (locked == other.locked || locked == other.unlocked)
                || unlocked != NONE && (unlocked == other.locked || unlocked == other.unlocked);
    }

    /** Whether this step must come before the other, which begins an atomic on the word where this one ends another. */
    boolean isAwaitedBy(Footprint other) {
        return unlocked != NONE && unlocked == other.locked;
    }

    /** Whether it has changed this word. */
    boolean hasChanged(long word) {
        for (int i = 0; i < size; i++) {
            if (words[i] == word) {
                return changed[i];
            }
        }
        return false;
    }
}
