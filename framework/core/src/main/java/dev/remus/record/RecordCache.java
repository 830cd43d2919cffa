package dev.remus.record;

import dev.remus.fabric.LocalBuffer;
import dev.remus.node.ComputeThread;
import java.util.Arrays;

/**
 * A thread's copies of records of one kind, by their pointers, which save READs. Copies of fields that were declared
 * immutable ({@link RemoteRecord#immutable}) are exact. Other fields may be stale: they are hints, which the structure
 * must validate before it relies on them.
 *
 * <p>No copy outlives its pointer: the cache is emptied when the thread's {@link ComputeThread#reclamationEpoch} has
 * changed. So a structure that caches retires its records with {@link ComputeThread#schedReclaim} only, and they are
 * reclaimed after a barrier of all threads that use it.
 *
 * <p>It is bounded: it grows up to a number of records, and then each new record replaces one of {@value #WAYS}.
 *
 * <pre>
 *  pointers   | bucket 0: p p p - | bucket 1: p - - - | ...      a pointer belongs to one bucket only
 *  copies     |           r r r - |           r - - - | ...      local memory, not registered
 * </pre>
 *
 * <p>Each thread has a cache of its own, so that a look-up is a few loads without synchronisation. A cache shared by a
 * Compute Node would have to check for torn copies on each look-up, all threads would write to it, and it could be
 * emptied only when all threads have passed the barrier. The price is memory.
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
    private final int maxSlots;
    private final int ways;
    private long[] pointers = {};

    private final CachedCopies copies = new CachedCopies();

    private int shift;
    private int size;
    private int victim;
    private long epoch;

    /**
     * Makes an empty cache.
     *
     * @param layout a view of the kind of records
     * @param records the maximum number of records, 0 for none; rounded down to a power of two
     * @throws IllegalArgumentException if the number is below 0, or the records do not fit into 1 GiB
     */
    public RecordCache(RecordView layout, int records) {
        recordBytes = layout.bytes();
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
        view.copyFrom(copies, slot * recordBytes);
        return true;
    }

    /**
     * Keeps a copy of the record that a view has fetched or stored. Other threads can find the record, or recently
     * could.
     *
     * @throws IllegalStateException if the view has not fetched or stored the record at which it points
     */
    public void put(RecordView view, ComputeThread ct) {
        if (view.bytes() != recordBytes) {
            throw new IllegalArgumentException(
                    view + " has " + view.bytes() + " bytes, and this is a cache of records of " + recordBytes);
        }
        if (!view.hasOwnCopy()) {
            throw new IllegalStateException(view + " has not been fetched: there is nothing to keep");
        }
        if (maxSlots == 0) {
            return;
        }
        long pointer = view.pointer();
        int slot = find(pointer, ct);
        if (slot == NONE) {
            slot = makeRoom(pointer);
            pointers[slot] = pointer;
            size++;
        }
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

    private int find(long pointer, ComputeThread ct) {
        if (epoch != ct.reclamationEpoch()) {
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
        LocalBuffer oldCopies = memory();
        resize(2 * oldPointers.length);
        LocalBuffer newCopies = memory();
        for (int old = 0; old < oldPointers.length; old++) {
            if (oldPointers[old] != EMPTY) {
                int slot = makeRoom(oldPointers[old]); // a bucket becomes two, so there is room
                pointers[slot] = oldPointers[old];
                for (int i = 0; i < recordBytes; i += Long.BYTES) {
                    newCopies.putLong(slot * recordBytes + i, oldCopies.getLong(old * recordBytes + i));
                }
            }
        }
    }

    private void resize(int slots) {
        pointers = new long[slots];
        Arrays.fill(pointers, EMPTY);
        copies.memory = LocalBuffer.unregistered(slots * recordBytes);
        shift = Long.SIZE - Integer.numberOfTrailingZeros(slots / ways);
        copies.changes++;
    }
}
