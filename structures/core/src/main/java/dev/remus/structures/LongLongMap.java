// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

/**
 * {@link RemoteHashMap} from 64-bit integers to 64-bit integers, without boxing. Promises, costs, and the effect of a
 * thread's death are the same. Operations allocate nothing locally.
 *
 * <p>A missing key is reported as the value {@code missing} that the constructor was given. The map may hold that
 * value, too; {@link #contains} tells the two apart.
 */
public final class LongLongMap {
    private final MapCore core;
    private final long missing;

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
     * @param missing what operations return instead of a value if there is none
     * @throws IllegalArgumentException if there is no map
     */
    public LongLongMap(RdmaPtr<MapTable> This, long missing, ComputeThread ct) {
        this(This, missing, MapCore.rememberedSlots(ct), ct);
    }

    /**
     * Makes a thread's handle.
     *
     * @param rememberedSlots the most slots of all maps that this node's handles with the same limit remember together,
     *     in about 9 bytes each. Rounded down to a power of two of buckets of 30 slots. 0 for a handle that remembers
     *     none, and that learns by itself where the buckets are
     */
    public LongLongMap(RdmaPtr<MapTable> This, long missing, long rememberedSlots, ComputeThread ct) {
        this.core = new MapCore(This, rememberedSlots, ct);
        this.missing = missing;
    }

    private void begin(long key, ComputeThread ct) {
        core.begin(ct);
        core.sought.setKey(key, core.hashMask(), ct);
    }

    private long end(boolean isFound) {
        core.end();
        return isFound ? core.found.longValue() : missing;
    }

    /** The value of a key, or {@code missing}. */
    public long get(long key, ComputeThread ct) {
        begin(key, ct);
        return end(core.find(ct));
    }

    /** Whether the key is there. */
    public boolean contains(long key, ComputeThread ct) {
        begin(key, ct);
        boolean isFound = core.find(ct);
        core.end();
        return isFound;
    }

    /** Sets the value of a key; returns the old one, or {@code missing}. */
    public long put(long key, long value, ComputeThread ct) {
        begin(key, ct);
        core.sought.setValue(value, ct);
        return end(core.put(ct));
    }

    /** Sets the value of a key that has none; returns the value that it has already, or {@code missing}. */
    public long putIfAbsent(long key, long value, ComputeThread ct) {
        begin(key, ct);
        core.sought.setValue(value, ct);
        return end(core.putIfAbsent(ct));
    }

    /** Sets the value of a key that has {@code expected}; returns whether it had. */
    public boolean replace(long key, long expected, long value, ComputeThread ct) {
        begin(key, ct);
        core.sought.setValue(value, ct);
        core.expected.setValue(expected, ct);
        boolean isReplaced = core.replace(core.expected, ct);
        core.end();
        return isReplaced;
    }

    /** Removes a key; returns the value that it had, or {@code missing}. */
    public long remove(long key, ComputeThread ct) {
        begin(key, ct);
        return end(core.remove(null, ct));
    }

    /** Removes a key that has the value {@code expected}; returns whether it had. */
    public boolean remove(long key, long expected, ComputeThread ct) {
        begin(key, ct);
        core.expected.setValue(expected, ct);
        boolean isRemoved = core.remove(core.expected, ct);
        core.end();
        return isRemoved;
    }

    /**
     * The number of entries, if no other thread changes the map meanwhile; otherwise as {@link RemoteHashMap#size}. One
     * round trip for each bucket.
     */
    public long size(ComputeThread ct) {
        core.begin(ct);
        long size = core.size(ct);
        core.end();
        return size;
    }

    /** Calls an action with each key and value, as {@link RemoteHashMap#forEach}. */
    public void forEach(LongLongConsumer action, ComputeThread ct) {
        core.begin(ct);
        core.forEach(() -> action.accept(core.found.longKey(), core.found.longValue()), ct);
        core.end();
    }

    /** Takes a key and its value. */
    @FunctionalInterface
    public interface LongLongConsumer {
        /** Takes a key and its value. It must not use the same handle. */
        void accept(long key, long value);
    }

    /** Removes all entries, as {@link RemoteHashMap#clear}. */
    public void clear(ComputeThread ct) {
        core.begin(ct);
        core.clear(ct);
        core.end();
    }

    /** Checks the whole map, as {@link RemoteHashMap#checkedSize}. */
    public long checkedSize(ComputeThread ct) {
        core.begin(ct);
        long size = core.check(ct);
        core.end();
        return size;
    }

    /** Gives all memory of the map back. No thread may use it meanwhile or afterwards. */
    public void destroy(ComputeThread ct) {
        core.begin(ct);
        core.destroy(ct);
        core.end();
    }
}
