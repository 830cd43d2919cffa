// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The algorithm of {@link LockFreeListSet} and {@link LockFreeListMap}: a sorted linked list that is changed by
 * COMPARE_AND_SWAP only, as one thread sees it.
 *
 * <pre>
 *   head     3            7, removed       9            insert 8:  swap 7's successor, 9, for 8: fails, it is marked
 *  +---+    +---+---+    +---+--------+   +---+------+  remove 3:  swap 3's link to 7 for the same link, marked
 *  | *-+--> | 3 | *-+--> | 7 | * mark +-> | 9 | null |  unlink 7:  swap 3's link to 7 for a link to 9
 *  +---+    +---+---+    +---+--------+   +---+------+
 * </pre>
 *
 * <p>A node is in the list if the head leads to it. It is removed once its {@code next} is marked; then that word never
 * changes again. Only after that is it unlinked, by any thread that changes the list. The thread whose swap unlinks it,
 * and no other, retires it. The design note {@code structures/core/design/LockFreeList.md} has the argument.
 *
 * @param <K> a local key
 * @param <N> views of nodes
 */
final class LockFreeList<K, N extends LockFreeNode<K>> {
    /** What all handles share: the link to the first node, which is never marked. */
    abstract static class Head extends RemoteRecord {
        final RemoteRef<LockFreeNode<?>> first = atomic(refField());
    }

    /** The node at which a search has ended: the first that is not below the key, or null. */
    final N curr;

    private final Head head;
    private final KeyType<K> keyType;
    private final Supplier<N> newNode;

    /** The word that led to {@code curr}: the head, or the {@code next} of a node that was then in the list. */
    private long link;

    /** The node to link next. */
    private N fresh;

    /** Its block, if one was allocated that no thread has seen. */
    private long spare = RdmaPtr.NULL;

    /** What a word was when a chain swapped it; allocated when first needed. */
    private @Nullable LocalBuffer swapped;

    /** Makes an empty list in remote memory. */
    static <S extends Head> RdmaPtr<S> create(S head, ComputeThread ct) {
        head.allocate(ct);
        head.first.stage(RdmaPtr.NULL, ct);
        head.storeStaged(ct);
        return new RdmaPtr<>(head.pointer());
    }

    LockFreeList(Head head, KeyType<K> keyType, Supplier<N> newNode) {
        this.head = head;
        this.keyType = keyType;
        this.newNode = newNode;
        this.curr = newNode.get();
        this.fresh = newNode.get();
    }

    // ------------------------------------------------------------------------------------------------ searching

    /** Looks for a key, and changes nothing: goes past removed nodes. If it returns true, {@code curr} has the key. */
    boolean find(K key, ComputeThread ct) {
        N node = curr;
        long at = head.first.load(ct);
        while (at != RdmaPtr.NULL) {
            node.at(at);
            LocalBuffer copy = node.fetch(ct);
            long next = copy.getLong(node.next.offset());
            int order = keyType.compare(copy, node.key.offset(), key);
            if (order > 0 || order == 0 && !RdmaPtr.isMarked(next)) {
                return order == 0;
            }
            at = RdmaPtr.unmarked(next);
        }
        return false;
    }

    /**
     * Moves {@code curr} to where the key belongs, and unlinks removed nodes on its way; returns whether {@code curr}
     * has the key.
     */
    boolean search(K key, ComputeThread ct) {
        begin(ct);
        return searchOn(key, ct);
    }

    /** Continues a search at {@code curr}, after a change failed there. */
    boolean searchOn(K key, ComputeThread ct) {
        while (!curr.isAt(RdmaPtr.NULL)) {
            LocalBuffer copy = curr.fetch(ct);
            long next = copy.getLong(curr.next.offset());
            if (RdmaPtr.isMarked(next)) {
                unlink(RdmaPtr.unmarked(next), ct);
                continue;
            }
            int order = keyType.compare(copy, curr.key.offset(), key);
            if (order >= 0) {
                return order == 0;
            }
            link = curr.next.pointer();
            curr.at(next);
        }
        return false;
    }

    private void begin(ComputeThread ct) {
        link = head.first.pointer();
        curr.at(head.first.load(ct));
    }

    /** Unlinks {@code curr}, which is marked, and moves on; returns whether this thread was the one to unlink it. */
    private boolean unlink(long next, ComputeThread ct) {
        long found = ct.compareAndSwap(link, curr.pointer(), next);
        if (found != curr.pointer()) {
            moveTo(found, ct);
            return false;
        }
        curr.schedReclaim(ct);
        curr.at(next);
        return true;
    }

    /** After another thread has changed {@code link}: moves to what it is now. If it is marked, its node is removed. */
    private void moveTo(long found, ComputeThread ct) {
        ct.pause();
        if (RdmaPtr.isMarked(found)) {
            begin(ct);
        } else {
            curr.at(found);
        }
    }

    // ------------------------------------------------------------------------------------------------ changing

    /** A view of the node that {@link #insert} or {@link #replace} will link, in which the key is staged. */
    N prepare(K key, ComputeThread ct) {
        if (spare == RdmaPtr.NULL) {
            spare = fresh.allocate(ct);
        }
        fresh.at(spare);
        long offset = fresh.key.stagedOffset(ct);
        keyType.put(fresh.copy(), offset, key);
        return fresh;
    }

