// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;

/**
 * Operations on several keys of a hash map that travel together: a chain to each Memory Node for the buckets, one for
 * the blocks, and, if values are to be set, a third one that writes new blocks and swaps slots. A key for which that
 * does not suffice, since its bucket was split or is full or several of its entries may be the one, is left {@linkplain
 * #isOpen open}.
 */
final class MapBatch {
    /** The most keys to look up: two READs of a bucket for each fill a chain. */
    static final int CAPACITY = Sequence.capacity() / 2;

    /** The most values to set: a whole bucket takes three READs. */
    static final int PUTS = Sequence.capacity() / 3;

    private final MapDirectory directory;
    private final MapBucket bucket;
    private final MapEntry[] keys = new MapEntry[CAPACITY];
    private final MapEntry[] entries = new MapEntry[CAPACITY];
    private final LocalBuffer copies;
    private final MapChains chains;
    private final long[] targets = new long[CAPACITY];
    private final long[] indices = new long[CAPACITY];
    private final long[] candidates = new long[CAPACITY];
    private final boolean[] isOpen = new boolean[CAPACITY];
    private final boolean[] isFound = new boolean[CAPACITY];

    // Of values that are set: the word to swap, what it was, where an insertion would be, and what that was.
    private final long[] places = new long[PUTS];
    private final long[] words = new long[PUTS];
    private final long[] emptyPlaces = new long[PUTS];
    private final long[] emptyWords = new long[PUTS];
    private final LocalBuffer results;
    private boolean isWhole;
    private int size;

    /** What a chain does for each key. */
    private enum Step {
        READ_BUCKET,
        READ_BLOCK,
        WRITE
    }

    MapBatch(MapDirectory directory, MapBucket bucket, ComputeThread ct) {
        this.directory = directory;
        this.bucket = bucket;
        this.copies = ct.allocateLocal((long) CAPACITY * bucket.copyBytes());
        this.results = ct.allocateLocal((long) PUTS * Long.BYTES);
        this.chains = new MapChains(ct);
        for (int i = 0; i < CAPACITY; i++) {
            keys[i] = new MapEntry(ct);
            entries[i] = new MapEntry(ct);
        }
    }

    void clear() {
        size = 0;
    }

    int size() {
        return size;
    }

    /** The next key, to be set. */
    MapEntry addKey() {
        return keys[size++];
    }

    MapEntry key(int i) {
        return keys[i];
    }

    /** The entry of a key that was found. */
    MapEntry entry(int i) {
        return entries[i];
    }

    boolean isFound(int i) {
        return isFound[i];
    }

    /** Whether nothing was learned about a key. */
    boolean isOpen(int i) {
        return isOpen[i];
    }

    /** Looks for all keys. Two round trips. */
    void find(ComputeThread ct) {
        isWhole = false;
        search(ct);
    }

    private void search(ComputeThread ct) {
        for (int i = 0; i < size; i++) {
            targets[i] = directory.find(keys[i].hash());
            indices[i] = directory.index();
        }
        execute(Step.READ_BUCKET, ct);
        for (int i = 0; i < size; i++) {
            choose(i);
        }
        execute(Step.READ_BLOCK, ct);
        for (int i = 0; i < size; i++) {
            isFound[i] = candidates[i] != 0 && entries[i].hasKeyOf(keys[i]);
        }
    }

    /**
     * Sets the values of all keys, as {@link MapCore#put} does. A key whose value was set is not {@linkplain #isOpen
     * open}; if it had a value before, it is {@linkplain #isFound found}. Three round trips, and those that
     * allocate blocks, if this thread has no free ones.
     */
    void put(ComputeThread ct) {
        directory.enterPending(ct);
        isWhole = true;
        search(ct);
        for (int i = 0; i < size; i++) {
            targets[i] = RdmaPtr.NULL;
            if (!isOpen[i]) {
                places[i] = isFound[i] ? places[i] : emptyPlaces[i];
                words[i] = isFound[i] ? candidates[i] : emptyWords[i];
                isOpen[i] = places[i] == RdmaPtr.NULL || isFound[i] && MapWords.isFrozen(words[i]) || isTaken(i);
            }
            if (!isOpen[i]) {
                allocate(i, ct);
            }
        }
        execute(Step.WRITE, ct);
        for (int i = 0; i < size; i++) {
            if (!isOpen[i]) {
                settle(i, ct);
            }
        }
    }

    /** Whether an earlier key is about to be inserted in the same slot. */
    private boolean isTaken(int i) {
        for (int before = 0; before < i; before++) {
            if (!isOpen[before] && places[before] == places[i]) {
                return true;
            }
        }
        return false;
    }

