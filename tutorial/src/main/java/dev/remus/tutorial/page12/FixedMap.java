// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page12;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLongArray;

/** A hash map with a fixed number of buckets, each of which has a list of its own. */
public final class FixedMap extends EntryMap {
    // #region fixed
    private final RemoteLongArray This; // pointers to the markers of all buckets
    private final long[] markers; // the same pointers, which never change

    /** Makes an empty map in remote memory, with that many buckets, a power of two. */
    public static RdmaPtr<RemoteLongArray> create(int buckets, ComputeThread ct) {
        RemoteLongArray table = RemoteLongArray.allocate(buckets, ct);
        for (int bucket = 0; bucket < buckets; bucket++) {
            table.post(bucket, newMarker(ct), ct);
        }
        ct.place();
        return table.block();
    }

    /** Makes a thread's own handle to a map. */
    public FixedMap(RdmaPtr<RemoteLongArray> This, ComputeThread ct) {
        this.This = RemoteLongArray.open(This, ct);
        markers = new long[this.This.length()];
        for (int bucket = 0; bucket < markers.length; bucket++) {
            markers[bucket] = this.This.load(bucket, ct);
        }
    }

    @Override
    long order(int key) {
        return Integer.toUnsignedLong(hash(key)) + 1; // above that of a marker
    }

    @Override
    boolean find(int key, ComputeThread ct) {
        return locate(markers[hash(key) & markers.length - 1], order(key), ct);
    }
    // #endregion fixed

    /** Gives all memory back, while no other thread uses the map. */
    public void destroy(ComputeThread ct) {
        for (long marker : markers) {
            freeList(marker, ct);
        }
        This.free(ct);
    }
}
