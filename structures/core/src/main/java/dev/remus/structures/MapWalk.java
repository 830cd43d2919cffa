// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

/**
 * A way through all buckets of a hash map, in which each hash belongs to exactly one bucket at the moment that its
 * bucket is READ, whatever splits meanwhile. Each bucket names the next one, and a split inserts the new bucket between
 * the two: so the next one begins where the hashes of this one ended when it was READ.
 */
final class MapWalk {
    private final MapDirectory directory;
    private final MapBucket bucket;
    private boolean isAtStart;

    /** Makes one that READs into a bucket. During the walk that may be READ again, but must not be used otherwise. */
    MapWalk(MapDirectory directory, MapBucket bucket) {
        this.directory = directory;
        this.bucket = bucket;
    }

    void start() {
        isAtStart = true;
    }

    /**
     * READs the next bucket, with the entries of one moment; returns false if there is none. One round trip, more while
     * it is split, or if entries are removed meanwhile.
     */
    boolean next(ComputeThread ct) {
        long index = isAtStart ? 0 : bucket.nextIndex();
        long pointer = isAtStart ? directory.find(0) : bucket.next();
        if (pointer == RdmaPtr.NULL) {
            return false;
        }
        isAtStart = false;
        directory.learn(index, pointer);
        bucket.readTwice(pointer, index, ct);
        while (!bucket.isSteady()) {
            ct.pause();
            bucket.readTwice(pointer, index, ct);
        }
        return true;
    }
}
