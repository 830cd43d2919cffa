package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.RemoteFuture;
import dev.remus.node.Sequence;

/**
 * Look-ups of several keys of a hash map that travel together: a chain to each Memory Node for the buckets, and then
 * one for the blocks. A key for which that does not suffice, since its bucket was split or several of its entries may
 * be the one, is left {@linkplain #isOpen open}.
 */
final class MapBatch {
    /** The most keys: two READs of a bucket for each fill a chain. */
    static final int CAPACITY = Sequence.capacity() / 2;

    private final MapDirectory directory;
    private final MapBucket bucket;
    private final MapEntry[] keys = new MapEntry[CAPACITY];
    private final MapEntry[] entries = new MapEntry[CAPACITY];
    private final LocalBuffer copies;
    private final RemoteFuture[] futures;
    private final long[] targets = new long[CAPACITY];
    private final long[] indices = new long[CAPACITY];
    private final long[] candidates = new long[CAPACITY];
    private final boolean[] isOpen = new boolean[CAPACITY];
    private final boolean[] isFound = new boolean[CAPACITY];
    private int size;
    private int posted;

    MapBatch(MapDirectory directory, MapBucket bucket, ComputeThread ct) {
        this.directory = directory;
        this.bucket = bucket;
        this.copies = ct.allocateLocal((long) CAPACITY * bucket.copyBytes());
        this.futures = new RemoteFuture[ct.config().opsPerThread()];
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
        for (int i = 0; i < size; i++) {
            targets[i] = directory.find(keys[i].hash());
            indices[i] = directory.index();
        }
        execute(false, ct);
        for (int i = 0; i < size; i++) {
            choose(i);
        }
        execute(true, ct);
        for (int i = 0; i < size; i++) {
            isFound[i] = candidates[i] != 0 && entries[i].hasKeyOf(keys[i]);
        }
    }

    private long copy(int i) {
        return (long) i * bucket.copyBytes();
    }

    /** Finds the only slot that may hold a key. */
    private void choose(int i) {
        long hash = keys[i].hash();
        bucket.take(targets[i], indices[i], copies, copy(i));
        isOpen[i] = !bucket.owns(hash);
        candidates[i] = 0;
        targets[i] = RdmaPtr.NULL;
        for (int s = 0; s < bucket.slots() && !isOpen[i]; s++) {
            long slot = bucket.slot(s);
            if (MapWords.mayHold(slot, hash, bucket.depth())) {
                isOpen[i] = candidates[i] != 0 || MapWords.units(slot) == MapWords.LONG;
                candidates[i] = isOpen[i] ? 0 : slot;
                targets[i] = isOpen[i] ? RdmaPtr.NULL : MapWords.pointer(slot);
            }
        }
    }

    /** READs all targets, by a chain to each Memory Node, as many at a time as may be outstanding. */
    private void execute(boolean isOfBlocks, ComputeThread ct) {
        posted = 0;
        for (int first = 0; first < size; first++) {
            if (targets[first] != RdmaPtr.NULL && isFirstOfItsNode(first)) {
                Sequence sequence = ct.sequence();
                int node = RdmaPtr.node(targets[first]);
                for (int i = first; i < size; i++) {
                    if (targets[i] != RdmaPtr.NULL && RdmaPtr.node(targets[i]) == node) {
                        readIn(sequence, i, isOfBlocks, ct);
                    }
                }
                if (posted == futures.length) {
                    await();
                }
                futures[posted++] = sequence.executeAsync();
            }
        }
        await();
    }

    private boolean isFirstOfItsNode(int i) {
        for (int before = 0; before < i; before++) {
            if (targets[before] != RdmaPtr.NULL && RdmaPtr.node(targets[before]) == RdmaPtr.node(targets[i])) {
                return false;
            }
        }
        return true;
    }

    private void readIn(Sequence sequence, int i, boolean isOfBlocks, ComputeThread ct) {
        if (isOfBlocks) {
            int bytes = MapWords.units(candidates[i]) * MapWords.UNIT;
            sequence.read(targets[i], entries[i].room(bytes, ct), 0, bytes);
        } else {
            bucket.readSlotsIn(sequence, targets[i], copies, copy(i));
        }
    }

    private void await() {
        while (posted > 0) {
            futures[--posted].await();
        }
    }
}
