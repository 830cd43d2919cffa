package @PACKAGE@;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteArray;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import java.util.OptionalLong;

/**
 * A map from numbers to numbers in remote memory, of fixed size: a hash table without locks.
 *
 * <p>A key belongs to one bucket, and in that to the first cell that no other key has. It keeps the cell for ever, also
 * when it is removed: then the cell has no value. 0 is neither a key nor a value.
 *
 * <p><b>Promises.</b> Linearizable. {@link #get} is wait-free; {@link #put} and {@link #remove} are lock-free.
 * <b>Linearization points.</b> Of a change: the swap of the value. Of a call that changes nothing: its READ of the
 * value, or the moment at which it reads the first empty cell if the key has none; there is no key behind that.
 * <b>Death.</b> A thread that dies blocks no other. At most, it leaves a key without a value, which counts as missing.
 * <b>Round trips.</b> Get 1; put 2, or 3 for a new key; remove 2, or 1 if the key is missing; 1 more whenever another
 * thread swaps first. A put of the value that is there takes 1.
 */
public final class @CLASS@ {
    private static final int CELLS = 16; // in a bucket, which is READ as a whole: 256 bytes
    private static final long NONE = 0;

    /** A bucket in remote memory; an object of this class is a view of it. */
    static final class Bucket extends RemoteRecord {
        final RemoteLongArray keys = longArrayField(CELLS); // each changes once, from NONE
        final RemoteLongArray values = longArrayField(CELLS);
    }

    private final RemoteArray This; // data is distributed ...
    private final Bucket bucket = new Bucket(); // ... code is replicated: each thread has its own handle and view

    /**
     * Creates an empty map in remote memory: "New". One thread calls it once, and shares the pointer.
     *
     * @param buckets at least one for each four keys that are ever put, so that it is unlikely that one gets full
     */
    public static RdmaPtr<RemoteArray> create(int buckets, ComputeThread ct) {
        Bucket bucket = new Bucket();
        RemoteArray array = RemoteArray.allocate(buckets, bucket.bytes(), ct);
        for (int i = 0; i < buckets; i++) {
            bucket.at(array.pointer(i));
            for (int cell = 0; cell < CELLS; cell++) {
                bucket.keys.stage(cell, NONE, ct);
                bucket.values.stage(cell, NONE, ct);
            }
            bucket.storeStaged(ct); // no other thread can reach it yet
        }
        return array.block();
    }

    /** Creates this thread's handle: "new". */
    public @CLASS@(RdmaPtr<RemoteArray> This, ComputeThread ct) {
        this.This = RemoteArray.open(This, bucket.bytes(), ct);
    }

    /** The value of a key; empty if the map does not have the key. */
    public OptionalLong get(long key, ComputeThread ct) {
        int cell = find(key, ct);
        return cell < 0 ? OptionalLong.empty() : optional(bucket.values.fetched(cell));
    }

    /**
     * Sets the value of a key; returns the one before.
     *
     * @throws IllegalStateException if the key's bucket is full of other keys
     */
    public OptionalLong put(long key, long value, ComputeThread ct) {
        if (value == NONE) {
            throw new IllegalArgumentException(NONE + " is no value");
        }
        int cell = find(key, ct);
        return swap(cell < 0 ? claim(~cell, key, ct) : cell, value, ct);
    }

    /** Removes a key; returns its value, or empty if it was missing. */
    public OptionalLong remove(long key, ComputeThread ct) {
        int cell = find(key, ct);
        return cell < 0 ? OptionalLong.empty() : swap(cell, NONE, ct);
    }

    /** Fetches the bucket of a key; returns its cell, or if it has none, ~ of the first cell without a key. */
    private int find(long key, ComputeThread ct) {
        if (key == NONE) {
            throw new IllegalArgumentException(NONE + " is no key");
        }
        long hash = key * 0x9E37_79B9_7F4A_7C15L >>> 33;
        bucket.at(This.pointer((int) (hash % This.length())));
        bucket.fetch(ct); // all cells in one round trip; each word is of a moment of its own
        for (int cell = 0; cell < CELLS; cell++) {
            long found = bucket.keys.fetched(cell);
            if (found == key) {
                return cell;
            }
            if (found == NONE) {
                return ~cell;
            }
        }
        return ~CELLS;
    }

    /** Takes the first cell for a key that no other key has: another thread may take it first, for this key too. */
    private int claim(int from, long key, ComputeThread ct) {
        for (int cell = from; cell < CELLS; cell++) {
            long found = bucket.keys.compareAndExchange(cell, NONE, key, ct);
            if (found == NONE || found == key) {
                return cell;
            }
        }
        throw new IllegalStateException("the bucket of key " + key + " is full: create more buckets");
    }

    /** Swaps the value of a cell in the fetched bucket; returns the old one. */
    private OptionalLong swap(int cell, long value, ComputeThread ct) {
        long seen = bucket.values.fetched(cell);
        while (seen != value) {
            long found = bucket.values.compareAndExchange(cell, seen, value, ct);
            if (found == seen) {
                break;
            }
            seen = found; // another thread was faster
        }
        return optional(seen);
    }

    private static OptionalLong optional(long value) {
        return value == NONE ? OptionalLong.empty() : OptionalLong.of(value);
    }
}
