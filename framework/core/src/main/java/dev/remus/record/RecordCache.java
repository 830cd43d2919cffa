// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import dev.remus.fabric.LocalBuffer;
import dev.remus.node.ComputeThread;
import dev.remus.node.ValidatedReads;
import java.util.Arrays;

/**
 * A thread's copies of records of one kind, by their pointers, which save READs. Copies of fields that were declared
 * immutable ({@link RemoteRecord#immutable}) are exact. Other fields may be stale: they are hints, which the structure
 * must validate before it relies on them.
 *
 * <p>A structure that caches retires its records with {@link ComputeThread#schedReclaim} only. What happens when memory
 * may have been reused, since the thread's {@link ComputeThread#reclamationEpoch} has changed, depends on the kind of
 * records:
 *
 * <ul>
 *   <li>Without a stamp, the cache is emptied.
 *   <li>With a stamp ({@link RemoteRecord#stampField}), copies stay, and each is a hint: another record may be in the
 *       block by now. Before the structure relies on one, it fetches the record, inside a {@link ValidatedReads} scope,
 *       and asks {@link #isSame}. That is the READ that validates a copy anyway.
 * </ul>
 *
 * <p>Why a record that has the stamp of its copy stays that record until the operation ends, on any fabric: consider
 * the moment at which the READ took the stamp.
 *
 * <ol>
 *   <li>No other record has that stamp. So at that moment the block held the record of the copy. Other data would have
 *       to contain the same 64 bits in this place by chance.
 *   <li>The stamp is erased, and the WRITE placed, before the record is retired. A placed WRITE is visible on every
 *       lane. So the record had not been retired at that moment.
 *   <li>The thread was inside an operation. So the block is reclaimed only after the thread's next quiescent state or
 *       barrier.
 *   <li>The copy is older than the READ. So the block held the record during the whole READ, and all words that it took
 *       are the record's, in whatever order they were taken.
 * </ol>
 *
 * <p>It is bounded: it grows up to a number of records, and then each new record replaces one of {@value #WAYS}.
 *
 * <pre>
 *  pointers   | bucket 0: p p p - | bucket 1: p - - - | ...      a pointer belongs to one bucket only
 *  copies     |           r r r - |           r - - - | ...      local memory, not registered
 * </pre>
 *
 * <p>Each thread has a cache of its own, so that a look-up is a few loads without synchronisation. A cache shared by a
 * Compute Node would have to check for torn copies on each look-up, and all threads would write to it. The price is
 * memory.
 *
 * <p>Belongs to one Compute Thread. Allocates only while it grows.
 */
public final class RecordCache {
    private static final int WAYS = 4;
    private static final int FIRST_SLOTS = 64;
    private static final int NONE = -1;

    /** In place of the pointer where there is no copy. Not null, or a look-up at null would find it. */
    private static final long EMPTY = -1;

    /** 2^64 divided by the golden ratio: spreads pointers that differ in a few bits over all buckets. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private final long recordBytes;
    private final boolean hasStamp;
    private final long stampOffset;
    private final int maxSlots;
    private final int ways;
    private long[] pointers = {};

    /** By slot: the reclamation epoch in which the copy was put there. */
    private long[] epochs = {};

    private final CachedCopies copies = new CachedCopies();

    private int shift;
    private int size;
    private int victim;
    private long epoch;
    private long loadedEpoch;

    /**
     * Makes an empty cache.
     *
     * @param layout a view of the kind of records
     * @param records the maximum number of records, 0 for none; rounded down to a power of two
     * @throws IllegalArgumentException if the number is below 0, or the records do not fit into 1 GiB
     */
    public RecordCache(RecordView layout, int records) {
        recordBytes = layout.bytes();
        hasStamp = layout.hasStamp();
        stampOffset = hasStamp ? layout.stampOffset() : NONE;
        if (records < 0 || records * recordBytes > 1 << 30) {
            throw new IllegalArgumentException("a cache of " + records + " records of " + recordBytes + " bytes:"
                    + " the number (cacheRecords) needs at least 0, and at most 1 GiB in all");
        }
        maxSlots = Integer.highestOneBit(records);
        ways = Math.min(WAYS, maxSlots);
        if (maxSlots > 0) {
            resize(Math.min(FIRST_SLOTS, maxSlots));
        }
    }

    /** The maximum number of records. */
    public int capacity() {
        return maxSlots;
    }

    /** The number of records that it holds. */
    public int size() {
        return size;
    }

    /**
     * If there is a copy of the record at which a view points, makes it the view's copy, until it is replaced here. The
     * fields' {@code hint}, and {@code fetched} of immutable fields, return its values. No round trip.
     *
     * @return whether there is a copy; counted in the thread's metrics
     */
    public boolean load(RecordView view, ComputeThread ct) {
        int slot = find(view.pointer(), ct);
        if (slot == NONE) {
            ct.metrics().countCacheMiss();
            return false;
        }
        ct.metrics().countCacheHit();
        loadedEpoch = epochs[slot];
        view.copyFrom(copies, slot * recordBytes);
        return true;
    }

