// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.NodeObjects;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The slots of hash maps as the threads of a node have READ them last. So once a thread has READ a bucket, each of them
 * finds its keys by one round trip.
 *
 * <pre>
 *   frames, which all maps share               a frame, made when it is first needed
 *  +---+---+---+--   --+---+                  +--------+--------+--  --+---------+
 *  |   |   |   |  ...  |   | ---------------> | bucket | slot 0 | ...  | slot 29 |
 *  +---+---+---+--   --+---+                  +--------+--------+--  --+---------+
 *   by the index of the bucket, beginning
 *   at a different frame for each map
 * </pre>
 *
 * <p>Only live slots are remembered that have the length of their block; for the others the frame has 0. A bucket takes
 * the frame of an earlier one.
 *
 * <p>What is remembered is a hint. Threads use a frame without synchronization, so any of its words may be stale, or be
 * of another bucket. The slot is READ again, and after it the block that the hint names. If the slot is the same word,
 * that block is its entry's, and the block has the key. So a wrong hint costs a round trip, and does no other harm, as
 * long as both READs are of memory that exists: a slot of the bucket, which stays where it is until the map is
 * destroyed, and a block that some map has had. The memory model of Java ensures that, since the words are accessed
 * opaquely: each is 0, or whole as a thread has written it. A frame is published by a plain write, which is enough: a
 * thread that sees the frame sees at least the zeros that it was made with, and one that does not makes another.
 */
final class RememberedSlots {
    private static final int MOST_FRAMES = 1 << 21; // half a GiB
    private static final int BUCKET = 0;
    private static final int SLOTS = 1;
    private static final int WORDS = SLOTS + MapWords.MAX_SLOTS;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[][] frames;
    private final int first;
    private final int slots;

    // What is looked for.
    private long @Nullable [] frame;
    private int node;
    private long hash;
    private int slot;
    private long word;

    /** The frames of a node for handles that may remember so many slots. */
    private record Key(long capacity) {}

    /**
     * Makes a handle's view of what is remembered by all handles of the node that were given the same capacity.
     *
     * @param map the map's pointer
     * @param slots the number of slots of its buckets
     * @param capacity the most slots of all maps together, rounded down to a power of two of buckets; 0 for none
     */
    RememberedSlots(long map, int slots, long capacity, ComputeThread ct) {
        int number = (int) Long.highestOneBit(Math.min(capacity / MapWords.MAX_SLOTS, MOST_FRAMES));
        this.frames = NodeObjects.of(ct, new Key(capacity), long[][].class, () -> new long[number][]);
        this.first = (int) (map * MIX >>> Integer.SIZE);
        this.slots = slots;
    }

    // ------------------------------------------------------------------------------------------------ finding

    /** Starts to look for the slots of a bucket that may hold a key, given its hash. */
    void start(long bucket, long index, long keyHash) {
        frame = frame(bucket, index);
        node = RdmaPtr.node(bucket);
        hash = keyHash;
        slot = -1;
    }

    /** Goes on to the next slot; returns false if there is none. */
    boolean next() {
        long[] from = frame;
        while (from != null && ++slot < slots) {
            word = word(from, SLOTS + slot);
            if (mayHold()) {
                return true;
            }
        }
        return false;
    }

    /** Remembers what the slot is now; returns whether it may hold the key. */
    boolean renew(long current) {
        long[] to = frame;
        if (to != null) {
            set(to, SLOTS + slot, hint(current));
        }
        word = hint(current);
        return mayHold();
    }

    private boolean mayHold() {
        return word != 0 && MapWords.mayHold(word, hash, 0) && RdmaPtr.node(MapWords.pointer(word)) == node;
    }

    int slot() {
        return slot;
    }

    /** What the slot was when it was READ. It names a block on the bucket's Memory Node, of a length that is known. */
    long word() {
        return word;
    }

    // ------------------------------------------------------------------------------------------------ remembering

    /** Remembers the slots of a bucket that was READ. */
    void take(MapBucket bucket) {
        if (frames.length == 0) {
            return;
        }
        int place = place(bucket.index());
        long[] to = frames[place];
        if (to == null) {
            to = new long[WORDS];
            frames[place] = to;
        }
        for (int i = 0; i < slots; i++) {
            set(to, SLOTS + i, hint(bucket.slot(i)));
        }
        set(to, BUCKET, bucket.pointer());
    }

    /** Remembers a slot of a bucket that was taken, as this thread has changed or seen it. */
    void set(long bucket, long index, int i, long slotWord) {
        long[] to = frame(bucket, index);
        if (to != null) {
            set(to, SLOTS + i, hint(slotWord));
        }
    }

    private static long hint(long slotWord) {
        return MapWords.isLive(slotWord) && MapWords.units(slotWord) != MapWords.LONG ? slotWord : 0;
    }

    // ------------------------------------------------------------------------------------------------ frames

    private int place(long index) {
        return first + (int) index & frames.length - 1;
    }

    /** The frame that a bucket has, or null. */
    private long @Nullable [] frame(long bucket, long index) {
        long[] found = frames.length == 0 ? null : frames[place(index)];
        return found != null && word(found, BUCKET) == bucket ? found : null;
    }

    private static long word(long[] frame, int i) {
        return (long) WORD.getOpaque(frame, i);
    }

    /** Leaves a word that has the value already, so that it stays in the caches of all processors. */
    private static void set(long[] frame, int i, long word) {
        if (word(frame, i) != word) {
            WORD.setOpaque(frame, i, word);
        }
    }
}
