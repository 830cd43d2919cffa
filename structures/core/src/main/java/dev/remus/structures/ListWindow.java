package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.OutcomeUnknownException;
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
        while (true) {
            Sequence sequence = ct.sequence();
            mark = ct.lockWords().newMark();
            addLock(pred, OF_PRED, sequence, ct);
            executeOrRelease(sequence, pred, pred, ct);
            long holder = holders.getLong(OF_PRED);
            if (holder == LockWords.FREE) {
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
            mark = ct.lockWords().newMark();
            addLock(pred, OF_PRED, sequence, ct);
            addLock(curr, OF_CURR, sequence, ct);
            executeOrRelease(sequence, pred, curr, ct);
            long holder = holders.getLong(OF_PRED);
            boolean hasCurr = holders.getLong(OF_CURR) == LockWords.FREE;
            if (holder == LockWords.FREE && pred.isFollowedBy(curr)) {
                return hasCurr || lockCurr(ct);
            }
            if (hasCurr) {
                curr.release(mark, ct); // in the order of the list, or two threads could wait for each other
            }
            if (holder == LockWords.FREE) {
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
                executeOrRelease(sequence, curr, curr, ct);
                long holder = holders.getLong(OF_CURR);
                if (holder == LockWords.FREE) {
                    return true;
                }
                while (holder != LockWords.FREE) {
                    await(holder, ct);
                    curr.fetch(ct);
                    holder = curr.lock.fetched();
                }
            }
        } catch (RuntimeException e) { // its holder is lost: do not leave the other one locked too
            pred.release(mark, ct);
            throw e;
        }
    }

    /** Tries to lock a node, and reads it behind that: a READ does not overtake an atomic of its lane. */
    private void addLock(ListNode<K> node, int at, Sequence sequence, ComputeThread ct) {
        if (holders == null) {
            holders = ct.allocateLocal(2L * Long.BYTES);
        }
        sequence.compareAndSwap(node.lock.pointer(), LockWords.FREE, mark, holders, at);
        node.fetchIn(sequence, ct);
    }

    /** Executes a sequence that locks one or two nodes. If its outcome is unknown, neither is locked afterwards. */
    private void executeOrRelease(Sequence sequence, ListNode<K> one, ListNode<K> other, ComputeThread ct) {
        try {
            sequence.execute();
        } catch (OutcomeUnknownException e) {
            ct.lockWords().release(one.lock.pointer(), mark);
            if (other != one) {
                ct.lockWords().release(other.lock.pointer(), mark);
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

    /** Waits until {@code pred} is free; false, and earlier, if it is no longer followed by {@code curr}. */
    private boolean awaitPred(long firstHolder, ComputeThread ct) {
        long holder = firstHolder;
        while (holder != LockWords.FREE) {
            await(holder, ct);
            pred.fetch(ct);
            if (!pred.isFollowedBy(curr)) {
                return false;
            }
            holder = pred.lock.fetched();
        }
        return true;
    }

    private void await(long holder, ComputeThread ct) {
        if (LockWords.holder(holder) == ct.id()) {
            ct.place(); // this thread has released it, on a lane that is behind the others
            ct.pause();
        } else {
            ct.pauseFor(LockWords.holder(holder));
        }
    }
}