    /** Allocates the new block, which must be near the bucket for a chain. */
    private void allocate(int i, ComputeThread ct) {
        long block = ct.allocateOn(RdmaPtr.node(places[i]), keys[i].bytes());
        if (RdmaPtr.node(block) == RdmaPtr.node(places[i])) {
            targets[i] = block;
        } else {
            ct.schedReclaim(block, keys[i].bytes());
            isOpen[i] = true;
        }
    }

    /** Retires the block that is not needed: the old one, or the new one if another thread has changed the slot. */
    private void settle(int i, ComputeThread ct) {
        isOpen[i] = results.getLong((long) i * Long.BYTES) != words[i];
        if (isOpen[i]) {
            ct.schedReclaim(targets[i], keys[i].bytes());
        } else if (isFound[i]) {
            ct.schedReclaim(MapWords.pointer(words[i]), entries[i].bytes());
        }
    }

    private long copy(int i) {
        return (long) i * bucket.copyBytes();
    }

    /** Finds the only slot that may hold a key, and the one where it could be inserted. */
    private void choose(int i) {
        long hash = keys[i].hash();
        if (isWhole) {
            bucket.takeWhole(targets[i], indices[i], copies, copy(i));
            chooseEmpty(i);
        } else {
            bucket.take(targets[i], indices[i], copies, copy(i));
        }
        isOpen[i] = !bucket.owns(hash);
        candidates[i] = 0;
        targets[i] = RdmaPtr.NULL;
        for (int s = 0; s < bucket.slots() && !isOpen[i]; s++) {
            long slot = bucket.slot(s);
            if (MapWords.mayHold(slot, hash, bucket.depth())) {
                isOpen[i] = candidates[i] != 0 || MapWords.units(slot) == MapWords.LONG;
                candidates[i] = isOpen[i] ? 0 : slot;
                targets[i] = isOpen[i] ? RdmaPtr.NULL : MapWords.pointer(slot);
                if (isWhole) {
                    places[i] = MapBucket.slotPointer(bucket.pointer(), s);
                }
            }
        }
    }

    /** Finds the slot of an insertion, as {@link MapCore#insert} does. */
    private void chooseEmpty(int i) {
        int empty = bucket.isWhole() && !MapWords.isClosed(bucket.intake()) ? bucket.empty() : 0;
        int first = Integer.numberOfTrailingZeros(empty);
        emptyPlaces[i] = empty == 0 ? RdmaPtr.NULL : MapBucket.slotPointer(bucket.pointer(), first);
        emptyWords[i] = empty == 0 ? 0 : bucket.slot(first);
    }

    /** Executes a step for all targets, by a chain to each Memory Node, as many at a time as may be outstanding. */
    private void execute(Step step, ComputeThread ct) {
        for (int first = 0; first < size; first++) {
            if (targets[first] != RdmaPtr.NULL && isFirstOfItsNode(first)) {
                Sequence sequence = ct.sequence();
                int node = RdmaPtr.node(targets[first]);
                for (int i = first; i < size; i++) {
                    if (targets[i] != RdmaPtr.NULL && RdmaPtr.node(targets[i]) == node) {
                        add(sequence, i, step, ct);
                    }
                }
                chains.post(sequence);
            }
        }
        chains.await();
    }

    private boolean isFirstOfItsNode(int i) {
        for (int before = 0; before < i; before++) {
            if (targets[before] != RdmaPtr.NULL && RdmaPtr.node(targets[before]) == RdmaPtr.node(targets[i])) {
                return false;
            }
        }
        return true;
    }

    private void add(Sequence sequence, int i, Step step, ComputeThread ct) {
        switch (step) {
            case READ_BUCKET -> {
                if (isWhole) {
                    bucket.readBeforeSlotsIn(sequence, targets[i], copies, copy(i));
                }
                bucket.readSlotsIn(sequence, targets[i], copies, copy(i));
            }
            case READ_BLOCK -> {
                int bytes = MapWords.units(candidates[i]) * MapWords.UNIT;
                sequence.read(targets[i], entries[i].room(bytes, ct), 0, bytes);
            }
            case WRITE -> {
                long bytes = keys[i].bytes();
                long live = MapWords.live(targets[i], bytes, keys[i].hash());
                sequence.write(targets[i], keys[i].memory(), 0, (int) bytes)
                        .compareAndSwap(places[i], words[i], live, results, (long) i * Long.BYTES);
            }
        }
    }
}