    /**
     * The {@link ComputeThread#reclamationEpoch} in which the copy that {@link #load} found last was put here. If it is
     * still the present one, the record is still in its block, although it may have been removed.
     */
    public long loadedEpoch() {
        return loadedEpoch;
    }

    /**
     * Whether the record that a view has just fetched is the one of which there is a copy here, and was not about to be
     * retired. If it is not, or there is no copy, removes the copy. No round trip.
     */
    public boolean isSame(RecordView fetched, ComputeThread ct) {
        checkFetched(fetched);
        int slot = find(fetched.pointer(), ct);
        if (slot == NONE) {
            return false;
        }
        boolean isSame = !hasStamp || fetched.copied(stampOffset) == memory().getLong(slot * recordBytes + stampOffset);
        if (!isSame) {
            remove(slot);
        }
        return isSame;
    }

    /**
     * Keeps a copy of the record that a view has fetched or stored. Other threads can find the record, or recently
     * could. If its stamp is erased, keeps none.
     *
     * @throws IllegalStateException if the view has not fetched or stored the record at which it points
     */
    public void put(RecordView view, ComputeThread ct) {
        checkFetched(view);
        if (maxSlots == 0) {
            return;
        }
        long pointer = view.pointer();
        if (hasStamp && view.copied(stampOffset) == RecordView.ERASED) {
            forget(pointer, ct);
            return;
        }
        int slot = find(pointer, ct);
        if (slot == NONE) {
            slot = makeRoom(pointer);
            pointers[slot] = pointer;
            size++;
        }
        epochs[slot] = ct.reclamationEpoch();
        LocalBuffer kept = memory();
        for (int i = 0; i < recordBytes; i += Long.BYTES) {
            kept.putLong(slot * recordBytes + i, view.copied(i));
        }
    }

    /** Removes the copy of the record at a raw pointer. */
    public void forget(long pointer, ComputeThread ct) {
        int slot = find(pointer, ct);
        if (slot != NONE) {
            remove(slot);
        }
    }

    private void checkFetched(RecordView view) {
        if (view.bytes() != recordBytes) {
            throw new IllegalArgumentException(
                    view + " has " + view.bytes() + " bytes, and this is a cache of records of " + recordBytes);
        }
        if (!view.hasOwnCopy()) {
            throw new IllegalStateException(view + " has not been fetched: there is nothing to keep or compare");
        }
    }

    private int find(long pointer, ComputeThread ct) {
        if (!hasStamp && epoch != ct.reclamationEpoch()) {
            drop(ct);
        }
        if (size == 0) {
            return NONE;
        }
        int bucket = bucket(pointer);
        for (int slot = bucket; slot < bucket + ways; slot++) {
            if (pointers[slot] == pointer) {
                return slot;
            }
        }
        return NONE;
    }

    /** The first slot of the pointer's bucket. */
    private int bucket(long pointer) {
        return shift == Long.SIZE ? 0 : (int) (pointer * SPREAD >>> shift) * ways;
    }

    private void drop(ComputeThread ct) {
        epoch = ct.reclamationEpoch();
        if (size > 0) {
            Arrays.fill(pointers, EMPTY);
            size = 0;
            copies.changes++;
            ct.metrics().countCacheDrop();
        }
    }

    private void remove(int slot) {
        pointers[slot] = EMPTY;
        size--;
        copies.changes++;
    }

    /** A slot of the pointer's bucket that is free now. */
    private int makeRoom(long pointer) {
        while (true) {
            int bucket = bucket(pointer);
            for (int slot = bucket; slot < bucket + ways; slot++) {
                if (pointers[slot] == EMPTY) {
                    return slot;
                }
            }
            if (pointers.length == maxSlots) {
                int slot = bucket + victim;
                victim = (victim + 1) % ways;
                remove(slot);
                return slot;
            }
            grow();
        }
    }

    private LocalBuffer memory() {
        LocalBuffer memory = copies.memory;
        assert memory != null : "it may hold nothing";
        return memory;
    }

    private void grow() {
        long[] oldPointers = pointers;
        long[] oldEpochs = epochs;
        LocalBuffer oldCopies = memory();
        resize(2 * oldPointers.length);
        LocalBuffer newCopies = memory();
        for (int old = 0; old < oldPointers.length; old++) {
            if (oldPointers[old] != EMPTY) {
                int slot = makeRoom(oldPointers[old]); // a bucket becomes two, so there is room
                pointers[slot] = oldPointers[old];
                epochs[slot] = oldEpochs[old];
                for (int i = 0; i < recordBytes; i += Long.BYTES) {
                    newCopies.putLong(slot * recordBytes + i, oldCopies.getLong(old * recordBytes + i));
                }
            }
        }
    }

    private void resize(int slots) {
        pointers = new long[slots];
        epochs = new long[slots];
        Arrays.fill(pointers, EMPTY);
        copies.memory = LocalBuffer.unregistered(slots * recordBytes);
        shift = Long.SIZE - Integer.numberOfTrailingZeros(slots / ways);
        copies.changes++;
    }
}
