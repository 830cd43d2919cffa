package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where the buckets of a hash map are, as one handle has learned it. A bucket never moves and keeps its index, so what
 * was learned stays true; only buckets that are new since then are missing.
 *
 * <pre>
 *   the bucket of a hash that ends with ...10110, if bucket 0 has been split four times:
 *
 *   00000 --- depth 1: is bit 0 set? --- depth 2: is bit 1 set? yes ---> 00010 --- ... bit 2? yes ---> 00110 ...
 * </pre>
 *
 * <p>Index {@code i} is that of the entries whose hashes end with the bits of {@code i}, as many as the bucket is deep.
 * The split of bucket {@code i} at depth {@code d} makes bucket {@code i + 2^d}. So a hash that a bucket has lost is
 * found in the one that took it: their indices differ in the lowest bit in which the hash differs from the bucket's
 * index.
 */
final class MapDirectory {
    private static final int CHUNK_WORDS = 1 << 12;

    private final MapTable This;
    private final long[] levels = new long[MapWords.MAX_DEPTH + 1];
    private long[] buckets = new long[1];
    private long found;
    private @Nullable LocalBuffer zeros;

    /** READs the whole directory. */
    MapDirectory(MapTable This, ComputeThread ct) {
        this.This = This;
        buckets[0] = This.first();
        int deepest = 0;
        for (int level = 1; level < levels.length; level++) {
            levels[level] = This.levels.fetched(level);
            deepest = levels[level] == RdmaPtr.NULL ? deepest : level;
        }
        if (deepest > 0) {
            LocalBuffer chunk = ct.allocateLocal((long) Long.BYTES * Math.min(words(deepest), CHUNK_WORDS));
            for (int level = 1; level <= deepest; level++) {
                if (levels[level] != RdmaPtr.NULL) {
                    load(level, chunk, ct);
                }
            }
        }
    }

    private static long words(int level) {
        return 1L << level - 1;
    }

    private void load(int level, LocalBuffer chunk, ComputeThread ct) {
        for (long start = 0; start < words(level); start += CHUNK_WORDS) {
            int count = (int) Math.min(words(level) - start, CHUNK_WORDS);
            ct.read(levels[level] + Long.BYTES * start, chunk, 0, Long.BYTES * count);
            for (int i = 0; i < count; i++) {
                long bucket = chunk.getLong((long) Long.BYTES * i);
                if (bucket != RdmaPtr.NULL) {
                    learn(words(level) + start + i, bucket);
                }
            }
        }
    }

    // ------------------------------------------------------------------------------------------------ finding

    /** The bucket of the keys of a hash, or one that had them once. Its index is then {@link #index}. */
    long find(long hash) {
        int i = (int) hash & buckets.length - 1;
        while (buckets[i] == RdmaPtr.NULL) {
            i &= ~Integer.highestOneBit(i);
        }
        found = i;
        return buckets[i];
    }

    /** The index of the bucket that {@link #find} returned. */
    long index() {
        return found;
    }

    /** Learns where a hash has gone that a bucket no longer {@linkplain MapBucket#owns owns}. No or one round trip. */
    void follow(MapBucket bucket, long hash, ComputeThread ct) {
        int bit = Long.numberOfTrailingZeros(hash ^ bucket.index());
        long index = hash & (2L << bit) - 1;
        learn(index, bit == bucket.depth() - 1 ? bucket.sibling() : loadEntry(index, ct));
    }

    /** The bucket of an index that is known to be there. No or one round trip. */
    long pointer(long index, ComputeThread ct) {
        if (index >= buckets.length || buckets[(int) index] == RdmaPtr.NULL) {
            learn(index, loadEntry(index, ct));
        }
        return buckets[(int) index];
    }

    /** READs an entry of the directory that is known to be there. */
    private long loadEntry(long index, ComputeThread ct) {
        return ct.read(entry(index, ct));
    }

    /** Remembers a bucket. */
    void learn(long index, long bucket) {
        if (index >= buckets.length) {
            buckets = Arrays.copyOf(buckets, 2 * (int) Long.highestOneBit(index));
        }
        buckets[(int) index] = bucket;
    }

    private long entry(long index, ComputeThread ct) {
        int level = Long.SIZE - Long.numberOfLeadingZeros(index);
        if (levels[level] == RdmaPtr.NULL) {
            levels[level] = This.levels.load(level, ct);
        }
        return levels[level] + Long.BYTES * (index - words(level));
    }

    // ------------------------------------------------------------------------------------------------ growing

    /** Enters a bucket, and returns when the entry is placed. All threads that enter it enter the same. */
    void enter(long index, long bucket, ComputeThread ct) {
        learn(index, bucket);
        int level = Long.SIZE - Long.numberOfLeadingZeros(index);
        if (levels[level] == RdmaPtr.NULL) {
            levels[level] = This.levels.load(level, ct);
            if (levels[level] == RdmaPtr.NULL) {
                levels[level] = newLevel(level, ct);
            }
        }
        ct.write(entry(index, ct), bucket);
    }

    private long newLevel(int level, ComputeThread ct) {
        long bytes = Long.BYTES * words(level);
        long block = ct.allocate(bytes);
        fillWithZeros(block, bytes, ct);
        long found = This.levels.compareAndExchange(level, RdmaPtr.NULL, block, ct);
        if (found != RdmaPtr.NULL) {
            ct.schedReclaim(block, bytes);
            return found;
        }
        return block;
    }

    private void fillWithZeros(long block, long bytes, ComputeThread ct) {
        LocalBuffer source = zeros;
        int chunk = (int) Math.min(bytes, (long) Long.BYTES * CHUNK_WORDS);
        if (source == null || source.bytes() < chunk) {
            source = ct.allocateLocal(chunk);
            zeros = source;
        }
        Sequence sequence = ct.sequence();
        int count = 0;
        for (long at = 0; at < bytes; at += chunk) {
            if (count == Sequence.capacity()) {
                sequence.execute();
                sequence = ct.sequence();
                count = 0;
            }
            sequence.write(block + at, source, 0, chunk);
            count++;
        }
        sequence.execute();
    }

    /** Gives the levels back. */
    void destroy(ComputeThread ct) {
        for (int level = 1; level < levels.length; level++) {
            long block = This.levels.load(level, ct);
            if (block != RdmaPtr.NULL) {
                ct.free(block, Long.BYTES * words(level));
            }
        }
    }
}
