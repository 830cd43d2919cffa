// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.LockWords;
import dev.remus.node.Sequence;
import dev.remus.node.SortedChain;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;
import org.jspecify.annotations.Nullable;

/**
 * The lazy list with as few round trips as it can do with: one READ for each node, no lock where {@link LazyListSet}
 * can do without, and, if wanted, a cache that makes most of the search local. {@link LongFastLazyListSet} and {@link
 * LongCachedLazyListSet} are those for integers.
 *
 * <p><b>Promises.</b> Those of {@link LazyListSet}: linearizable; {@link #contains} is wait-free; {@link #insert} and
 * {@link #remove} block, and only if they change something.
 *
 * <p><b>Why it is linearizable.</b> The last two nodes of a search were in the list and neighbours at some moment of
 * the call, and each change is made under the lock of the predecessor, after a look at its link. The design note {@code
 * structures/core/design/FastLazyListSet.md} has the argument.
 *
 * <p><b>Linearization points.</b> A successful insert: when the link to the new node becomes visible. A successful
 * remove: when the mark does. An unsuccessful insert, and a contains that finds the key: when {@code next} of its node
 * was read unmarked. An unsuccessful remove, and a contains that does not find it: the moment at which the last two
 * nodes of the search were neighbours or, if the node has the key and was marked after that, the moment of the mark.
 *
 * <p><b>Death.</b> As for {@link LazyListSet}: a thread that is lost with its node blocks no other for ever. A thread
 * that changes the list beside nodes that the lost one has locked waits until it is cut off, and then takes each lock
 * from it ({@link LockWords}); {@code contains} is not affected, and neither is an insert of what is there or a remove
 * of what is not. At each step the list is in order:
 *
 * <ul>
 *   <li>A new node is written before the link to it: by an earlier WRITE of the same lane, or placed. So if the link
 *       has arrived, the insert is complete; if not, nothing has changed, and the memory of the new node is lost.
 *   <li>A removed node is marked before it is unlinked, in the same way. If only the mark has arrived, searches go past
 *       the node, and a thread that changes the list directly behind it, or inserts its key, unlinks and reclaims it
 *       first. If only the erased stamp has, which is written with the mark, the node is in the list, and caches read
 *       it anew each time.
 * </ul>
 *
 * <p>So the operation of a lost thread has taken effect, or not at all. The same holds if the thread lives and its lane
 * breaks; and a release that is lost with a lane is repeated once its thread notices.
 *
 * <p><b>Round trips.</b> With v nodes visited, counting up to and including the one at or behind the key, and the first
 * operation of a handle doing one more: contains 1 + v, none of the v for the tail. Insert 1 + v, and if the key is
 * missing 3 more (allocate; lock and look; write and link) if the new node and its predecessor share a Memory Node,
 * else 4 (the node is written on its own), one less with a block that the thread has freed. Remove 1 + v, and if the
 * key is there 2 more (lock and look; mark and unlink) if its node and the predecessor share a Memory Node, else 4. All
 * that without contention. With the cache, 1 + v becomes 1, or 2 where the two nodes at the key do not share a Memory
 * Node, plus the nodes that are new there. It is also 2 for a key that is not there and whose successor, on another
 * Memory Node, was last read before memory was last reclaimed.
 *
 * <p>Removed nodes are {@linkplain ComputeThread#schedReclaim retired}, since other threads may be reading them. Caches
 * stay: each node has a stamp, by which a search notices that its memory was reused ({@link
 * dev.remus.record.RecordCache}).
 *
 * <p>A handle belongs to one thread. An operation allocates nothing locally, except while the cache grows. A handle
 * keeps at most one block that it has allocated and could not use.
 *
 * <p>Source: as {@link LazyListSet}. The cache's part is ours.
 *
 * @param <K> a local key
 */
public final class FastLazyListSet<K> implements RemoteSet<K> {
    /** As {@code cacheRecords}: as many as {@code --cn-cache-records} sets. */
    public static final int CONFIGURED = -1;

    /** What all handles share. It never changes. */
    public static final class Shared extends RemoteRecord {
        private final RemoteRef<ListNode<?>> head = immutable(refField());
        private final RemoteRef<ListNode<?>> tail = immutable(refField());

        private Shared() {}
    }

    private final Shared This = new Shared();
    private final KeyType<K> keyType;
    private final int cacheRecords;
    private final ListNode<K> fresh;

    /** Where a search ended: {@code pred} and {@code curr} of the comments below. */
    private final ListWindow<K> at;

    /** Searches by keys that are 64-bit integers, without a cache. */
    private final SortedChain chain;

    /** A block that was allocated for a node that was not inserted after all. */
    private long spare = RdmaPtr.NULL;

