// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Drawing;
import dev.remus.record.DrawnRecord;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;

/**
 * A view of what all handles of a {@link RemoteHashMap} or a {@link LongLongMap} share.
 *
 * <pre>
 *   This (one block)                                         changed by
 *  +------------------------------------------------------+
 *  | kind | slots of a bucket | mask of hashes | stamp    | no thread
 *  +------------------------------------------------------+
 *  | sections[705]: the directory, as MapSections divides | COMPARE_AND_SWAP, each once
 *  +------------------------------------------------------+
 *
 *   a section: 64 words or more, zeros at first              WRITE, by threads that split a bucket or complete
 *  +------------------------------------------------------+  its split, all of the same value
 *  | bucket i | bucket i + 1 | ...                        |
 *  +------------------------------------------------------+
 * </pre>
 */
public final class MapTable extends RemoteRecord implements DrawnRecord {
    private static final long KIND = 0x7061_6d68_7361_6872L; // "rhashmap"

    private final RemoteLong kind = longField();
    private final RemoteLong slots = immutable(longField());
    private final RemoteLong hashMask = immutable(longField());
    private final RemoteLong stamp = immutable(longField());
    final RemoteLongArray sections = atomic(longArrayField(MapSections.COUNT));

    private int bucketSlots;

    private MapTable() {}

    /** Draws the directory, the buckets and the entries, from link to link. */
    @Override
    public void draw(Drawing drawing) {
        drawing.link(sections, section -> section, section -> new DrawnMap.Section(bucketSlots));
    }

    /** Makes an empty table with one bucket. */
    static RdmaPtr<MapTable> create(MapShape shape, ComputeThread ct) {
        MapBucket bucket = new MapBucket(shape.slots(), ct);
        long first = ct.allocate(bucket.bytes());
        bucket.stageEmpty(0, RdmaPtr.NULL);
        ct.write(first, bucket.staged(), MapBucket.stagedOffset(), bucket.bytes());
        long section = createFirstSection(first, ct);
        MapTable table = new MapTable();
        table.allocate(ct);
        table.bucketSlots = shape.slots();
        table.kind.stage(KIND, ct);
        table.slots.stage(shape.slots(), ct);
        table.hashMask.stage(shape.hashMask(), ct);
        table.stamp.stage(ct.random().nextLong(), ct);
        for (int i = 0; i < MapSections.COUNT; i++) {
            table.sections.stage(i, i == 0 ? section : RdmaPtr.NULL, ct);
        }
        table.storeStaged(ct);
        return new RdmaPtr<>(table.pointer());
    }

    private static long createFirstSection(long bucket, ComputeThread ct) {
        int bytes = Long.BYTES * (int) MapSections.entries(0);
        long section = ct.allocate(bytes);
        LocalBuffer content = ct.allocateLocal(bytes);
        content.putLong(0, bucket);
        ct.write(section, content, 0, bytes);
        return section;
    }

    /**
     * A view of a table that {@link #create} made, fetched.
     *
     * @throws IllegalArgumentException if there is none
     */
    static MapTable open(RdmaPtr<MapTable> pointer, ComputeThread ct) {
        MapTable table = new MapTable();
        table.at(pointer);
        table.fetch(ct);
        if (table.kind.fetched() != KIND) {
            throw new IllegalArgumentException("there is no hash map at (" + RdmaPtr.toString(pointer.raw()) + ")");
        }
        table.bucketSlots = (int) table.slots.fetched();
        return table;
    }

    int slots() {
        return bucketSlots;
    }

    long hashMask() {
        return hashMask.fetched();
    }

    /** A random number, which tells this map from others that have had the same memory. */
    long stamp() {
        return stamp.fetched();
    }

    /** Gives the table itself back. */
    void destroy(ComputeThread ct) {
        kind.store(0, ct);
        free(ct);
    }
}
