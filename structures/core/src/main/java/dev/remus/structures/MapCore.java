// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import dev.remus.node.ValidatedReads;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a hash map on keys and values that lie in local memory as bytes. {@link RemoteHashMap} has its
 * promises.
 *
 * <p>An operation looks for the key of {@link #sought}. If it finds it, the entry is in {@link #found} afterwards.
 */
final class MapCore {
    private static final int INTAKE_RESULT = 8;

    final MapEntry sought;
    final MapEntry found;

    /** Has no key, and the value that a conditional operation expects. */
    final MapEntry expected;

    private final MapTable This;
    private final long hashMask;
    private final MapDirectory directory;
    private final MapBucket bucket;
    private final MapSplit split;
    private final RememberedSlots remembered;
    private final ValidatedReads reads = new ValidatedReads();
    private final MapWalk walk;

    /** Made when it is first needed. */
    private @Nullable MapBatch batch;

    /** Old values of words: a slot, an intake. */
    private LocalBuffer results;

    // Where the key was found.
    private long at;
    private long index;
    private int slot;
    private long word;
    private int generation;

    private final SpareBlock spare = new SpareBlock();

    /** The pauses between attempts of the present operation. */
    final Retries retries = new Retries();

    /** False while an operation runs, and so after one that ended with an exception. */
    private boolean isSettled = true;

    /** Makes a handle that remembers so many slots, and learns of buckets, with others of its node; alone if none. */
    MapCore(RdmaPtr<MapTable> pointer, long rememberedSlots, ComputeThread ct) {
        This = MapTable.open(pointer, ct);
        hashMask = This.hashMask();
        directory = new MapDirectory(
                This, rememberedSlots == 0 ? KnownBuckets.ofOneHandle() : KnownBuckets.ofNode(This, ct), ct);
        bucket = new MapBucket(This.slots(), ct);
        split = new MapSplit(directory, This.slots(), ct);
        remembered = new RememberedSlots(pointer.raw(), This.slots(), rememberedSlots, ct);
        walk = new MapWalk(directory, bucket);
        sought = new MapEntry(ct);
        found = new MapEntry(ct);
        expected = new MapEntry(ct);
        results = allocateResults(ct);
    }

    /** The number of slots that the settings allow all threads of a node together. */
    static long rememberedSlots(ComputeThread ct) {
        return (long) ct.config().cacheRecords() * ct.config().threadsPerNode();
    }

    private static LocalBuffer allocateResults(ComputeThread ct) {
        return ct.allocateLocal(2L * Long.BYTES);
    }

    /** The bits of a hash that count. */
    long hashMask() {
        return hashMask;
    }

    /** To be called first: after a failure, outstanding operations may still use the old local memory. */
    void begin(ComputeThread ct) {
        if (!isSettled) {
            sought.renewLocal(ct);
            found.renewLocal(ct);
            bucket.renewLocal(ct);
            split.renewLocal(ct);
            batch = null;
            results = allocateResults(ct);
        }
        isSettled = false;
        retries.begin();
    }

    /** To be called last. */
    void end() {
        isSettled = true;
    }

    // ------------------------------------------------------------------------------------------------ operations

    /** Sets the value of the key; returns whether it had one, which is then {@link #found}. */
    boolean put(ComputeThread ct) {
        while (true) {
            if (find(ct)) {
                if (replaceFound(ct)) {
                    return true;
                }
            } else if (insert(ct)) {
                return false;
            }
            retries.pause(ct);
        }
    }

    /** Sets the value of a key of a batch that was left open; as {@link #put(ComputeThread)}. */
    boolean put(MapEntry entry, ComputeThread ct) {
        sought.take(entry, ct);
        return put(ct);
    }

    /** Sets the value of the key if it has none; returns whether it had one, which is then {@link #found}. */
    boolean putIfAbsent(ComputeThread ct) {
        while (!find(ct)) {
            if (insert(ct)) {
                return false;
            }
            retries.pause(ct);
        }
        return true;
    }

    /** Replaces the value of the key if it has one, and if that is an expected one; returns whether it did. */
    boolean replace(@Nullable MapEntry expected, ComputeThread ct) {
        while (find(ct) && (expected == null || found.hasValueOf(expected))) {
            if (replaceFound(ct)) {
                return true;
            }
            retries.pause(ct);
        }
        return false;
    }

    /** Removes the key if it has a value, and if that is an expected one; returns whether it did. */
    boolean remove(@Nullable MapEntry expected, ComputeThread ct) {
        while (find(ct) && (expected == null || found.hasValueOf(expected))) {
            if (removeFound(ct)) {
                return true;
            }
            retries.pause(ct);
        }
        return false;
    }

    /** One attempt to make the key that was just looked for have the value of {@link #sought}, or none. */
    boolean settle(boolean isFound, boolean hasValue, ComputeThread ct) {
        if (hasValue) {
            return isFound ? replaceFound(ct) : insert(ct);
        }
        return !isFound || removeFound(ct);
    }

    /** Finds a key of a batch that was left open; returns whether it is there. */
    boolean find(MapEntry key, ComputeThread ct) {
        sought.take(key, ct);
        return find(ct);
    }

    /** Finds the key; returns whether it is there. */
    boolean find(ComputeThread ct) {
        long hash = sought.hash();
        if (findRemembered(hash, ct)) {
            ct.metrics().countCacheHit();
            return true;
        }
        ct.metrics().countCacheMiss();
        readBucket(hash, ct);
        for (int i = 0; i < bucket.slots(); i++) {
            long candidate = bucket.slot(i);
            if (MapWords.mayHold(candidate, hash, bucket.depth())) {
                readBlock(candidate, ct);
                if (found.hasKeyOf(sought)) {
                    at = bucket.pointer();
                    index = bucket.index();
                    slot = i;
                    word = candidate;
                    generation = MapWords.generation(bucket.intake());
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Replaces the value of the key that was just found by that of {@link #sought}.
     *
     * @return false if another thread has changed the entry meanwhile
     */
    boolean replaceFound(ComputeThread ct) {
        if (MapWords.isFrozen(word)) {
            helpSplit(ct);
            return false;
        }
        long old = MapWords.pointer(word);
        if (!write(at, index, slot, word, ct)) {
            return false;
        }
        ct.schedReclaim(old, found.bytes());
        return true;
    }

    /**
     * Inserts the key that was just not found, with the value of {@link #sought}.
     *
     * @return false if another thread has changed the bucket meanwhile
     */
    boolean insert(ComputeThread ct) {
        if (!bucket.isWhole()) {
            return false;
        }
        if (MapWords.isClosed(bucket.intake())) {
            split.help(bucket, ct);
            return false;
        }
        if (bucket.empty() != 0) {
            directory.enterPending(ct);
        } else if (!makeRoom(ct)) {
            return false;
        }
        int empty = bucket.empty();
        if (empty == 0) {
            return false; // all entries have moved along with the key
        }
        int first = Integer.numberOfTrailingZeros(empty); // always the first: the decision about a key needs one place
        return write(bucket.pointer(), bucket.index(), first, bucket.slot(first), ct);
    }

    /**
     * Begins the bucket's next generation, or splits it. Its copy is then up to date, without a READ.
     *
     * @return false if another thread has changed the bucket meanwhile
     */
    private boolean makeRoom(ComputeThread ct) {
        int vacant = bucket.vacant();
        if (vacant == 0) {
            return split.split(bucket, sought.hash(), ct);
        }
        long before = bucket.intake();
        long after = MapWords.open(MapWords.generation(before) + 1, vacant);
        if (ct.compareAndSwap(bucket.intakePointer(), before, after) != before) {
            return false;
        }
        bucket.setIntake(after);
        return true;
    }

    /**
     * Removes the key that was just found.
     *
     * @return false if another thread has changed the entry meanwhile
     */
    boolean removeFound(ComputeThread ct) {
        if (MapWords.isFrozen(word)) {
            helpSplit(ct);
            return false;
        }
        long removed = MapWords.removed(generation);
        long old = ct.compareAndSwap(MapBucket.slotPointer(at, slot), word, removed);
        if (old != word) {
            remembered.set(at, index, slot, old);
            return false;
        }
        remembered.set(at, index, slot, removed);
        ct.schedReclaim(MapWords.pointer(word), found.bytes());
        return true;
    }

    /** An empty batch. */
    MapBatch batch(ComputeThread ct) {
        if (batch == null) {
            batch = new MapBatch(directory, bucket, ct);
        }
        batch.clear();
        return batch;
    }

    // ------------------------------------------------------------------------------------------------ all entries

    /** Counts the entries. */
    long size(ComputeThread ct) {
        long size = 0;
        for (walk.start(); walk.next(ct); ) {
            for (int i = 0; i < bucket.slots(); i++) {
                size += bucket.isEntry(i) ? 1 : 0;
            }
        }
        return size;
    }

    /** READs each entry into {@link #found}, in turn. */
    void forEach(Runnable action, ComputeThread ct) {
        for (walk.start(); walk.next(ct); ) {
            for (int i = 0; i < bucket.slots(); i++) {
                if (bucket.isEntry(i)) {
                    readBlock(bucket.slot(i), ct);
                    action.run();
                }
            }
        }
    }

    /** Removes each entry, in turn. */
    void clear(ComputeThread ct) {
        for (walk.start(); walk.next(ct); ) {
            while (!clearBucket(ct)) {
                retries.pause(ct);
                bucket.read(bucket.pointer(), bucket.index(), ct);
            }
        }
    }

    /** Returns false if some entries are left, since other threads have changed them. */
    private boolean clearBucket(ComputeThread ct) {
        int id = MapWords.generation(bucket.intake());
        boolean isEmpty = true;
        for (int i = 0; i < bucket.slots(); i++) {
            long entry = bucket.slot(i);
            if (bucket.isEntry(i)) {
                if (MapWords.isFrozen(entry)) {
                    helpSplit(ct);
                    return false;
                }
                readBlock(entry, ct);
                long slotPointer = MapBucket.slotPointer(bucket.pointer(), i);
                if (ct.compareAndSwap(slotPointer, entry, MapWords.removed(id)) == entry) {
                    ct.schedReclaim(MapWords.pointer(entry), found.bytes());
                } else {
                    isEmpty = false;
                }
            }
        }
        return isEmpty;
    }

    /**
     * Checks what must hold while no other thread uses the map.
     *
     * @return the number of entries
     */
    long check(ComputeThread ct) {
        ct.place();
        long size = 0;
        Set<Object> keys = new HashSet<>(); // of a bucket, since a key that another one holds does not belong there
        for (walk.start(); walk.next(ct); keys.clear()) {
            for (int i = 0; i < bucket.slots(); i++) {
                long entry = bucket.slot(i);
                if (bucket.isEntry(i) && MapWords.isFrozen(entry) && !MapWords.isClosed(bucket.intake())) {
                    throw new IllegalStateException("slot " + i + " of " + bucket + " is frozen, and no split goes on");
                }
                if (bucket.isEntry(i)) {
                    readBlock(entry, ct);
                    if (!bucket.owns(found.hash())
                            || !MapWords.mayHold(entry, found.hash(), bucket.depth())
                            || !keys.add(found.keyCopy())) {
                        throw new IllegalStateException("slot " + i + " of " + bucket + " holds a key with the hash "
                                + Long.toHexString(found.hash()) + ", which does not belong there or is there twice");
                    }
                    size++;
                }
            }
        }
        return size;
    }

    /** Gives all memory back. No thread may use the map meanwhile or afterwards. */
    void destroy(ComputeThread ct) {
        for (walk.start(); walk.next(ct); ) {
            for (int i = 0; i < bucket.slots(); i++) {
                if (bucket.isEntry(i)) {
                    readBlock(bucket.slot(i), ct);
                    ct.free(MapWords.pointer(bucket.slot(i)), found.bytes());
                }
            }
            ct.free(bucket.pointer(), bucket.bytes());
        }
        directory.destroy(ct);
        split.releaseSpare(ct);
        spare.free(ct);
        This.destroy(ct);
    }

    // ------------------------------------------------------------------------------------------------ steps

    /** Finds the key in a slot that a thread of this node has READ before. One round trip, and one more if another
     * thread has changed the entry since then. */
    private boolean findRemembered(long hash, ComputeThread ct) {
        at = directory.find(hash);
        index = directory.index();
        remembered.start(at, index, hash);
        while (remembered.next()) {
            slot = remembered.slot();
            word = remembered.word();
            boolean isCurrent = readRemembered(ct);
            if (!isCurrent) {
                if (!remembered.renew(results.getLong(0))) {
                    return false; // the key has left the slot: the whole bucket may have changed
                }
                word = remembered.word();
                readBlock(word, ct);
            }
            if (found.hasKeyOf(sought)) {
                return true;
            }
            if (!isCurrent) {
                return false;
            }
        }
        return false;
    }

    /** READs the slot before the block; returns whether it is the same, since then the block is that of the entry. */
    private boolean readRemembered(ComputeThread ct) {
        int bytes = MapWords.units(word) * MapWords.UNIT;
        LocalBuffer memory = found.room(bytes, ct);
        reads.begin(ct);
        try (reads) {
            ct.sequence()
                    .read(MapBucket.slotPointer(at, slot), results, 0, Long.BYTES)
                    .read(MapWords.pointer(word), memory, 0, bytes)
                    .read(at, results, INTAKE_RESULT, Long.BYTES)
                    .execute();
        }
        generation = MapWords.generation(results.getLong(INTAKE_RESULT));
        return results.getLong(0) == word;
    }

    /** READs the bucket of a hash. */
    private void readBucket(long hash, ComputeThread ct) {
        long pointer = directory.find(hash);
        bucket.read(pointer, directory.index(), ct);
        while (!bucket.owns(hash)) {
            pointer = directory.follow(bucket, hash, ct);
            bucket.read(pointer, directory.index(), ct);
        }
        remembered.take(bucket);
    }

    private void readBlock(long slotWord, ComputeThread ct) {
        long block = MapWords.pointer(slotWord);
        long bytes = (long) MapWords.units(slotWord) * MapWords.UNIT;
        if (MapWords.units(slotWord) == MapWords.LONG) {
            ct.read(block, found.room(MapWords.UNIT, ct), 0, MapWords.UNIT);
            bytes = found.bytes();
        }
        ct.read(block, found.room(bytes, ct), 0, (int) bytes);
    }

    /** The entry that was found is frozen: it has to move before it can be changed. */
    private void helpSplit(ComputeThread ct) {
        if (bucket.isWhole() && MapWords.isClosed(bucket.intake())) {
            split.help(bucket, ct);
        }
    }

    /** WRITEs {@link #sought} into a new block, and swaps a slot's word for a pointer to it. */
    private boolean write(long bucketPointer, long bucketIndex, int i, long expected, ComputeThread ct) {
        long bytes = sought.bytes();
        long block = spare.take(RdmaPtr.node(bucketPointer), bytes, ct);
        long slotPointer = MapBucket.slotPointer(bucketPointer, i);
        long live = MapWords.live(block, bytes, sought.hash());
        long old;
        if (RdmaPtr.node(block) == RdmaPtr.node(bucketPointer)) {
            Sequence sequence = ct.sequence();
            sequence.write(block, sought.memory(), 0, (int) bytes)
                    .compareAndSwap(slotPointer, expected, live, results, 0)
                    .execute();
            old = results.getLong(0);
        } else { // placed: on another lane, to another node, the slot could be visible first
            ct.write(block, sought.memory(), 0, (int) bytes);
            old = ct.compareAndSwap(slotPointer, expected, live);
        }
        if (old != expected) {
            spare.keep(block, bytes);
            remembered.set(bucketPointer, bucketIndex, i, old);
            return false;
        }
        remembered.set(bucketPointer, bucketIndex, i, live);
        return true;
    }
}
