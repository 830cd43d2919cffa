package dev.remus.structures;

import dev.remus.fabric.LocalMemory;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import dev.remus.record.RecordCache;
import dev.remus.record.RemoteBytes;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;

/**
 * The lazy list with as few round trips as it can do with: one READ for each node, no lock where {@link LazyListSet} can
 * do without, and, if wanted, a cache that makes most of the search local. {@link LongFastLazyListSet} and {@link
 * LongCachedLazyListSet} are those for integers.
 *
 * <p><b>Promises.</b> Those of {@link LazyListSet}: linearizable; {@link #contains} is wait-free; {@link #insert} and
 * {@link #remove} block, and only if they change something.
 *
 * <p><b>Why it is linearizable.</b> A node is in the list if it can be reached from the head, and its key is in the set if
 * its {@code next} is not marked as well. Nodes are marked before they are unlinked, and what is marked never changes
 * again. So:
 *
 * <ol>
 *   <li>A node that was once in the list and is read unmarked is in the list at that moment, provided that its memory was
 *       not used again. That is what a search may start from: the head, or a node from the cache after it has been read
 *       anew. The cache itself decides nothing; its keys are right, since keys never change, its links are hints.
 *   <li>Each further node of a search was in the list at some moment of the call: when its predecessor's {@code next} was
 *       read or, if the predecessor had been unlinked by then, just before that.
 *   <li>So there was a moment of the call at which the last two nodes of a search were in the list and neighbours, one
 *       before the key and one not. A READ of several words may be torn, but that does not matter here: the key never
 *       changes after the node was linked, and of the words that do, each decision rests on one, {@code next}.
 *   <li>Whoever changes {@code pred.next} has its lock, and sees behind it, on the same lane, that {@code next} still leads
 *       to {@code curr}: so {@code pred} is not marked. Nor is {@code curr}, since who marks it has the lock of {@code
 *       pred}; therefore an insert needs this one lock, and a remove both.
 * </ol>
 *
 * <p><b>Linearization points.</b> A successful insert: when the link to the new node becomes visible. A successful remove:
 * when the mark does. An unsuccessful insert, and a contains that finds the key: when {@code next} of its node was read
 * unmarked. An unsuccessful remove, and a contains that does not find it: the moment of point 3 or, if the node has the key
 * and was marked after that, the moment of the mark.
 *
 * <p><b>Visibility.</b> A new node on the Memory Node of its predecessor is written and linked by one chain: the WRITEs of
 * a lane become visible in the order posted, so nobody sees the link and not the node. Across Memory Nodes there is no such
 * order, so there the node is placed before it is linked. Changes are placed when the call returns, and only then are locks
 * released, by a FETCH_AND_ADD that nobody waits for.
 *
 * <p><b>Death.</b> As for {@link LazyListSet}: a thread that dies while it has locks keeps others from changing the list
 * beside them, who wait until {@link ComputeThread#pauseFor} reports that its node is lost; {@code contains} is not
 * affected, and neither is an insert of what is there or a remove of what is not.
 *
 * <p><b>Round trips.</b> With v nodes visited, counting up to and including the one at or behind the key, and the first
 * operation of a handle doing one more: contains 1 + v, none of the v for the tail. Insert 1 + v, and if the key is missing
 * 3 more (allocate; lock and look; write and link) if the new node and its predecessor share a Memory Node, else 4 (the node
 * is written on its own), one less with a block that the thread has freed. Remove 1 + v, and if the key is there 2 more
 * (lock and look; mark and unlink) if its node and the predecessor share a Memory Node, else 4. All that without contention.
 * With the cache, 1 + v becomes 1, or 2 where the two nodes at the key do not share a Memory Node, plus the nodes that are
 * new there; but after each barrier the cache is empty again.
 *
 * <p>Removed nodes go to {@link ComputeThread#schedReclaim}: reclaim them after a barrier, when no thread is inside an
 * operation. Caches die there too ({@link ComputeThread#reclamationEpoch}), so that point 1 holds.
 *
 * <p>A handle belongs to one thread. An operation allocates nothing locally, except while the cache grows. A handle keeps at
 * most one block that it has allocated and could not use.
 *
 * <p>Source: as {@link LazyListSet}. The cache's part is ours.
 *
 * @param <K> a local key
 */
