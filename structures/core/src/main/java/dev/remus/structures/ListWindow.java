package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;

/**
 * Two nodes of a {@link FastLazyListSet} that were neighbours when a search went past them, and how they are locked:
 * only as long as they still are neighbours, since otherwise the search has to be done again.
 */
final class ListWindow<K> {
    /** Where in {@link #holders} is who had the lock. */
    private static final int OF_PRED = 0;

    private static final int OF_CURR = 8;

    ListNode<K> pred;
    ListNode<K> curr;
    /** Made when a node is locked first. */
    @SuppressWarnings("NullAway.Init")
    private LocalBuffer holders;

    ListWindow(KeyType<K> keyType) {
        pred = new ListNode<>(keyType);
        curr = new ListNode<>(keyType);
    }

    /** Goes on to the next node. */
    void advance(long next) {
        ListNode<K> free = pred;
        pred = curr;
        curr = free;
        curr.at(next);
    }

    /** Locks {@code pred} if {@code curr} follows it, and only then. */
    boolean lockPred(ComputeThread ct) {
        while (true) {
            Sequence sequence = ct.sequence();
            addLock(pred, OF_PRED, sequence, ct);
            sequence.execute();
            long holder = holders.getLong(OF_PRED);
            if (holder == ListNode.FREE) {
                return isStillFollowed(ct);
            }
            if (!awaitPred(holder, ct)) {
                return false;
            }
        }
    }

    /** Locks both if {@code curr} follows {@code pred}, and only then; together if one chain can do it. */
    boolean lockBoth(ComputeThread ct) {
        if (!pred.sharesMemoryNode(curr)) {
            return lockPred(ct) && lockCurr(ct);
        }
        while (true) {
            Sequence sequence = ct.sequence();
            addLock(pred, OF_PRED, sequence, ct);
            addLock(curr, OF_CURR, sequence, ct);
            sequence.execute();
            long holder = holders.getLong(OF_PRED);
            boolean hasCurr = holders.getLong(OF_CURR) == ListNode.FREE;
            if (holder == ListNode.FREE && pred.isFollowedBy(curr)) {
                return hasCurr || lockCurr(ct);
            }
            if (hasCurr) {
                curr.release(ct); // in the order of the list, or two threads could wait for each other
            }
            if (holder == ListNode.FREE) {
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
                if (holder == ListNode.FREE) {
                    return true;
                }
                while (holder != ListNode.FREE) {
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
    private void addLock(ListNode<K> node, int at, Sequence sequence, ComputeThread ct) {
        if (holders == null) {
            holders = ct.allocateLocal(2L * Long.BYTES);
        }
        sequence.compareAndSwap(node.lock.pointer(), ListNode.FREE, ListNode.mark(ct), holders, at);
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
        while (holder != ListNode.FREE) {
            await(pred, holder, ct);
            pred.fetch(ct);
            if (!pred.isFollowedBy(curr)) {
                return false;
            }
            holder = pred.lock.fetched();
        }
        return true;
    }

    private void await(ListNode<K> node, long holder, ComputeThread ct) {
        if (holder != ListNode.mark(ct)) {
            ct.pauseFor((int) holder - 1);
            return;
        }
        ct.place(); // this thread has released it, on a lane that is behind the others
        if (node.lock.load(ct) == holder) {
            throw new IllegalStateException("the lock of " + node + " was released by " + ct
                    + ", and is not free: the lane broke that the release was posted on");
        }
    }
}