    /** Links the prepared node in front of {@code curr}; if it returns false, search on. */
    boolean insert(ComputeThread ct) {
        long found = publish(link, curr.pointer(), fresh.pointer(), curr.pointer(), ct);
        if (found != curr.pointer()) {
            moveTo(found, ct);
            return false;
        }
        return true;
    }

    /** Removes {@code curr}, which has the key; if it returns false, search on. */
    boolean remove(K key, ComputeThread ct) {
        long next = curr.next.fetched();
        if (!curr.next.compareAndSet(next, RdmaPtr.marked(next), ct)) {
            ct.pause();
            return false;
        }
        complete(next, key, ct);
        return true;
    }

    /**
     * Removes {@code curr}, which has the key, and links the prepared node behind it, by the same swap: the mark is on
     * the link to the new node. If it returns false, search on.
     */
    boolean replace(K key, ComputeThread ct) {
        long next = curr.next.fetched();
        long found = publish(curr.next.pointer(), next, RdmaPtr.marked(fresh.pointer()), next, ct);
        if (found != next) {
            ct.pause();
            return false;
        }
        complete(fresh.pointer(), key, ct);
        return true;
    }

    /** Unlinks {@code curr}, which this thread has marked; if another thread has changed the link, by a search. */
    private void complete(long next, K key, ComputeThread ct) {
        if (!unlink(next, ct)) {
            searchOn(key, ct);
        }
    }

    /**
     * Swaps a word for the pointer to the prepared node, which is placed before; returns what the word was. In one
     * chain if both are on one Memory Node: nothing overtakes a WRITE, which an atomic of its lane places.
     */
    private long publish(long word, long expected, long desired, long next, ComputeThread ct) {
        long block = spare;
        spare = RdmaPtr.NULL; // after a failure, another thread may find it, or the WRITE may still take effect
        fresh.next.stage(next, ct);
        long found;
        try {
            if (RdmaPtr.node(word) == RdmaPtr.node(block)) {
                found = writeAndSwap(word, expected, desired, ct);
            } else {
                fresh.storeStaged(ct);
                found = ct.compareAndSwap(word, expected, desired);
            }
        } catch (Throwable e) {
            fresh = newNode.get(); // requests that were given up may still use the old local memory
            swapped = null;
            throw e;
        }
        if (found != expected) {
            spare = block;
        }
        return found;
    }

    private long writeAndSwap(long word, long expected, long desired, ComputeThread ct) {
        LocalBuffer result = swapped;
        if (result == null) {
            result = ct.allocateLocal(Long.BYTES);
            swapped = result;
        }
        Sequence sequence = ct.sequence();
        fresh.storeStagedIn(sequence);
        sequence.compareAndSwap(word, expected, desired, result, 0);
        sequence.execute();
        return result.getLong(0);
    }

    // ------------------------------------------------------------------------------------------------ walking

    /**
     * Calls an action for each node with an unmarked {@code next}, which {@code curr} has then fetched. Their keys
     * ascend, since a marked link alone leads to the same key again. As {@link #find}, it changes nothing.
     */
    void forEach(Runnable action, ComputeThread ct) {
        curr.at(head.first.load(ct));
        while (!curr.isAt(RdmaPtr.NULL)) {
            curr.fetch(ct);
            long next = curr.next.fetched();
            if (!RdmaPtr.isMarked(next)) {
                action.run();
            }
            curr.at(RdmaPtr.unmarked(next));
        }
    }

    /** The key of the node that {@code curr} has fetched. */
    K key() {
        return keyType.get(curr.copy(), curr.key.fetchedOffset());
    }

    // ------------------------------------------------------------------------------------------------ the end

    /** {@link RemoteSet#checkedSize}. */
    long checkedSize(ComputeThread ct) {
        long size = 0;
        long before = RdmaPtr.NULL;
        int least = 0;
        curr.at(head.first.load(ct));
        while (!curr.isAt(RdmaPtr.NULL)) {
            curr.fetch(ct);
            long next = curr.next.fetched();
            boolean isRemoved = RdmaPtr.isMarked(next);
            if (before != RdmaPtr.NULL && keyType.compare(curr.key.pointer(), before, ct) < least) {
                throw new IllegalStateException(curr + ": its key is not above that of the node before");
            }
            size += isRemoved ? 0 : 1;
            before = curr.key.pointer();
            least = isRemoved ? 0 : 1; // a node that was replaced is in front of one with the same key
            curr.at(RdmaPtr.unmarked(next));
        }
        return size;
    }

    void destroy(ComputeThread ct) {
        curr.at(head.first.load(ct));
        while (!curr.isAt(RdmaPtr.NULL)) {
            curr.fetch(ct);
            long next = RdmaPtr.unmarked(curr.next.fetched());
            curr.free(ct);
            curr.at(next);
        }
        head.free(ct);
        if (spare != RdmaPtr.NULL) {
            fresh.at(spare);
            fresh.free(ct);
            spare = RdmaPtr.NULL;
        }
    }
}
