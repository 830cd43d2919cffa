// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Atomic;
import dev.remus.record.Codec;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A sorted linked list without locks, as a map: a {@link LockFreeListSet} with a value of any fixed size in each node.
 * For few keys, since a search passes half of them on average.
 *
 * <p>A node's value never changes. To replace it, a thread swaps the node's {@code next} for a marked link to a new
 * node with the same key, which removes the old value and adds the new one at the same moment:
 *
 * <pre>
 *           +---+---+---+                                 +---+---+---+
 *  before ->| 3 | * | a |-------------------------------->| 9 | * | z |->
 *           +---+---+---+                                 +---+---+---+
 *           +---+--------+---+       +---+---+---+        +---+---+---+
 *  after  ->| 3 | * mark | a |------>| 3 | * | b |------->| 9 | * | z |->
 *           +---+--------+---+       +---+---+---+        +---+---+---+
 * </pre>
 *
 * <p><b>Promises.</b> Linearizable. All methods are lock-free. {@link #get} changes nothing; it takes longer only while
 * other threads replace values at or before its key.
 *
 * <p><b>Linearization points.</b> A put, putIfAbsent or replace that adds a key or replaces a value: the
 * COMPARE_AND_SWAP that links the new node. A remove: the one that marks the node. One that finds the key and changes
 * nothing, and a get that does: when {@code next} of its node was read unmarked. One that does not find it: as in
 * {@link LockFreeListSet}.
 *
 * <p><b>Death.</b> As for {@link LockFreeListSet}: no thread that dies, and no lane that breaks, blocks another thread.
 *
 * <p><b>Round trips.</b> With v nodes visited, as for {@link LockFreeListSet}: get 1 + v, the value included. Put,
 * putIfAbsent, replace and remove 1 + v if they change nothing. To add a key 2 more (allocate; write and link), to
 * replace a value 3 more (allocate; write, link and mark; unlink), one more if the new node and its predecessor do not
 * share a Memory Node, one less with a block that the thread has freed. To remove a key 2 more (mark; unlink). All that
 * without contention.
 *
 * <p>Unlinked nodes are {@linkplain ComputeThread#schedReclaim retired}, as those of {@link LockFreeListSet}, which
 * relies on it.
 *
 * <p>A handle belongs to one thread. Decoding a value allocates it; apart from that, and from its key type, an
 * operation allocates nothing locally.
 *
 * <p>Source: as {@link LockFreeListSet}; the values are ours.
 *
 * @param <K> a local key
 * @param <V> values
 */
public final class LockFreeListMap<K, V> implements RemoteMap<K, V> {
    /** What all handles share. */
    public static final class Shared extends LockFreeList.Head {
        private Shared() {}
    }

    private static final class Node<K, V> extends LockFreeNode<K> {
        final Atomic<V> value;

        Node(KeyType<K> keyType, Codec<V> codec) {
            super(keyType);
            value = immutable(field(codec));
        }
    }

    private final LockFreeList<K, Node<K, V>> list;

    /** Makes an empty map in remote memory. */
    public static RdmaPtr<Shared> create(ComputeThread ct) {
        return LockFreeList.create(new Shared(), ct);
    }

    /**
     * Makes a thread's handle to a map.
     *
     * @param This what {@link #create} returned
     * @param keyType of the same kind in all handles
     * @param codec of the same values in all handles
     */
    public LockFreeListMap(RdmaPtr<Shared> This, KeyType<K> keyType, Codec<V> codec) {
        Shared shared = new Shared();
        shared.at(This);
        this.list = new LockFreeList<>(shared, keyType, () -> new Node<>(keyType, codec));
    }

    @Override
    public @Nullable V get(K key, ComputeThread ct) {
        return list.find(key, ct) ? list.curr.value.fetched() : null;
    }

    @Override
    public @Nullable V put(K key, V value, ComputeThread ct) {
        boolean found = list.search(key, ct);
        while (true) {
            V before = found ? list.curr.value.fetched() : null;
            list.prepare(key, ct).value.stage(value, ct);
            if (found ? list.replace(key, ct) : list.insert(ct)) {
                return before;
            }
            found = list.searchOn(key, ct);
        }
    }

    @Override
    public @Nullable V putIfAbsent(K key, V value, ComputeThread ct) {
        boolean found = list.search(key, ct);
        while (!found) {
            list.prepare(key, ct).value.stage(value, ct);
            if (list.insert(ct)) {
                return null;
            }
            found = list.searchOn(key, ct);
        }
        return list.curr.value.fetched();
    }

    @Override
    public boolean replace(K key, V expected, V value, ComputeThread ct) {
        boolean found = list.search(key, ct);
        while (found && expected.equals(list.curr.value.fetched())) {
            list.prepare(key, ct).value.stage(value, ct);
            if (list.replace(key, ct)) {
                return true;
            }
            found = list.searchOn(key, ct);
        }
        return false;
    }

    @Override
    public @Nullable V remove(K key, ComputeThread ct) {
        boolean found = list.search(key, ct);
        while (found) {
            V value = list.curr.value.fetched();
            if (list.remove(key, ct)) {
                return value;
            }
            found = list.searchOn(key, ct);
        }
        return null;
    }

    /**
     * Calls an action with each key and value, by ascending keys. A key that is there all the time comes exactly once,
     * any other at most once; a value is one that the key had during the call. One round trip, and one for each node.
     *
     * @param action must not use this handle
     */
    public void forEach(BiConsumer<? super K, ? super V> action, ComputeThread ct) {
        list.forEach(() -> action.accept(list.key(), list.curr.value.fetched()), ct);
    }

    @Override
    public long checkedSize(ComputeThread ct) {
        return list.checkedSize(ct);
    }

    @Override
    public void destroy(ComputeThread ct) {
        list.destroy(ct);
    }
}
