package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;

/**
 * A view of what all handles of a {@link RemoteHashMap} or a {@link LongLongMap} share.
 *
 * <pre>
 *   This (one block)                                         changed by
 *  +------------------------------------------------------+
 *  | kind | slots of a bucket | mask of hashes | bucket 0 | no thread
 *  +------------------------------------------------------+
 *  | levels[29]: the directory                            | COMPARE_AND_SWAP, each once
 *  +------------------------------------------------------+
 *
 *   level k: 2^(k-1) words, zeros at first                   WRITE, by threads that split a bucket at depth k-1,
 *  +------------------------------------------------------+  all of the same value
 *  | bucket 2^(k-1) | bucket 2^(k-1) + 1 | ...            |
 *  +------------------------------------------------------+
 * </pre>
 */
public final class MapTable extends RemoteRecord {
    private static final long KIND = 0x7061_6d68_7361_6872L; // "rhashmap"

    private final RemoteLong kind = longField();
    private final RemoteLong slots = immutable(longField());
    private final RemoteLong hashMask = immutable(longField());
    private final RemoteLong first = immutable(longField());
    final RemoteLongArray levels = atomic(longArrayField(MapWords.MAX_DEPTH + 1));

    private MapTable() {}

    /** Makes an empty table with one bucket. */
    static RdmaPtr<MapTable> create(MapShape shape, ComputeThread ct) {
        MapBucket bucket = new MapBucket(shape.slots(), ct);
        long first = ct.allocate(bucket.bytes());
        bucket.stageEmpty(0);
        ct.write(first, bucket.staged(), MapBucket.stagedOffset(), bucket.bytes());
        MapTable table = new MapTable();
        table.allocate(ct);
        table.kind.stage(KIND, ct);
        table.slots.stage(shape.slots(), ct);
        table.hashMask.stage(shape.hashMask(), ct);
        table.first.stage(first, ct);
        for (int level = 0; level < table.levels.length(); level++) {
            table.levels.stage(level, RdmaPtr.NULL, ct);
        }
        table.storeStaged(ct);
        return new RdmaPtr<>(table.pointer());
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
        return table;
    }

    int slots() {
        return (int) slots.fetched();
    }

    long hashMask() {
        return hashMask.fetched();
    }

    /** The bucket that all keys had at first. */
    long first() {
        return first.fetched();
    }

    /** Gives the table itself back. */
    void destroy(ComputeThread ct) {
        kind.store(0, ct);
        free(ct);
    }
}