public final class FastLazyListSet<K> {
    /** As {@code cacheRecords}: as many as {@code --cn-cache-records} says. */
    public static final int CONFIGURED = -1;

    private static final long FREE = 0;

    /** How many of the nodes that a search went past in the cache are remembered, in case that later ones are removed. */
    private static final int TRAIL = 16;

    /** Where in {@link #holders} is who had the lock. */
    private static final int OF_PRED = 0;

    private static final int OF_CURR = 8;

    /** A node; the two sentinels have no key. */
    private static final class Node<K> extends RemoteRecord {
        private final RemoteBytes key;
        private final RemoteRef<Node<K>> next;
        private final RemoteLong lock;

        Node(KeyType<K> keyType) {
            key = immutable(bytesField(keyType.bytes()));
            next = refField();
            lock = longField();
        }

        boolean isRemoved() {
            return RdmaPtr.isMarked(next.fetched());
        }

        boolean isFollowedBy(Node<K> other) {
            return next.fetched() == other.pointer();
        }

        boolean sharesMemoryNode(Node<K> other) {
            return RdmaPtr.node(pointer()) == RdmaPtr.node(other.pointer());
        }

        /** Does not wait: whoever wants the lock sees it later. */
        void release(ComputeThread ct) {
            ct.postFetchAndAdd(lock.pointer(), FREE - mark(ct));
        }
    }

    /** What all handles share. It never changes. */
    public static final class Shared extends RemoteRecord {
        private final RemoteRef<Node<?>> head = immutable(refField());
        private final RemoteRef<Node<?>> tail = immutable(refField());
    }

    private final Shared This = new Shared();
    private final KeyType<K> keyType;
    private final int cacheRecords;
    private final Node<K> fresh;
    private Node<K> pred;
    private Node<K> curr;

    /** A block that was allocated for a node that was not inserted after all. */
    private long spare = RdmaPtr.NULL;

    /** The sentinels, null until they are needed first. */
    private long head = RdmaPtr.NULL;

    private long tail = RdmaPtr.NULL;
    private LocalMemory holders;

    /** Null for none. */
    private RecordCache cache;

    private final long[] trail = new long[TRAIL];
    private int passed;

    /** Makes an empty set in remote memory. */
    public static <K> RdmaPtr<Shared> create(KeyType<K> keyType, ComputeThread ct) {
        Node<K> last = new Node<>(keyType);
        last.allocate(ct);
        last.next.stage(RdmaPtr.NULL, ct);
        last.storeStaged(ct);
        Node<K> first = new Node<>(keyType);
        first.allocate(ct);
        first.next.stage(last, ct);
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
        this.pred = new Node<>(keyType);
        this.curr = new Node<>(keyType);
        this.fresh = new Node<>(keyType);
    }

    /** Whether the key is in the set. */
    public boolean contains(K key, ComputeThread ct) {
        return search(key, ct) && !curr.isRemoved();
    }

    /** Adds a key; says whether it was missing. */
    public boolean insert(K key, ComputeThread ct) {
        while (!contains(key, ct)) {
            if (link(key, ct)) {
                return true;
            }
            ct.pause();
        }
        return false;
    }

    /** Takes a key out; says whether it was there. */
    public boolean remove(K key, ComputeThread ct) {
        while (contains(key, ct)) {
            if (unlink(ct)) {
                return true;
            }
            ct.pause();
        }
        return false;
    }

    // ------------------------------------------------------------------------------------------------ searching

