// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.ValidatedReads;
import dev.remus.record.RecordCache;

/**
 * Searches in a {@link FastLazyListSet} that begin at a node from a cache. The cache decides nothing: its copies are
 * hints, and the node where they lead to is read anew, and compared with its copy, before the search goes on.
 *
 * <p>Copies outlive their nodes, so links may lead from a copy to that of another node that has come into the block
 * since. A search follows a link only to a greater key. So it ends, and where the copies are wrong it reads the node.
 */
final class ListCache<K> {
    /**
     * How many of the nodes that a search went past in the cache are remembered, in case that later ones are removed.
     */
    private static final int TRAIL = 16;

    private final ListWindow<K> at;
    private final KeyType<K> keyType;
    private final long head;
    private final long tail;
    private final RecordCache cache;
    private final ValidatedReads reads = new ValidatedReads();
    private final long[] trail = new long[TRAIL];
    private int passed;

    /** @param at where searches end */
    ListCache(ListWindow<K> at, KeyType<K> keyType, long head, long tail, int records) {
        this.at = at;
        this.keyType = keyType;
        this.head = head;
        this.tail = tail;
        this.cache = new RecordCache(at.pred, records);
    }

    /** A new node has been linked behind {@code pred}. */
    void linked(ListNode<K> fresh, ComputeThread ct) {
        cache.put(at.pred, ct);
        cache.put(fresh, ct);
    }

    /** {@code curr} has been unlinked. */
    void unlinked(ComputeThread ct) {
        cache.put(at.pred, ct);
        cache.forget(at.curr.pointer(), ct);
    }

    /**
     * Moves {@code pred} and {@code curr} to where the key belongs, as far as possible without a round trip, and from
     * there on as without a cache; returns whether {@code curr} holds it, and then its node has been fetched.
     */
    boolean search(K key, ComputeThread ct) {
        boolean isPast = walkCache(key, ct);
        boolean both = false;
        reads.begin(ct);
        try (reads) {
            if (isPast) {
                at.pred.fetch(ct);
            } else {
                both = at.pred.fetchWith(at.curr, ct);
            }
        }
        if (isGone(at.pred, ct)) {
            stepBack(ct);
            both = false;
        }
        boolean asExpected = at.pred.isFollowedBy(at.curr);
        remember(at.pred, ct);
        if (!asExpected) {
            at.curr.at(at.pred.next.fetched());
            both = false;
        } else if (isPast) {
            return false;
        }
        return walk(key, both, ct);
    }

    /** Whether a node that was just fetched, at the place of a copy, is not in the list. The head always is. */
    private boolean isGone(ListNode<K> node, ComputeThread ct) {
        return !node.isAt(head) && (!cache.isSame(node, ct) || node.isRemoved());
    }

    /**
     * Follows copies of nodes to the last one in front of the key. {@code pred} is then there, and {@code curr} at the
     * node that followed it once.
     *
     * @return whether {@code curr} is known to be behind the key, by a copy that is not older than the last reuse of
     *     memory; if not, it has to be read
     */
    private boolean walkCache(K key, ComputeThread ct) {
        passed = 0;
        at.pred.at(head);
        if (!cache.load(at.pred, ct)) {
            at.curr.at(tail); // no better guess
            return true;
        }
        ListNode<K> before = at.pred;
        ListNode<K> node = at.curr;
        node.at(before.next.hint());
        long epochBefore = cache.loadedEpoch();
        while (!node.isAt(tail)) {
            boolean isKnown = cache.load(node, ct) && (epochBefore == cache.loadedEpoch() || isBehind(before, node));
            int order = isKnown ? order(node, key) : 1;
            if (order >= 0) {
                at.pred = before;
                at.curr = node;
                return isKnown && order > 0 && cache.loadedEpoch() == ct.reclamationEpoch();
            }
            epochBefore = cache.loadedEpoch();
            trail[passed++ % TRAIL] = before.pointer();
            ListNode<K> free = before;
            before = node;
            node = free;
            node.at(before.next.hint());
        }
        at.pred = before;
        at.curr = node;
        return true;
    }

    /** Whether the key of one copy is behind that of another. Always if both were made in the same epoch. */
    private boolean isBehind(ListNode<K> before, ListNode<K> node) {
        return before.isAt(head)
                || keyType.compare(node.copy(), node.key.fetchedOffset(), before.copy(), before.key.fetchedOffset())
                        > 0;
    }

    /** {@code pred} is not in the list: fetches the last one before it, of those that were passed, that is. */
    private void stepBack(ComputeThread ct) {
        int oldest = Math.max(0, passed - TRAIL);
        reads.begin(ct);
        try (reads) {
            do {
                cache.forget(at.pred.pointer(), ct);
                at.pred.at(passed > oldest ? trail[--passed % TRAIL] : head);
                at.pred.fetch(ct);
            } while (isGone(at.pred, ct));
        }
    }

    private void remember(ListNode<K> node, ComputeThread ct) {
        if (node.isRemoved()) {
            cache.forget(node.pointer(), ct);
        } else {
            cache.put(node, ct);
        }
    }

    /**
     * From {@code pred}, which was in the list, past removed nodes; {@code curr} is at the next node, and may have been
     * fetched.
     */
    private boolean walk(K key, boolean isFetched, ComputeThread ct) {
        ListNode<K> before = at.pred;
        ListNode<K> node = at.curr;
        boolean fetched = isFetched;
        boolean found = false;
        while (!node.isAt(tail)) {
            if (!fetched) {
                node.fetch(ct);
            }
            remember(node, ct);
            long next = node.next.fetched();
            if (!RdmaPtr.isMarked(next)) {
                int order = order(node, key);
                if (order >= 0) {
                    found = order == 0;
                    break;
                }
                ListNode<K> free = before;
                before = node;
                node = free;
            }
            node.at(RdmaPtr.unmarked(next));
            fetched = false;
        }
        at.pred = before;
        at.curr = node;
        return found;
    }

    private int order(ListNode<K> node, K key) {
        return keyType.compare(node.copy(), node.key.fetchedOffset(), key);
    }
}
