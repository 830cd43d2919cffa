package dev.remus.structures;

import dev.remus.node.ComputeThread;

/**
 * A way through all buckets of a hash map, in which each hash belongs to exactly one bucket at the moment that its
 * bucket is READ, whatever splits meanwhile.
 *
 * <p>A bucket that was first reached at some depth stands for all hashes that end with that many bits of its index.
 * When it is READ it may be deeper; then the buckets that its splits have made since stand for the rest, and are
 * visited later.
 */
final class MapWalk {
    private static final int MAX_LEFT = MapWords.MAX_DEPTH * MapWords.MAX_DEPTH;

    private final MapDirectory directory;
    private final MapBucket bucket;
    private final long[] indices = new long[MAX_LEFT];
    private final int[] depths = new int[MAX_LEFT];
    private int left;
    private long buckets;

    MapWalk(MapDirectory directory, MapBucket bucket) {
        this.directory = directory;
        this.bucket = bucket;
    }

    void start() {
        left = 0;
        buckets = 0;
        push(0, 0);
    }

    private void push(long index, int depth) {
        indices[left] = index;
        depths[left] = depth;
        left++;
    }

    /** READs the next bucket as a whole; returns false if there is none. One round trip, more while it is split. */
    boolean next(ComputeThread ct) {
        if (left == 0) {
            return false;
        }
        left--;
        long index = indices[left];
        int reached = depths[left];
        long pointer = directory.pointer(index, ct);
        bucket.read(pointer, index, ct);
        while (!bucket.isWhole()) {
            ct.pause();
            bucket.read(pointer, index, ct);
        }
        for (int depth = reached; depth < bucket.depth(); depth++) {
            long child = index | 1L << depth;
            if (depth == bucket.depth() - 1) {
                directory.learn(child, bucket.sibling());
            }
            push(child, depth + 1);
        }
        buckets++;
        return true;
    }

    /** Whether the slot of the bucket holds an entry of the bucket, and not one that has moved. */
    boolean isEntry(int i) {
        long slot = bucket.slot(i);
        return !MapWords.isRemoved(slot) && (!MapWords.isFrozen(slot) || MapWords.isFrozenAt(slot, bucket.depth()));
    }

    /** The number of buckets that were READ since {@link #start}. */
    long buckets() {
        return buckets;
    }
}