    /**
     * Moves {@code pred} and {@code curr} to where the key belongs; says whether {@code curr} holds it, and then its node has
     * been fetched.
     */
    private boolean search(K key, ComputeThread ct) {
        findSentinels(ct);
        if (cache != null) {
            return searchFromCache(key, ct);
        }
        pred.at(head);
        pred.fetch(ct);
        curr.at(pred.next.fetched());
        return walk(key, false, ct);
    }

    /** From {@code pred}, which was in the list; {@code curr} is at the next node, and may have been fetched. */
    private boolean walk(K key, boolean isFetched, ComputeThread ct) {
        Node<K> before = pred;
        Node<K> node = curr;
        boolean fetched = isFetched;
        int order = -1;
        while (!node.isAt(tail)) {
            if (!fetched) {
                node.fetch(ct);
            }
            order = order(node, key);
            if (cache != null) {
                remember(node, ct);
            }
            if (order >= 0) {
                break;
            }
            Node<K> free = before;
            before = node;
            node = free;
            node.at(RdmaPtr.unmarked(before.next.fetched()));
            fetched = false;
        }
        pred = before;
        curr = node;
        return order == 0;
    }

    private void advance(long next) {
        Node<K> free = pred;
        pred = curr;
        curr = free;
        curr.at(next);
    }

    private int order(Node<K> node, K key) {
        return keyType.compare(node.copy(), node.key.fetchedOffset(), key);
    }

    /** As far as possible without a round trip, and from there on as without a cache. */
    private boolean searchFromCache(K key, ComputeThread ct) {
        boolean isPast = walkCache(key, ct);
        boolean both = false;
        if (isPast) {
            pred.fetch(ct);
        } else {
            both = pred.fetchWith(curr, ct);
        }
        if (pred.isRemoved()) {
            stepBack(ct);
            both = false;
        }
        boolean asExpected = pred.isFollowedBy(curr);
        remember(pred, ct);
        if (!asExpected) {
            curr.at(pred.next.fetched());
            both = false;
        } else if (isPast) {
            return false;
        }
        return walk(key, both, ct);
    }

    /**
     * Follows copies of nodes to the last one in front of the key. {@code pred} is then there, and {@code curr} at the node
     * that followed it once.
     *
     * @return whether {@code curr} is known to be behind the key; if not, it holds the key or is not known
     */
    private boolean walkCache(K key, ComputeThread ct) {
        passed = 0;
        pred.at(head);
        if (!cache.load(pred, ct)) {
            curr.at(tail); // no better guess
            return true;
        }
        Node<K> before = pred;
        Node<K> node = curr;
        node.at(before.next.hint());
        int order = 1;
        boolean isKnown = true;
        while (!node.isAt(tail)) {
            isKnown = cache.load(node, ct);
            order = isKnown ? order(node, key) : 1;
            if (order >= 0) {
                break;
            }
            trail[passed++ % TRAIL] = before.pointer();
            Node<K> free = before;
            before = node;
            node = free;
            node.at(before.next.hint());
            order = 1; // should this be the tail
        }
        pred = before;
        curr = node;
        return isKnown && order > 0;
    }

    /** {@code pred} is not in the list any more: fetches the last one before it, of those that were passed, that is. */
    private void stepBack(ComputeThread ct) {
        int oldest = Math.max(0, passed - TRAIL);
        while (pred.isRemoved()) {
            cache.forget(pred.pointer(), ct);
            pred.at(passed > oldest ? trail[--passed % TRAIL] : head); // which is never removed
            pred.fetch(ct);
        }
    }

    private void remember(Node<K> node, ComputeThread ct) {
        if (node.isRemoved()) {
            cache.forget(node.pointer(), ct);
        } else {
            cache.put(node, ct);
        }
    }