    /** The sentinels, null until they are needed first. */
    private long head = RdmaPtr.NULL;

    private long tail = RdmaPtr.NULL;

    /** Null for none. */
    private @Nullable ListCache<K> cache;

    /** Makes an empty set in remote memory. */
    public static <K> RdmaPtr<Shared> create(KeyType<K> keyType, ComputeThread ct) {
        ListNode<K> last = new ListNode<>(keyType);
        last.allocate(ct);
        last.next.stage(RdmaPtr.NULL, ct);
        last.stageStamp(ct);
        last.storeStaged(ct);
        ListNode<K> first = new ListNode<>(keyType);
        first.allocate(ct);
        first.next.stage(last, ct);
        first.stageStamp(ct);
        first.storeStaged(ct);
        Shared shared = new Shared();
        shared.allocate(ct);
        shared.head.stage(first, ct);
        shared.tail.stage(last, ct);
        shared.storeStaged(ct);
        return new RdmaPtr<>(shared.pointer());
    }

    /**
     * Makes a thread's handle to a set, without a cache.
     *
     * @param This what {@link #create} returned
     * @param keyType of the same kind as it was created with
     */
    public FastLazyListSet(RdmaPtr<Shared> This, KeyType<K> keyType) {
        this(This, keyType, 0);
    }

    /**
     * Makes a thread's handle to a set.
     *
     * @param cacheRecords how many nodes it may cache, 0 for none, or {@link #CONFIGURED}
     */
    public FastLazyListSet(RdmaPtr<Shared> This, KeyType<K> keyType, int cacheRecords) {
        this.This.at(This);
        this.keyType = keyType;
        this.cacheRecords = cacheRecords;
        this.at = new ListWindow<>(keyType);
        this.fresh = new ListNode<>(keyType);
        this.chain = SortedChain.ofRecords(fresh.bytes());
    }

    @Override
    public boolean contains(K key, ComputeThread ct) {
        return search(key, ct);
    }

    @Override
    public boolean insert(K key, ComputeThread ct) {
        while (!contains(key, ct)) {
            if (!unlinkBetween(ct) && link(key, ct)) {
                return true;
            }
            ct.pause();
        }
        return false;
    }

    @Override
    public boolean remove(K key, ComputeThread ct) {
        while (contains(key, ct)) {
            if (!unlinkBetween(ct) && unlink(ct)) {
                return true;
            }
            ct.pause();
        }
        return false;
    }

    // ------------------------------------------------------------------------------------------------ searching

    /**
     * Moves {@code pred} and {@code curr} to where the key belongs; returns whether {@code curr} holds it. Goes past
     * removed nodes, so that neither is one, but some may lie between.
     */
    private boolean search(K key, ComputeThread ct) {
        findSentinels(ct);
        if (isByChain()) {
            return searchChain(keyType.number(key), ct);
        }
        return cache == null ? searchNodes(key, ct) : cache.search(key, ct);
    }

    private boolean isByChain() {
        return cache == null && keyType.isNumber();
    }

    private boolean searchChain(long key, ComputeThread ct) {
        boolean found = chain.search(head, tail, key, ct);
        at.pred.at(chain.before());
        at.curr.at(chain.at());
        return found;
    }

    /** Works on local variables and on words of the copy, since it is nearly all that an operation does. */
    private boolean searchNodes(K key, ComputeThread ct) {
        ListNode<K> before = at.pred;
        ListNode<K> node = at.curr;
        before.at(head);
        before.fetch(ct);
        node.at(before.next.fetched());
        int order = -1;
        while (!node.isAt(tail)) {
            LocalBuffer copy = node.fetch(ct);
            long next = copy.getLong(node.next.offset());
            if (RdmaPtr.isMarked(next)) {
                node.at(RdmaPtr.unmarked(next));
                continue;
            }
            order = keyType.compare(copy, node.key.offset(), key);
            if (order >= 0) {
                break;
            }
            ListNode<K> free = before;
            before = node;
            node = free;
            node.at(next);
        }
        at.pred = before;
        at.curr = node;
        return order == 0;
    }

    private void findSentinels(ComputeThread ct) {
        if (head == RdmaPtr.NULL) {
            This.fetch(ct);
            long first = This.head.fetched();
            tail = This.tail.fetched();
            int records = cacheRecords == CONFIGURED ? ct.config().cacheRecords() : cacheRecords;
            cache = records == 0 ? null : new ListCache<>(at, keyType, first, tail, records);
            head = first;
        }
    }

    // ------------------------------------------------------------------------------------------------ changing

