// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import org.jspecify.annotations.Nullable;

/**
 * Where the buckets of a hash map are, as the threads of a node have learned it. A bucket never moves and keeps its
 * index, so what was learned stays true; only buckets that are new since then are missing.
 *
 * <pre>
 *   the bucket of a hash that ends with ...10110, if bucket 0 has been split four times:
 *
 *   00000 --- depth 1: is bit 0 set? --- depth 2: is bit 1 set? yes ---> 00010 --- ... bit 2? yes ---> 00110 ...
 * </pre>
 *
 * <p>Index {@code i} is that of the entries whose hashes end with the bits of {@code i}, as many as the bucket is deep.
 * The split of bucket {@code i} at depth {@code d} makes bucket {@code i + 2^d}. So a hash that a bucket has lost is
 * found in the one that took it, or in one that was split off since: their indices differ in the lowest bit in which
 * the hash differs from the bucket's index.
 *
 * <p>The directory in remote memory is a hint for handles that are new or have missed several splits. An entry may be
 * missing there, and is never wrong. Each bucket names the {@linkplain MapBucket#next next} one, which suffices to find
 * every key.
 */
final class MapDirectory {
    private static final int CHUNK = 1 << 12;

    /** Of the buckets that are known, the part up to which a handle makes a section. */
    private static final int PART_OF_KNOWN = 16;

    private final MapTable This;
    private final KnownBuckets known;

    private long foundIndex;

    /** The index of a bucket that is not yet in the remote directory, since its section is unknown; 0 for none. */
    private long pending;

    private @Nullable LocalBuffer zeros;

    /** Learns from the whole remote directory, unless that has been done for all who share what is known. */
    MapDirectory(MapTable This, KnownBuckets known, ComputeThread ct) {
        this.This = This;
        this.known = known;
        if (!known.isLoaded()) {
            load(ct);
            known.setLoaded();
        }
    }

    private void load(ComputeThread ct) {
        LocalBuffer chunk = ct.allocateLocal((long) Long.BYTES * MapSections.entries(0));
        for (int section = 0; section < MapSections.COUNT; section++) {
            long pointer = This.sections.fetched(section);
            if (pointer != RdmaPtr.NULL) {
                known.learnSection(section, pointer);
                long entries = Math.min(MapSections.entries(section), CHUNK);
                if (chunk.bytes() < Long.BYTES * entries) {
                    chunk = ct.allocateLocal(Long.BYTES * entries);
                }
                load(section, chunk, ct);
            }
        }
    }

    private void load(int section, LocalBuffer chunk, ComputeThread ct) {
        long entries = MapSections.entries(section);
        for (long start = 0; start < entries; start += CHUNK) {
            int count = (int) Math.min(entries - start, CHUNK);
            ct.read(known.section(section) + Long.BYTES * start, chunk, 0, Long.BYTES * count);
            for (int i = 0; i < count; i++) {
                long bucket = chunk.getLong((long) Long.BYTES * i);
                if (bucket != RdmaPtr.NULL) {
                    known.learn((int) (MapSections.first(section) + start + i), bucket);
                }
            }
        }
    }

    // ------------------------------------------------------------------------------------------------ finding

    /** The bucket of the keys of a hash, or one that had them once. Its index is then {@link #index}. */
    long find(long hash) {
        int i = (int) hash & known.size() - 1;
        long bucket = known.bucket(i);
        while (bucket == RdmaPtr.NULL && i != 0) {
            i &= ~Integer.highestOneBit(i);
            bucket = known.bucket(i);
        }
        foundIndex = i;
        return bucket;
    }

    /** The index of the bucket that {@link #find} or {@link #follow} returned. */
    long index() {
        return foundIndex;
    }

