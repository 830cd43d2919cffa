// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page12;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A hash map that grows without moving an entry: one sorted list, and a table of shortcuts into it. The algorithm is
 * that of Shalev and Shavit, "Split-Ordered Lists: Lock-Free Extensible Hash Tables", JACM 2006.
 */
public final class GrowingMap extends EntryMap {
    private static final int ROWS = 17; // for up to 2^16 buckets
    private static final int WALKS = 8;
    private static final int FAR = 2;

    // #region shared
    /** The data that all handles share. */
    public static final class Shared extends RemoteRecord {
        private final RemoteRef<Node> head = refField(); // the marker of bucket 0
        private final RemoteLong buckets = longField(); // how many there are, a power of two
        private final RemoteLong most = longField();
        private final RemoteLongArray rows = longArrayField(ROWS); // the table, see row
    }

    private final Shared This = new Shared();
    // #endregion shared

    // #region known
    private int buckets; // there were so many when this handle last looked
    private long[] known; // the markers that this handle has used
    private final @Nullable RemoteLongArray[] rows = new RemoteLongArray[ROWS];
    private int walks;
    private int steps;
    // #endregion known

    // #region create
    /**
     * Makes an empty map in remote memory.
     *
     * @param first the number of buckets to begin with
     * @param most the number to which it may grow; both are powers of two, and at most 2^16
     */
    public static RdmaPtr<Shared> create(int first, int most, ComputeThread ct) {
        Shared shared = new Shared();
        shared.allocate(ct);
        for (int row = 0; row < ROWS; row++) {
            RdmaPtr<RemoteLongArray> links = firstBucket(row) < first ? newRow(row, ct) : new RdmaPtr<>(RdmaPtr.NULL);
            shared.rows.post(row, links.raw(), ct);
        }
        shared.head.post(newMarker(ct), ct);
        shared.buckets.post(first, ct);
        shared.most.post(most, ct);
        ct.place();
        return new RdmaPtr<>(shared.pointer());
    }

    /** Makes a thread's own handle to a map. */
    public GrowingMap(RdmaPtr<Shared> This, ComputeThread ct) {
        this.This.at(This);
        buckets = (int) this.This.buckets.load(ct);
        known = new long[buckets];
        known[0] = this.This.head.load(ct);
    }
    // #endregion create

    // #region order
    /** The bits of a hash in reverse, as 33 bits: odd for entries, even for markers. */
    @Override
    long order(int key) {
        return Integer.toUnsignedLong(Integer.reverse(hash(key))) << 1 | 1;
    }

    private static long markerOrder(int bucket) {
        return Integer.toUnsignedLong(Integer.reverse(bucket)) << 1;
    }
    // #endregion order

    // #region find
    @Override
    boolean find(int key, ComputeThread ct) {
        boolean found = locate(marker(hash(key) & buckets - 1, ct), order(key), ct);
        steps += passed;
        if (++walks == WALKS) {
            boolean far = steps > FAR * WALKS;
            walks = 0;
            steps = 0;
            if (far) {
                grow(ct);
            }
        }
        return found;
    }
    // #endregion find

    // #region marker
    /** The marker at which a bucket begins; makes it when the bucket is first used. */
    private long marker(int bucket, ComputeThread ct) {
        if (known[bucket] == RdmaPtr.NULL) {
            int row = Integer.SIZE - Integer.numberOfLeadingZeros(bucket);
            int parent = bucket - firstBucket(row);
            RemoteLongArray links = row(row, ct);
            long marker = links.load(parent, ct);
            if (marker == RdmaPtr.NULL) {
                marker = insertMarker(marker(parent, ct), markerOrder(bucket), ct);
                links.store(parent, marker, ct);
            }
            known[bucket] = marker;
        }
        return known[bucket];
    }

    /** Inserts a marker, unless another thread does; returns the one that is there then. */
    private long insertMarker(long from, long order, ComputeThread ct) {
        while (!locate(from, order, ct)) {
            if (link(order, 0, ct)) {
                return fresh.pointer();
            }
        }
        return curr.pointer();
    }
    // #endregion marker

    // #region rows
    /** The first bucket of a row of the table: 0, 1, 2, 4, 8 and so on. */
    private static int firstBucket(int row) {
        return row == 0 ? 0 : 1 << row - 1;
    }

    /** The links to the markers of a row: as many as all rows before it have together. */
    private RemoteLongArray row(int row, ComputeThread ct) {
        RemoteLongArray links = rows[row];
        if (links == null) {
            links = RemoteLongArray.open(new RdmaPtr<>(This.rows.load(row, ct)), ct);
            rows[row] = links;
        }
        return links;
    }

    private static RdmaPtr<RemoteLongArray> newRow(int row, ComputeThread ct) {
        RemoteLongArray links = RemoteLongArray.allocate(Math.max(1, firstBucket(row)), ct);
        for (int i = 0; i < links.length(); i++) {
            links.post(i, RdmaPtr.NULL, ct);
        }
        ct.place();
        return links.block();
    }
    // #endregion rows

    // #region grow
    /** Learns how many buckets there are; if there are no more than it knew, doubles them. */
    private void grow(ComputeThread ct) {
        int now = (int) This.buckets.load(ct);
        if (now == buckets && now < This.most.load(ct)) {
            int row = Integer.SIZE - Integer.numberOfLeadingZeros(now);
            RdmaPtr<RemoteLongArray> links = newRow(row, ct);
            if (!This.rows.compareAndSet(row, RdmaPtr.NULL, links.raw(), ct)) {
                RemoteLongArray.open(links, ct).free(ct);
            }
            This.buckets.compareAndSet(now, 2L * now, ct);
            now = 2 * now;
        }
        buckets = now;
        known = Arrays.copyOf(known, now);
    }
    // #endregion grow

    // #region alone
    /** Counts the entries while no other thread uses the map, and checks their order. */
    public long checkedSize(ComputeThread ct) {
        long size = 0;
        long before = -1;
        curr.at(This.head.load(ct));
        while (!curr.isAt(RdmaPtr.NULL)) {
            curr.fetch(ct);
            if (!RdmaPtr.isMarked(curr.next.fetched())) {
                long order = curr.order.fetched();
                if (order <= before) {
                    throw new IllegalStateException(curr + ": its order is not above that of the node before");
                }
                before = order;
                size += order & 1; // odd for entries
            }
            curr.at(RdmaPtr.unmarked(curr.next.fetched()));
        }
        return size;
    }

    /** Gives all memory back, while no other thread uses the map. */
    public void destroy(ComputeThread ct) {
        freeList(This.head.load(ct), ct);
        for (int row = 0; row < ROWS; row++) {
            long links = This.rows.load(row, ct);
            if (links != RdmaPtr.NULL) {
                RemoteLongArray.open(new RdmaPtr<>(links), ct).free(ct);
            }
        }
        This.free(ct);
    }
    // #endregion alone
}
