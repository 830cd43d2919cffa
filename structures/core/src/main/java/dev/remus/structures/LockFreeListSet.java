// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

/**
 * A sorted linked list without locks, as a set: it stays usable whichever threads die, and wherever. Keys are of any
 * fixed size and order; {@link LongLockFreeListSet} is the one for integers.
 *
 * <p>A node is removed when its {@code next} is marked, and unlinked afterwards, by whichever thread changes the list
 * there first. {@link LockFreeList} is the algorithm.
 *
 * <p><b>Promises.</b> Linearizable. {@link #contains} is wait-free: it changes nothing and never retries. {@link
 * #insert} and {@link #remove} are lock-free: if one tries again, another thread has changed the list beside its key.
 *
 * <p><b>Linearization points.</b> A successful insert: the COMPARE_AND_SWAP that links the new node. A successful
 * remove: the one that marks the node. An unsuccessful insert, and a contains that finds the key: when {@code next} of
 * its node was read unmarked. An unsuccessful remove, and a contains that does not find it: the moment at which the
 * last two nodes of the search were neighbours in the list or, if a node has the key and was marked after that, the
 * moment of the mark.
 *
 * <p><b>Death.</b> A thread that dies at any point blocks no other. One that dies in a search, or before it links a
 * node, leaves the list as it was; behind the link, the key is inserted; behind the mark, it is removed, and the next
 * thread that inserts or removes a key at or behind the node unlinks and retires it. The dead thread's block that was
 * not linked is never reused, and neither is one that it has unlinked and not retired.
 *
 * <p>A lane that breaks has the same effects: it is unknown whether the operation has taken effect, and its block is
 * never reused. The handle can still be used.
 *
 * <p><b>Round trips.</b> With v nodes visited, removed ones included, up to and including the one at or behind the key:
 * contains 1 + v. Insert 1 + v, and if the key is missing 2 more (allocate; write and link) if the new node and its
 * predecessor share a Memory Node, else 3, one less with a block that the thread has freed. Remove 1 + v, and if the
 * key is there 2 more (mark; unlink). An insert or a remove unlinks each removed node that it visits, by 1 more. All
 * that without contention; a swap that fails returns the word that is there, so the search continues from it, and
 * starts over only if the predecessor is removed.
 *
 * <p>Unlinked nodes are {@linkplain ComputeThread#schedReclaim retired}, since other threads may be reading them. The
 * list relies on this. If the block of a node that a thread has read were in use again, the swap of a link to it could
 * succeed although the link is another one.
 *
 * <p>A handle belongs to one thread. An operation allocates nothing locally, except after one that failed. A handle
 * keeps at most one block that it has allocated and could not use.
 *
 * <p>Source: M. M. Michael, "High Performance Dynamic Lock-Free Hash Tables and List-Based Sets", SPAA 2002, after T.
 * L. Harris, "A Pragmatic Implementation of Non-Blocking Linked-Lists", DISC 2001. The wait-free search is that of M.
 * Herlihy and N. Shavit, "The Art of Multiprocessor Programming", section 9.8.
 *
 * @param <K> a local key
 */
public final class LockFreeListSet<K> implements RemoteSet<K> {
    /** What all handles share. */
    public static final class Shared extends LockFreeList.Head {
        private Shared() {}
    }

    private final LockFreeList<K, LockFreeNode<K>> list;

    /** Makes an empty set in remote memory. */
    public static RdmaPtr<Shared> create(ComputeThread ct) {
        return LockFreeList.create(new Shared(), ct);
    }

    /**
     * Makes a thread's handle to a set.
     *
     * @param This what {@link #create} returned
     * @param keyType of the same kind in all handles
     */
    public LockFreeListSet(RdmaPtr<Shared> This, KeyType<K> keyType) {
        Shared shared = new Shared();
        shared.at(This);
        this.list = new LockFreeList<>(shared, keyType, () -> new LockFreeNode<>(keyType));
    }

    @Override
    public boolean contains(K key, ComputeThread ct) {
        return list.find(key, ct);
    }

    @Override
    public boolean insert(K key, ComputeThread ct) {
        boolean found = list.search(key, ct);
        while (!found) {
            list.prepare(key, ct);
            if (list.insert(ct)) {
                return true;
            }
            found = list.searchOn(key, ct);
        }
        return false;
    }

    @Override
    public boolean remove(K key, ComputeThread ct) {
        boolean found = list.search(key, ct);
        while (found) {
            if (list.remove(key, ct)) {
                return true;
            }
            found = list.searchOn(key, ct);
        }
        return false;
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