    /** Inserts the key between {@code pred} and {@code curr}, if they are neighbours. */
    private boolean link(K key, ComputeThread ct) {
        prepare(key, ct);
        boolean inOneChain = fresh.sharesMemoryNode(at.pred);
        if (!inOneChain) {
            fresh.storeStaged(ct); // placed: on another lane, to another node, the link could be visible first
        }
        if (!at.lockPred(ct)) {
            return false;
        }
        try {
            spare = RdmaPtr.NULL; // even after a failure: from now on another thread may find it
            at.pred.next.stage(fresh, ct);
            Sequence sequence = ct.sequence();
            if (inOneChain) {
                fresh.storeStagedIn(sequence);
            }
            at.pred.next.storeStagedIn(sequence);
            sequence.execute();
        } finally {
            at.releasePred(ct);
        }
        if (cache != null) {
            cache.linked(fresh, ct);
        }
        return true;
    }

    private void prepare(K key, ComputeThread ct) {
        if (spare == RdmaPtr.NULL) {
            spare = fresh.allocate(ct);
        }
        fresh.at(spare);
        long offset = fresh.key.stagedOffset(ct);
        keyType.put(fresh.copy(), offset, key);
        fresh.next.stage(at.curr, ct);
        fresh.stageStamp(ct);
        fresh.lock.stage(LockWords.FREE, ct); // no thread can see it yet: it is not a lock before it is linked
    }

    /**
     * If removed nodes lie between {@code pred} and {@code curr}, unlinks the first of them: its remover may have been
     * lost, or its lane broken, before he could. The search has to be done again then.
     */
    private boolean unlinkBetween(ComputeThread ct) {
        long behindPred = isByChain() ? chain.link() : at.pred.next.fetched();
        if (at.curr.isAt(behindPred)) {
            return false;
        }
        at.curr.at(behindPred);
        unlink(ct);
        return true;
    }

    /** Unlinks {@code curr}, if it is still behind {@code pred}; returns whether it was in the set until then. */
    private boolean unlink(ComputeThread ct) {
        if (!at.lockBoth(ct)) {
            return false;
        }
        boolean wasRemoved = at.curr.isRemoved();
        try {
            long next = RdmaPtr.unmarked(at.curr.next.fetched());
            at.curr.stageRemoved(ct);
            at.pred.next.stage(next, ct);
            Sequence sequence = ct.sequence();
            at.curr.next.storeStagedWithStampIn(sequence);
            if (!at.curr.sharesMemoryNode(at.pred)) {
                sequence.execute(); // placed: no thread may see it unlinked and not marked
                sequence = ct.sequence();
            }
            at.pred.next.storeStagedIn(sequence);
            sequence.execute();
        } finally {
            at.releaseBoth(ct);
        }
        if (cache != null) {
            cache.unlinked(ct);
        }
        at.curr.schedReclaim(ct);
        return !wasRemoved;
    }

    // ------------------------------------------------------------------------------------------------ the end

    @Override
    public long checkedSize(ComputeThread ct) {
        findSentinels(ct);
        ct.place();
        long size = 0;
        at.pred.at(head);
        check(at.pred, ct);
        at.curr.at(at.pred.next.fetched());
        while (!at.curr.isAt(tail)) {
            at.curr.fetch(ct);
            if (at.curr.isRemoved()) { // its remover could not unlink it; see unlinkBetween
                at.curr.at(RdmaPtr.unmarked(at.curr.next.fetched()));
                continue;
            }
            check(at.curr, ct);
            if (size > 0 && keyType.compare(at.pred.key.pointer(), at.curr.key.pointer(), ct) >= 0) {
                throw new IllegalStateException(at.curr + ": its key is not above that of the node before");
            }
            size++;
            at.advance(at.curr.next.fetched());
        }
        check(at.curr, ct);
        return size;
    }

    private void check(ListNode<K> node, ComputeThread ct) {
        node.fetch(ct);
        if (node.isRemoved()) {
            throw new IllegalStateException(node + " is marked as removed, but it is an end of the list");
        }
        if (!ct.lockWords().canAcquire(node.lock.fetched())) {
            throw new IllegalStateException(node + " is locked by thread " + LockWords.holder(node.lock.fetched()));
        }
    }

    @Override
    public void destroy(ComputeThread ct) {
        findSentinels(ct);
        at.curr.at(head);
        while (!at.curr.isAt(RdmaPtr.NULL)) {
            at.curr.fetch(ct);
            long next = RdmaPtr.unmarked(at.curr.next.fetched());
            at.curr.free(ct);
            at.curr.at(next);
        }
        This.free(ct);
        if (spare != RdmaPtr.NULL) {
            fresh.at(spare);
            fresh.free(ct);
            spare = RdmaPtr.NULL;
        }
    }
}
