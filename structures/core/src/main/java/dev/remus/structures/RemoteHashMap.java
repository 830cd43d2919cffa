// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A lock-free hash map for any number of keys, which grows without stopping readers or writers. Keys and values have
 * any size; {@link LongLongMap} is the one for integers.
 *
 * <pre>
 *   directory, which each node has            buckets, on all Memory Nodes           blocks, on their bucket's node
 *   learned: it never gets wrong
 *  +-----------------------------+           +--------+-------+------+------+       +------+-----+-------+
 *  | bucket of hashes ...0       | --------> | intake | split | slot | slot | ----> | hash | key | value |
 *  | bucket of hashes ...01      | -----+    +--------+-------+------+------+       +------+-----+-------+
 *  | bucket of hashes ...11      |      |                                            never changes
 *  +-----------------------------+      +--> ...
 * </pre>
 *
 * <p>{@link MapTable} shows what the handles share, {@code MapWords} and {@code MapBucket} the words of a bucket,
 * {@code MapDirectory} how a bucket is found, and {@code MapSplit} how one becomes two.
 *
 * <p><b>Promises.</b> All operations are lock-free: if one starts over, another has made progress. Those on one key are
 * linearizable. Iteration, {@link #size} and {@link #clear} are weakly consistent, as each of them documents. A get
 * only READs, and changes nothing that other threads look at. So readers of one key do not block each other.
 *
 * <p><b>Linearization points.</b> An insertion: the COMPARE_AND_SWAP of the bucket's first empty slot, which also
 * proves that the key was missing. An update: the one of the key's slot from the old block to the new one. A removal:
 * the one of the key's slot to <em>removed</em>. An operation that finds the key and changes nothing: its READ of the
 * slot. One that does not find it: some moment between the READs of the slots and of the split word, at which no slot
 * held the key.
 *
 * <p><b>Why it is right.</b> A key belongs to one bucket at a time, and is in at most one of its slots. All insertions
 * into a bucket contend for the same slot, so two threads cannot insert the same key. The design note {@code
 * structures/core/design/RemoteHashMap.md} has the whole argument.
 *
 * <p><b>Growth.</b> A bucket without an empty slot is split, by itself: no operation ever copies more than one bucket.
 * Half of its entries are frozen for the two round trips in which they move to a new bucket: reads go on, and a thread
 * that needs to change one of them completes the split first. Buckets are never given back before {@link #destroy}.
 *
 * <p><b>Death.</b> A thread that idles, stops or dies at any point blocks no other. A split that it leaves unfinished
 * is finished by the next thread that inserts into the bucket or changes one of its frozen entries. The block and the
 * bucket that it was about to publish are lost until the map's memory is. A lost Memory Node takes its entries along:
 * every operation that reaches one of them throws.
 *
 * <p>After an exception, as from a lane that broke, it is unknown whether the operation has taken effect; the handle
 * can still be used. The block that it was about to publish may be lost.
 *
 * <p><b>Round trips</b>, if the bucket is known and no other thread changes it: get 2 (the bucket, the block), or 1 for
 * a missing key, or 1 if the slot is remembered, because a thread of this node has READ the bucket; put of a new key 2;
 * update 3, or 2 if the slot is remembered; remove 3, or 2 if it is remembered. A put also allocates a block: 1 more,
 * unless this thread has a free one. If the block is not on the bucket's Memory Node, since that is full, writing it is
 * 1 more. A slot is not remembered if its block is on another Memory Node, for that reason or because a split has moved
 * the entry there, or if its block is longer than 1920 bytes. If a thread of another node has changed the slot since, 1
 * more, or, if the key was removed, as if it were not remembered, and 1 more. Another entry in the bucket with the same
 * fingerprint costs 1 more, in less than 1 % of look-ups. When the slots that removals have left are to be filled
 * again, 1 more for the first of them. A put that splits a bucket needs 4 more: 6 in all, or 8 if it has to allocate
 * both a block and a bucket. (If all entries have the same fingerprint, 1 more.) About once in 64 splits, a later put
 * of the same handle makes a section of the directory or looks for it, which is 1 to 4 more. So while a map grows, a
 * put of a new key takes at most 8, and about 0.2 more on average than otherwise. A handle that reaches a bucket which
 * threads of other nodes have split once since needs 1 more. If several such splits were missed, it needs 2 or 3 more
 * for each bit in which the hash and the bucket's index differ. Then all threads of its node know the bucket. Making a
 * handle READs the whole directory if it is the first of its node, else it is 1 round trip.
 *
 * <p><b>Memory.</b> A block of 64 bytes or a multiple, for 16 bytes of header, the key and the value; 256 bytes for a
 * bucket of 30 slots. A bucket is full when it is split, and on average two thirds of the slots are in use. So with
 * keys and values of 8 bytes, an entry takes about 77 bytes. A node takes 8 bytes for each place of the directory.
 * The threads of a node remember the slots of all maps together: 270 bytes for each bucket that they have READ, and at
 * most one bucket for each 30 slots that {@code --cn-cache-records} allows all threads. So the default allows 0.6 MB
 * for each thread. When its place is taken, a bucket that is READ displaces another.
 *
 * <p>Old blocks are {@linkplain ComputeThread#schedReclaim retired}, since other threads may be reading them. A handle
 * belongs to one thread.
 *
 * <p>Source: P. Zuo, J. Sun, L. Yang, S. Zhang, Y. Hua, "One-sided RDMA-Conscious Extendible Hashing for Disaggregated
 * Memory", USENIX ATC 2021, for slots with fingerprints, blocks, and a directory that clients cache; with one bucket
 * per key instead of two and an overflow, a fixed place of insertion instead of a search for duplicates, and splits
 * that any thread can finish. P. L. Lehman, S. B. Yao, "Efficient Locking for Concurrent Operations on B-Trees", ACM
 * TODS 1981, for buckets that name the next one.
 *
 * @param <K> keys
 * @param <V> values
 */
public final class RemoteHashMap<K, V> implements RemoteMap<K, V> {
    private final MapCore core;
    private final Encoding<K> keys;
    private final Encoding<V> values;

    /** Makes an empty map in remote memory. */
    public static RdmaPtr<MapTable> create(ComputeThread ct) {
        return create(MapShape.DEFAULT, ct);
    }

    /** Makes an empty map of a given shape in remote memory. */
    public static RdmaPtr<MapTable> create(MapShape shape, ComputeThread ct) {
        return MapTable.create(shape, ct);
    }

    /**
     * Makes a thread's handle. The threads of a node learn together where the buckets are, and remember as many slots
     * of all maps together as {@code --cn-cache-records} allows them.
     *
     * @param This what {@link #create} returned
     * @param keys the bytes of keys, the same for all handles
     * @param values the bytes of values
     * @throws IllegalArgumentException if there is no map
     */
    public RemoteHashMap(RdmaPtr<MapTable> This, Encoding<K> keys, Encoding<V> values, ComputeThread ct) {
        this(This, keys, values, MapCore.rememberedSlots(ct), ct);
    }

    /**
     * Makes a thread's handle.
     *
     * @param rememberedSlots the most slots of all maps that this node's handles with the same limit remember together,
     *     in about 9 bytes each. Rounded down to a power of two of buckets of 30 slots. 0 for a handle that remembers
     *     none, and that learns by itself where the buckets are
     */
    public RemoteHashMap(
            RdmaPtr<MapTable> This, Encoding<K> keys, Encoding<V> values, long rememberedSlots, ComputeThread ct) {
        this.core = new MapCore(This, rememberedSlots, ct);
        this.keys = keys;
        this.values = values;
    }

    private void begin(K key, ComputeThread ct) {
        core.begin(ct);
        core.sought.setKey(keys, key, core.hashMask(), ct);
    }

    private @Nullable V end(boolean isFound) {
        V value = isFound ? core.found.value(values) : null;
        core.end();
        return value;
    }

    // ------------------------------------------------------------------------------------------------ one key

    /** The value of a key, or null. */
    @Override
    public @Nullable V get(K key, ComputeThread ct) {
        begin(key, ct);
        return end(core.find(ct));
    }

    /** Sets the value of a key; returns the old one, or null. */
    @Override
    public @Nullable V put(K key, V value, ComputeThread ct) {
        begin(key, ct);
        core.sought.setValue(values, value, ct);
        return end(core.put(ct));
    }

    /** Sets the value of a key that has none; returns the value that it has already, or null. */
    @Override
    public @Nullable V putIfAbsent(K key, V value, ComputeThread ct) {
        begin(key, ct);
        core.sought.setValue(values, value, ct);
        return end(core.putIfAbsent(ct));
    }

    /** Sets the value of a key that has one; returns the old one, or null. */
    public @Nullable V replace(K key, V value, ComputeThread ct) {
        begin(key, ct);
        core.sought.setValue(values, value, ct);
        return end(core.replace(null, ct));
    }

    /** Sets the value of a key that has the {@code expected} one, compared by its bytes; returns whether it had. */
    @Override
    public boolean replace(K key, V expected, V value, ComputeThread ct) {
        begin(key, ct);
        core.sought.setValue(values, value, ct);
        core.expected.setValue(values, expected, ct);
        boolean isReplaced = core.replace(core.expected, ct);
        core.end();
        return isReplaced;
    }

    /** Removes a key; returns the value that it had, or null. */
    @Override
    public @Nullable V remove(K key, ComputeThread ct) {
        begin(key, ct);
        return end(core.remove(null, ct));
    }

    /** Removes a key that has the {@code expected} value, compared by its bytes; returns whether it had. */
    public boolean remove(K key, V expected, ComputeThread ct) {
        begin(key, ct);
        core.expected.setValue(values, expected, ct);
        boolean isRemoved = core.remove(core.expected, ct);
        core.end();
        return isRemoved;
    }

    /**
     * Changes the value of a key in one step: retries until no other thread has changed it meanwhile.
     *
     * @param change from the key and its value, or null, to the new value, or null to remove it. Called once for each
     *     attempt, so it must have no effects; it must not use this handle
     * @return the new value
     */
    public @Nullable V compute(
            K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> change, ComputeThread ct) {
        begin(key, ct);
        while (true) {
            boolean isFound = core.find(ct);
            V after = change.apply(key, isFound ? core.found.value(values) : null);
            if (after != null) {
                core.sought.setValue(values, after, ct);
            }
            if (core.settle(isFound, after != null, ct)) {
                core.end();
                return after;
            }
            core.retries.pause(ct);
        }
    }

    /**
     * The keys and values of those that have one. Each key is looked up on its own, at some moment of the call. Two
     * round trips for each 16 keys, and more only for keys whose bucket was just split or whose fingerprint is not
     * unique.
     */
    public Map<K, V> getAll(Collection<? extends K> sought, ComputeThread ct) {
        Map<K, V> found = new HashMap<>();
        List<K> part = new ArrayList<>(MapBatch.CAPACITY);
        for (K key : sought) {
            part.add(key);
            if (part.size() == MapBatch.CAPACITY) {
                getPart(part, found, ct);
                part.clear();
            }
        }
        if (!part.isEmpty()) {
            getPart(part, found, ct);
        }
        return found;
    }

    private void getPart(List<K> part, Map<K, V> into, ComputeThread ct) {
        core.begin(ct);
        MapBatch batch = core.batch(ct);
        for (K key : part) {
            batch.addKey().setKey(keys, key, core.hashMask(), ct);
        }
        batch.find(ct);
        for (int i = 0; i < part.size(); i++) {
            if (batch.isOpen(i)) {
                if (core.find(batch.key(i), ct)) {
                    into.put(part.get(i), core.found.value(values));
                }
            } else if (batch.isFound(i)) {
                into.put(part.get(i), batch.entry(i).value(values));
            }
        }
        core.end();
    }

    /**
     * Sets the values of some keys. Each is set on its own, at some moment of the call. Three round trips for each 10
     * keys, and those that allocate blocks, if this thread has no free ones; more only for keys whose bucket is full or
     * was just split, whose fingerprint is not unique, or that another thread changes meanwhile.
     *
     * @return the old values of the keys that had one
     */
    public Map<K, V> putAll(Map<? extends K, ? extends V> entries, ComputeThread ct) {
        Map<K, V> old = new HashMap<>();
        List<Map.Entry<? extends K, ? extends V>> part = new ArrayList<>(MapBatch.PUTS);
        for (Map.Entry<? extends K, ? extends V> entry : entries.entrySet()) {
            part.add(entry);
            if (part.size() == MapBatch.PUTS) {
                putPart(part, old, ct);
                part.clear();
            }
        }
        if (!part.isEmpty()) {
            putPart(part, old, ct);
        }
        return old;
    }

    private void putPart(List<Map.Entry<? extends K, ? extends V>> part, Map<K, V> old, ComputeThread ct) {
        core.begin(ct);
        MapBatch batch = core.batch(ct);
        for (Map.Entry<? extends K, ? extends V> entry : part) {
            MapEntry to = batch.addKey();
            to.setKey(keys, entry.getKey(), core.hashMask(), ct);
            to.setValue(values, entry.getValue(), ct);
        }
        batch.put(ct);
        for (int i = 0; i < part.size(); i++) {
            K key = part.get(i).getKey();
            if (batch.isOpen(i)) {
                if (core.put(batch.key(i), ct)) {
                    old.put(key, core.found.value(values));
                }
            } else if (batch.isFound(i)) {
                old.put(key, batch.entry(i).value(values));
            }
        }
        core.end();
    }

    // ------------------------------------------------------------------------------------------------ all keys

    /**
     * The number of entries, if no other thread changes the map meanwhile. Otherwise at least that of the keys that
     * were there all the time, and at most that of the keys that were there at some moment of it. One round trip for
     * each bucket, and one more whenever another thread splits it or removes an entry meanwhile.
     */
    public long size(ComputeThread ct) {
        core.begin(ct);
        long size = core.size(ct);
        core.end();
        return size;
    }

    /**
     * Calls an action with each key and value. A key that is there all the time comes exactly once, any other at most
     * once; a value is one that the key had during the call. One round trip for each entry, and for each bucket as
     * many as {@link #size} takes.
     *
     * @param action must not use this handle
     */
    public void forEach(BiConsumer<? super K, ? super V> action, ComputeThread ct) {
        core.begin(ct);
        core.forEach(() -> action.accept(core.found.key(keys), core.found.value(values)), ct);
        core.end();
    }

    /**
     * Removes all entries that are there all the time, and perhaps others, one by one. The map keeps its buckets. One
     * round trip for each bucket, and two for each entry.
     */
    public void clear(ComputeThread ct) {
        core.begin(ct);
        core.clear(ct);
        core.end();
    }

    /**
     * Walks through the map while no other thread uses it, and checks everything that must then hold.
     *
     * @return the number of entries
     * @throws IllegalStateException naming what does not hold
     */
    @Override
    public long checkedSize(ComputeThread ct) {
        core.begin(ct);
        long size = core.check(ct);
        core.end();
        return size;
    }

    /** Gives all memory of the map back. No thread may use it meanwhile or afterwards. */
    @Override
    public void destroy(ComputeThread ct) {
        core.begin(ct);
        core.destroy(ct);
        core.end();
    }
}
