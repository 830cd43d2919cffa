// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.LocalBuffer;
import dev.remus.node.ComputeThread;
import dev.remus.node.LockWords;
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

    /** The mark with which this thread locks the nodes, or tries to. */
    private long mark;

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
        long seen = LockWords.FREE;
        while (true) {
            Sequence sequence = ct.sequence();
            mark = ct.lockWords().newMark();
            addLock(pred, seen, OF_PRED, sequence, ct);
            executeOrRelease(sequence, pred, pred, ct);
            if (holders.getLong(OF_PRED) == seen) {
                return isStillFollowed(ct);
            }
            if (!awaitPred(ct)) {
                return false;
            }
            seen = pred.lock.fetched();
        }
    }

    /** Locks both if {@code curr} follows {@code pred}, and only then; together if one chain can do it. */
    boolean lockBoth(ComputeThread ct) {
        if (!pred.sharesMemoryNode(curr)) {
            return lockPred(ct) && lockCurr(ct);
        }
        long seen = LockWords.FREE;
        while (true) {
            Sequence sequence = ct.sequence();
            mark = ct.lockWords().newMark();
            addLock(pred, seen, OF_PRED, sequence, ct);
            addLock(curr, LockWords.FREE, OF_CURR, sequence, ct);
            executeOrRelease(sequence, pred, curr, ct);
            boolean hasPred = holders.getLong(OF_PRED) == seen;
            boolean hasCurr = holders.getLong(OF_CURR) == LockWords.FREE;
            if (hasPred && pred.isFollowedBy(curr)) {
                return hasCurr || lockCurr(ct);
            }
            if (hasCurr) {
                curr.release(mark, ct); // in the order of the list, or two threads could wait for each other
            }
            if (hasPred) {
                return isStillFollowed(ct);
            }
            if (!awaitPred(ct)) {
                return false;
            }
            seen = pred.lock.fetched();
        }
    }

    /** Locks {@code curr} while {@code pred} is locked and followed by it, so that it cannot be removed meanwhile. */
    private boolean lockCurr(ComputeThread ct) {
        try {
            long seen = LockWords.FREE;
            while (true) {
                Sequence sequence = ct.sequence();
                addLock(curr, seen, OF_CURR, sequence, ct);
                executeOrRelease(sequence, curr, curr, ct);
                if (holders.getLong(OF_CURR) == seen) {
                    return true;
                }
                while (!ct.lockWords().canAcquire(curr.lock.fetched())) {
                    await(curr, ct);
                }
                seen = curr.lock.fetched();
            }
        } catch (RuntimeException e) { // do not leave the other one locked
            pred.release(mark, ct);
            throw e;
        }
    }

    /**
     * Tries to lock a node whose lock was seen like this, and reads it behind that: a READ does not overtake an atomic
     * of its lane.
     */
    private void addLock(ListNode<K> node, long seen, int at, Sequence sequence, ComputeThread ct) {
        if (holders == null) {
            holders = ct.allocateLocal(2L * Long.BYTES);
        }
        sequence.compareAndSwap(node.lock.pointer(), seen, mark, holders, at);
        node.fetchIn(sequence, ct);
    }

    /** Executes a sequence that locks one or two nodes. If it fails, neither is locked afterwards. */
    private void executeOrRelease(Sequence sequence, ListNode<K> one, ListNode<K> other, ComputeThread ct) {
        try {
            sequence.execute();
        } catch (FabricException e) {
            try {
                ct.lockWords().release(one.lock.pointer(), mark);
            } finally {
                if (other != one) {
                    ct.lockWords().release(other.lock.pointer(), mark);
                }
            }
            throw e;
        }
    }

    /** Releases {@code pred}. */
    void releasePred(ComputeThread ct) {
        pred.release(mark, ct);
    }

    /** Releases both. */
    void releaseBoth(ComputeThread ct) {
        curr.release(mark, ct);
        pred.release(mark, ct);
    }

    private boolean isStillFollowed(ComputeThread ct) {
        boolean followed = pred.isFollowedBy(curr);
        if (!followed) {
            pred.release(mark, ct);
        }
        return followed;
    }

    /** Waits until {@code pred} can be locked; false, and earlier, if it is no longer followed by {@code curr}. */
    private boolean awaitPred(ComputeThread ct) {
        while (!ct.lockWords().canAcquire(pred.lock.fetched())) {
            await(pred, ct);
            if (!pred.isFollowedBy(curr)) {
                return false;
            }
        }
        return true;
    }

    /** Waits a little for the holder of a node that was fetched, and fetches it again. */
    private void await(ListNode<K> node, ComputeThread ct) {
        int holder = LockWords.holder(node.lock.fetched());
        if (holder == ct.id()) {
            ct.place(); // this thread has released it, on a lane that is behind the others
            ct.pause();
        } else {
            ct.pauseForHolder(holder);
        }
        node.fetch(ct);
    }
}
