// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.NodeObjects;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of a hash map that the threads of a node know, and the sections of its remote directory. So once a thread
 * has learned of a bucket, each of them finds its keys without a detour.
 *
 * <pre>
 *   levels: one for each number of bits of an index      chunks, made when they are first needed
 *  +---+---+---+---+--   --+----+    +----+----+--       +------------------------------------+
 *  | 0 | 1 | 2 | 3 |  ...  | 28 | -> |    |    | ... --> | bucket i | bucket i + 1 | ... 4096 |
 *  +---+---+---+---+--   --+----+    +----+----+--       +------------------------------------+
 * </pre>
 *
 * <p>So nothing is copied while the map grows, and a bucket that is much deeper than the others takes one chunk.
 *
 * <p>Threads need no lock, since each word changes once, from 0 to a pointer that stays true until the map is
 * destroyed, and all threads that set it set the same. A thread that still sees 0 takes a round trip or two more, as if
 * it had been alone.
 *
 * <p>A thread sets a word after it has found the pointer in remote memory, or published it there. By then a completion
 * has confirmed that the bucket or section is placed, so every READ that is posted later returns it, over RDMA too.
 * Words and arrays are set with release semantics and read with acquire semantics. So a thread that sees the pointer
 * posts its READ after that, and over shared memory, where READs are loads, it sees all that was placed.
 */
final class KnownBuckets {
    private static final int CHUNK_SHIFT = 12;
    private static final int CHUNK = 1 << CHUNK_SHIFT;
    private static final VarHandle LEVELS = MethodHandles.arrayElementVarHandle(long[][][].class);
    private static final VarHandle CHUNKS = MethodHandles.arrayElementVarHandle(long[][].class);
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private final long stamp;
    private final long[][][] levels = new long[MapWords.MAX_DEPTH + 1][][];
    private final long[] sections = new long[MapSections.COUNT];

    private final AtomicInteger size = new AtomicInteger(1);
    private final AtomicInteger count = new AtomicInteger();
    private volatile boolean isLoaded;

    /** The address of a map, which another one may have after it was destroyed. */
    private record Key(long map) {}

    /** What is known of the latest map at an address. */
    private static final class Latest {
        private @Nullable KnownBuckets known;

        synchronized KnownBuckets of(long stamp) {
            KnownBuckets latest = known;
            if (latest == null || latest.stamp != stamp) {
                latest = new KnownBuckets(stamp);
                known = latest;
            }
            return latest;
        }
    }

    private KnownBuckets(long stamp) {
        this.stamp = stamp;
    }

    /** Makes one for a single handle. */
    static KnownBuckets ofOneHandle() {
        return new KnownBuckets(0);
    }

    /** The one that all threads of a node share for a map. */
    static KnownBuckets ofNode(MapTable map, ComputeThread ct) {
        return NodeObjects.of(ct, new Key(map.pointer()), Latest.class, Latest::new)
                .of(map.stamp());
    }

    /** Whether a thread has READ the remote directory into it. */
    boolean isLoaded() {
        return isLoaded;
    }

    void setLoaded() {
        isLoaded = true;
    }

    /** A power of two above all indices that are known. */
    int size() {
        return size.get();
    }

    /** The bucket of an index; null if it is unknown. */
    long bucket(int index) {
        long[][] level = (long[][]) LEVELS.getAcquire(levels, level(index));
        long[] chunk = level == null ? null : (long[]) CHUNKS.getAcquire(level, place(index) >>> CHUNK_SHIFT);
        return chunk == null ? RdmaPtr.NULL : (long) WORD.getAcquire(chunk, place(index) & CHUNK - 1);
    }

    private static int level(int index) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(index);
    }

    /** The place of an index in its level. */
    private static int place(int index) {
        return index ^ Integer.highestOneBit(index);
    }

    /** Remembers a bucket. */
    void learn(int index, long bucket) {
        if (bucket(index) == RdmaPtr.NULL
                && WORD.compareAndSet(madeChunk(index), place(index) & CHUNK - 1, RdmaPtr.NULL, bucket)) {
            count.incrementAndGet();
        }
        if (index >= size.get()) {
            size.accumulateAndGet(2 * Integer.highestOneBit(index), Math::max);
        }
    }

    private long[] madeChunk(int index) {
        int entries = Math.max(1, Integer.highestOneBit(index)); // of the level
        long[][] level = (long[][]) LEVELS.getAcquire(levels, level(index));
        if (level == null) {
            long[][] fresh = new long[Math.max(1, entries >>> CHUNK_SHIFT)][];
            long[][] other = (long[][]) LEVELS.compareAndExchange(levels, level(index), (long[][]) null, fresh);
            level = other == null ? fresh : other;
        }
        int number = place(index) >>> CHUNK_SHIFT;
        long[] chunk = (long[]) CHUNKS.getAcquire(level, number);
        if (chunk == null) {
            long[] fresh = new long[Math.min(entries, CHUNK)];
            long[] other = (long[]) CHUNKS.compareAndExchange(level, number, (long[]) null, fresh);
            chunk = other == null ? fresh : other;
        }
        return chunk;
    }

    /** The number of buckets that are known. */
    int count() {
        return count.get();
    }

    /** A section of the remote directory; null if it is unknown. */
    long section(int section) {
        return (long) WORD.getAcquire(sections, section);
    }

    /** Remembers a section; null changes nothing. */
    void learnSection(int section, long pointer) {
        WORD.compareAndSet(sections, section, RdmaPtr.NULL, pointer);
    }

    /** Gives local memory back after the map was destroyed. */
    void forget() {
        Arrays.fill(levels, null);
    }
}
