package dev.remus.structures;

import dev.remus.node.ComputeThread;

/**
 * The slots in which a handle of a hash map has found keys, so that it may find them again by one round trip. They are
 * hints: each is READ again, before its block, and counts only if it is unchanged. Buckets stay where they are until
 * the map is destroyed. So a hint does no harm, however often the memory of entries was reused meanwhile.
 *
 * <p>A hash has one place, where a later one replaces it. Allocates only while it grows.
 */
final class RememberedSlots {
    private static final int HASH = 0;
    private static final int PLACE = 1;
    private static final int WORD = 2;
    private static final int WORDS = 4; // a power of two
    private static final int FIRST = 64;
    private static final long SLOT_BITS = 63;

    private final int capacity;
    private long[] words = {};
    private int used;
    private int found;

    /** @param capacity how many, 0 for none; rounded down to a power of two */
    RememberedSlots(int capacity) {
        this.capacity = Integer.highestOneBit(capacity);
    }

    private int at(long hash) {
        return (int) (hash >>> 24) * WORDS & words.length - 1;
    }

    /** Whether there is one, whose parts are then returned by the other methods. */
    boolean find(long hash, ComputeThread ct) {
        if (capacity == 0) {
            return false;
        }
        found = words.length == 0 ? 0 : at(hash);
        boolean isHit = words.length > 0 && words[found + PLACE] != 0 && words[found + HASH] == hash;
        if (isHit) {
            ct.metrics().countCacheHit();
        } else {
            ct.metrics().countCacheMiss();
        }
        return isHit;
    }

    long bucket() {
        return words[found + PLACE] & ~SLOT_BITS;
    }

    int slot() {
        return (int) (words[found + PLACE] & SLOT_BITS);
    }

    long word() {
        return words[found + WORD];
    }

    /** Remembers a slot; a bucket starts at a multiple of 64 bytes, so that the number of a slot fits beside it. */
    void put(long hash, long bucket, int slot, long word) {
        if (capacity == 0) {
            return;
        }
        if (2 * WORDS * used >= words.length && words.length < WORDS * capacity) {
            grow();
        }
        int at = at(hash);
        used += words[at + PLACE] == 0 ? 1 : 0;
        words[at + HASH] = hash;
        words[at + PLACE] = bucket | slot;
        words[at + WORD] = word;
    }

    private void grow() {
        long[] old = words;
        words = new long[WORDS * Math.min(capacity, Math.max(FIRST, 2 * old.length / WORDS))];
        used = 0;
        for (int from = 0; from < old.length; from += WORDS) {
            if (old[from + PLACE] != 0) {
                System.arraycopy(old, from, words, at(old[from + HASH]), WORDS);
                used++;
            }
        }
    }

    void forget(long hash) {
        if (words.length > 0 && words[at(hash) + HASH] == hash && words[at(hash) + PLACE] != 0) {
            words[at(hash) + PLACE] = 0;
            used--;
        }
    }
}