    private void findSentinels(ComputeThread ct) {
        if (head == RdmaPtr.NULL) {
            This.fetch(ct);
            tail = This.tail.fetched();
            holders = ct.allocateLocal(2L * Long.BYTES);
            int records = cacheRecords == CONFIGURED ? ct.node().config().cacheRecords() : cacheRecords;
            cache = records == 0 ? null : new RecordCache(pred, records);
            head = This.head.fetched();
        }
    }

    // ------------------------------------------------------------------------------------------------ changing

    /** Inserts the key between {@code pred} and {@code curr}, if they are neighbours. */
    private boolean link(K key, ComputeThread ct) {
        prepare(key, ct);
        boolean inOneChain = fresh.sharesMemoryNode(pred);
        if (!inOneChain) {
            fresh.storeStaged(ct); // placed: on another lane, to another node, the link could be visible first
        }
        if (!lockPred(ct)) {
            return false;
        }
        try {
            spare = RdmaPtr.NULL; // whatever happens: from now on somebody may find it
            pred.next.stage(fresh, ct);
            Sequence sequence = ct.sequence();
            if (inOneChain) {
                fresh.storeStagedIn(sequence);
            }
            pred.next.storeStagedIn(sequence);
            sequence.execute();
        } finally {
            pred.release(ct);
        }
        if (cache != null) {
            cache.put(pred, ct);
            cache.put(fresh, ct);
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
        fresh.next.stage(curr, ct);
        fresh.lock.stage(FREE, ct); // nobody can see it yet: it is not a lock before it is linked
    }

    /** Removes {@code curr}, if it is still behind {@code pred}. */
    private boolean unlink(ComputeThread ct) {
        if (!lockBoth(ct)) {
            return false;
        }
        try {
            long next = curr.next.fetched();
            curr.next.stage(RdmaPtr.marked(next), ct);
            pred.next.stage(next, ct);
            Sequence sequence = ct.sequence();
            curr.next.storeStagedIn(sequence);
            if (!curr.sharesMemoryNode(pred)) {
                sequence.execute(); // placed: nobody is to see it unlinked and not marked
                sequence = ct.sequence();
            }
            pred.next.storeStagedIn(sequence);
            sequence.execute();
        } finally {
            curr.release(ct);
            pred.release(ct);
        }
        if (cache != null) {
            cache.put(pred, ct);
            cache.forget(curr.pointer(), ct);
        }
        curr.schedReclaim(ct);
        return true;
    }

    // ------------------------------------------------------------------------------------------------ locking

    /** What a thread puts into a lock. */
    private static long mark(ComputeThread ct) {
        return ct.id() + 1L;
    }

    /** Locks {@code pred} if {@code curr} follows it, and only then. */
    private boolean lockPred(ComputeThread ct) {
        while (true) {
            Sequence sequence = ct.sequence();
            addLock(pred, OF_PRED, sequence, ct);
            sequence.execute();
            long holder = holders.getLong(OF_PRED);
            if (holder == FREE) {
                return isStillFollowed(ct);
            }
            if (!awaitPred(holder, ct)) {
                return false;
            }
        }
    }

    /** Locks both if {@code curr} follows {@code pred}, and only then; together if one chain can do it. */
    private boolean lockBoth(ComputeThread ct) {
        if (!pred.sharesMemoryNode(curr)) {
            return lockPred(ct) && lockCurr(ct);
        }
        while (true) {
            Sequence sequence = ct.sequence();
            addLock(pred, OF_PRED, sequence, ct);
            addLock(curr, OF_CURR, sequence, ct);
            sequence.execute();
            long holder = holders.getLong(OF_PRED);
            boolean hasCurr = holders.getLong(OF_CURR) == FREE;
            if (holder == FREE && pred.isFollowedBy(curr)) {
                return hasCurr || lockCurr(ct);
            }
            if (hasCurr) {
                curr.release(ct); // in the order of the list, or two threads could wait for each other
            }
            if (holder == FREE) {
                return isStillFollowed(ct);
            }
            if (!awaitPred(holder, ct)) {
                return false;
            }
        }
    }

    /** Locks {@code curr} while {@code pred} is locked and followed by it, so that it cannot be removed meanwhile. */
    private boolean lockCurr(ComputeThread ct) {
        try {
            while (true) {
                Sequence sequence = ct.sequence();
                addLock(curr, OF_CURR, sequence, ct);
                sequence.execute();
                long holder = holders.getLong(OF_CURR);
                if (holder == FREE) {
                    return true;
                }
                while (holder != FREE) {
                    await(curr, holder, ct);
                    curr.fetch(ct);
                    holder = curr.lock.fetched();
                }
            }
        } catch (RuntimeException e) { // its holder is lost: do not leave the other one locked too
            pred.release(ct);
            throw e;
        }
    }

    /** Tries to lock a node, and reads it behind that: a READ does not overtake an atomic of its lane. */
    private void addLock(Node<K> node, int at, Sequence sequence, ComputeThread ct) {
        sequence.compareAndSwap(node.lock.pointer(), FREE, mark(ct), holders, at);
        node.fetchIn(sequence, ct);
    }

    private boolean isStillFollowed(ComputeThread ct) {
        boolean followed = pred.isFollowedBy(curr);
        if (!followed) {
            pred.release(ct);
        }
        return followed;
    }

    /** Waits until {@code pred} is free; false, and earlier, if it is no longer followed by {@code curr}. */
    private boolean awaitPred(long firstHolder, ComputeThread ct) {
        long holder = firstHolder;
        while (holder != FREE) {
            await(pred, holder, ct);
            pred.fetch(ct);
            if (!pred.isFollowedBy(curr)) {
                return false;
            }
            holder = pred.lock.fetched();
        }
        return true;
    }

    private void await(Node<K> node, long holder, ComputeThread ct) {
        if (holder != mark(ct)) {
            ct.pauseFor((int) holder - 1);
            return;
        }
        ct.place(); // this thread has released it, on a lane that is behind the others
        if (node.lock.load(ct) == holder) {
            throw new IllegalStateException("the lock of " + node + " was released by " + ct
                    + ", and is not free: the lane broke that the release was posted on");
        }
    }

    // ------------------------------------------------------------------------------------------------ the end

    /**
     * Walks through the list while no other thread uses it.
     *
     * @return how many keys there are
     * @throws IllegalStateException if keys are not in ascending order, or a mark or lock has been left
     */
    public long checkedSize(ComputeThread ct) {
        findSentinels(ct);
        ct.place();
        long size = 0;
        pred.at(head);
        check(pred, ct);
        curr.at(pred.next.fetched());
        while (!curr.isAt(tail)) {
            check(curr, ct);
            if (size > 0 && keyType.compare(pred.key.pointer(), curr.key.pointer(), ct) >= 0) {
                throw new IllegalStateException(curr + ": its key is not above that of the node before");
            }
            size++;
            advance(curr.next.fetched());
        }
        check(curr, ct);
        return size;
    }

    private void check(Node<K> node, ComputeThread ct) {
        node.fetch(ct);
        if (node.isRemoved()) {
            throw new IllegalStateException(node + " is marked as removed and can still be reached");
        }
        if (node.lock.fetched() != FREE) {
            throw new IllegalStateException(node + " is locked by thread " + (node.lock.fetched() - 1));
        }
    }

    /** Gives all memory of the set back. No thread may use it meanwhile or afterwards. */
    public void destroy(ComputeThread ct) {
        findSentinels(ct);
        curr.at(head);
        while (!curr.isAt(RdmaPtr.NULL)) {
            curr.fetch(ct);
            long next = curr.next.fetched();
            curr.free(ct);
            curr.at(next);
        }
        This.free(ct);
        if (spare != RdmaPtr.NULL) {
            fresh.at(spare);
            fresh.free(ct);
            spare = RdmaPtr.NULL;
        }
    }
}