    /**
     * The bucket where to look for a hash that a bucket no longer {@linkplain MapBucket#owns owns}. No round trip if it
     * was lost in the bucket's last split, else one or two.
     */
    long follow(MapBucket bucket, long hash, ComputeThread ct) {
        int bit = Long.numberOfTrailingZeros(hash ^ bucket.index());
        foundIndex = hash & (2L << bit) - 1;
        long found = bit == bucket.depth() - 1 ? RdmaPtr.NULL : hint(foundIndex, ct);
        if (found == RdmaPtr.NULL) {
            foundIndex = bucket.nextIndex();
            found = bucket.next();
        }
        learn(foundIndex, found);
        return found;
    }

    /** READs an entry of the remote directory; null if it is missing. */
    private long hint(long index, ComputeThread ct) {
        int section = MapSections.of(index);
        return section(section, ct) == RdmaPtr.NULL ? RdmaPtr.NULL : ct.read(entry(index));
    }

    /** A section of the remote directory; null if it has not been made. One round trip if it is unknown. */
    private long section(int section, ComputeThread ct) {
        long pointer = known.section(section);
        if (pointer == RdmaPtr.NULL) {
            pointer = This.sections.load(section, ct);
            known.learnSection(section, pointer);
        }
        return pointer;
    }

    /** The place of an entry in the remote directory, whose section is known. */
    private long entry(long index) {
        return known.section(MapSections.of(index)) + Long.BYTES * MapSections.place(index);
    }

    /** Remembers a bucket. */
    void learn(long index, long bucket) {
        known.learn((int) index, bucket);
    }

    // ------------------------------------------------------------------------------------------------ growing

    /**
     * Learns a new bucket, and enters it in the remote directory. All threads that enter it enter the same. No round
     * trip: the WRITE is posted, and if it must wait for its section to be made, {@link #enterPending} does it later.
     */
    void enter(long index, long bucket, ComputeThread ct) {
        learn(index, bucket);
        if (known.section(MapSections.of(index)) == RdmaPtr.NULL) {
            pending = index;
        } else {
            ct.post(entry(index), bucket);
        }
    }

    /** Enters what is pending. No round trip if nothing is; else one, or four to make a section. */
    void enterPending(ComputeThread ct) {
        if (pending != 0) {
            long index = pending;
            pending = 0;
            int section = MapSections.of(index);
            if (section(section, ct) == RdmaPtr.NULL && isWorthwhile(section)) {
                known.learnSection(section, make(section, ct));
            }
            if (known.section(section) != RdmaPtr.NULL) {
                ct.post(entry(index), known.bucket((int) index));
            }
        }
    }

    /** Not for a few buckets that are much deeper than the others, as those of few slots may be by chance. */
    private boolean isWorthwhile(int section) {
        return MapSections.entries(section) <= Math.max(MapSections.entries(0), known.count() / PART_OF_KNOWN);
    }

    private long make(int section, ComputeThread ct) {
        long bytes = Long.BYTES * MapSections.entries(section);
        long block = ct.allocate(bytes);
        fillWithZeros(block, bytes, ct);
        long before = This.sections.compareAndExchange(section, RdmaPtr.NULL, block, ct);
        if (before != RdmaPtr.NULL) {
            ct.schedReclaim(block, bytes);
            return before;
        }
        return block;
    }

    private void fillWithZeros(long block, long bytes, ComputeThread ct) {
        LocalBuffer source = zeros;
        int chunk = (int) Math.min(bytes, (long) Long.BYTES * CHUNK);
        if (source == null || source.bytes() < chunk) {
            source = ct.allocateLocal(chunk);
            zeros = source;
        }
        for (long at = 0; at < bytes; ) {
            Sequence sequence = ct.sequence();
            for (int count = 0; count < Sequence.capacity() && at < bytes; count++) {
                sequence.write(block + at, source, 0, chunk);
                at += chunk;
            }
            sequence.execute();
        }
    }

    /** Gives the sections back, and what this node knows. */
    void destroy(ComputeThread ct) {
        This.fetch(ct);
        for (int section = 0; section < MapSections.COUNT; section++) {
            long block = This.sections.fetched(section);
            if (block != RdmaPtr.NULL) {
                ct.free(block, Long.BYTES * MapSections.entries(section));
            }
        }
        known.forget();
    }
}
