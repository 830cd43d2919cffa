// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.LockWords;
import dev.remus.node.Sequence;

/**
 * How a thread READs a node of an ordered map as a whole, and locks one, so that its copy stays right.
 *
 * <p>A thread that dies, or whose lane breaks, may leave a node half changed: then not all of its seals fit. The next
 * thread that locks it puts it in order, and one that only reads it locks it to do so. Every half change is one of
 * these, because a chain of WRITEs arrives in order:
 *
 * <ul>
 *   <li>An entry has a new value, and the seal of the old one. The value becomes that of the key.
 *   <li>The bounds are changed in part or as a whole, and the slots are not sealed anew, or only some. The word of the
 *       link decides: the node ends where the next one begins, and loses the entries that it no longer owns; all, if it
 *       is gone.
 * </ul>
 */
class TreeAccess {
    private static final int HOLDER = 0;
    private static final int LOW_OF_NEXT = 8;

    /** How often a thread tries to take a lock before it looks whether it is free. */
    private static final int ATTEMPTS = 5;

    /** The node that was READ or locked last. */
    final TreeNode node;

    private final TreeKey lowOfNext;

    private LocalBuffer results;

    /** The lock that this thread holds, if it holds one. */
    private long lock;

    private long mark;

    TreeAccess(TreeNode node, ComputeThread ct) {
        this.node = node;
        this.lowOfNext = new TreeKey(node.words());
        this.results = allocateResults(ct);
    }

    private LocalBuffer allocateResults(ComputeThread ct) {
        return ct.allocateLocal(LOW_OF_NEXT + keyBytes());
    }

    private int keyBytes() {
        return node.words() * Long.BYTES;
    }

    /** After a failure, outstanding operations may still use the old local memory: they keep it. */
    final void renewLocal(ComputeThread ct) {
        node.renewLocal(ct);
        results = allocateResults(ct);
    }

    // ------------------------------------------------------------------------------------------------ reading

    /** READs a node as a whole. One round trip, and more only while it is being changed. */
    final void read(long at, ComputeThread ct) {
        node.read(at, ct);
        complete(ct);
    }

    /** READs the node of the copy again until it is whole. */
    final void complete(ComputeThread ct) {
        long at = node.pointer();
        for (int misses = 1; !node.isWhole(); misses++) {
            awaitOrder(misses, node.lock(), ct);
            node.read(at, ct);
        }
    }

    /**
     * READs a node as a whole while no thread has it locked: {@link TreeNode#wasFree}. One round trip, and more only
     * while it is locked.
     */
    final void readAsPinned(long at, ComputeThread ct) {
        node.readAsPinnedIn(ct.sequence(), at).execute();
        for (int misses = 1; !node.isWhole() || !node.wasFree(); misses++) {
            awaitOrder(misses, node.lock(), ct);
            node.readAsPinnedIn(ct.sequence(), at).execute();
        }
    }

    /** Waits a little for the holder of the node's lock. If there is none, or a lost one, puts the node in order. */
    private void awaitOrder(int misses, long holder, ComputeThread ct) {
        if (misses == 1 || !ct.lockWords().canAcquire(holder)) {
            await(holder, ct);
        } else if (tryLock(node.pointer(), ct)) {
            release(ct);
        }
    }

    /** Waits a little for the holder of a lock. */
    private static void await(long holder, ComputeThread ct) {
        if (ct.lockWords().canAcquire(holder)) {
            ct.pause();
        } else if (LockWords.holder(holder) == ct.id()) {
            ct.place(); // this thread has released it, on a lane that is behind the others
            ct.pause();
        } else {
            ct.pauseForHolder(LockWords.holder(holder));
        }
    }

    // ------------------------------------------------------------------------------------------------ locking

    /**
     * Locks a node and READs it. One round trip if it is free. A lock is held for one round trip, so after a miss the
     * thread tries a few times more, and only then looks at the lock before it tries: of a node that many update, the
     * lock is free for half as long that way.
     */
    final void lock(long at, ComputeThread ct) {
        long seen = LockWords.FREE;
        for (int misses = 1; !swap(at, seen, ct); misses++) {
            seen = results.getLong(HOLDER);
            if (misses < ATTEMPTS && !ct.lockWords().canAcquire(seen)) {
                await(seen, ct);
                seen = LockWords.FREE;
            } else {
                seen = awaitFree(at, seen, ct);
            }
        }
        putInOrder(ct);
    }

    /** Returns the word of a lock that can be acquired. */
    private static long awaitFree(long at, long holder, ComputeThread ct) {
        long seen = holder;
        do {
            await(seen, ct); // also if it is free again: others, which have lost too, try at the same time
            seen = ct.read(at + TreeNode.LOCK);
        } while (!ct.lockWords().canAcquire(seen));
        return seen;
    }

    /** The same, but returns false if another thread has locked it. */
    final boolean tryLock(long at, ComputeThread ct) {
        if (!swap(at, LockWords.FREE, ct)) {
            long seen = results.getLong(HOLDER);
            if (!ct.lockWords().canAcquire(seen) || !swap(at, seen, ct)) {
                return false;
            }
        }
        putInOrder(ct);
        return true;
    }

    /** One attempt. The READ does not overtake the COMPARE_AND_SWAP, so it finds all that earlier holders changed. */
    private boolean swap(long at, long seen, ComputeThread ct) {
        lock = at + TreeNode.LOCK;
        mark = ct.lockWords().newMark();
        try {
            Sequence chain = ct.sequence();
            lockAndReadIn(chain, at, seen);
            chain.execute();
        } catch (RuntimeException e) {
            undo(ct);
            throw e;
        }
        return results.getLong(HOLDER) == seen;
    }

    void lockAndReadIn(Sequence chain, long at, long seen) {
        lockIn(chain, seen);
        node.readIn(chain, at);
    }

    final void lockIn(Sequence chain, long seen) {
        chain.compareAndSwap(lock, seen, mark, results, HOLDER);
    }

    /** Posts the release of the node, of which this thread has changed nothing. */
    final void release(ComputeThread ct) {
        ct.lockWords().postRelease(lock, mark);
    }

    /** Executes a chain of WRITEs to the locked node, and releases it behind them. One round trip. */
    void executeAndRelease(Sequence chain, ComputeThread ct) {
        try {
            releaseIn(chain).execute();
        } catch (RuntimeException e) {
            undo(ct);
            throw e;
        }
    }

    /** Adds the release to a chain: nothing overtakes a WRITE, so the next holder READs what was written before. */
    private Sequence releaseIn(Sequence chain) {
        return chain.compareAndSwap(lock, mark, LockWords.FREE, results, HOLDER);
    }

    /** Releases the node after a failure, if this thread holds it. What is half changed there can be seen. */
    final void undo(ComputeThread ct) {
        ct.lockWords().release(lock, mark);
    }

    /** Completes what an earlier holder has left half changed in the locked node. No round trip if there is nothing. */
    void putInOrder(ComputeThread ct) {
        if (node.isWhole()) {
            return;
        }
        try {
            narrowToLink(ct);
            Sequence chain = ct.sequence();
            node.writeBoundsIn(chain);
            node.writeSlotsIn(chain);
            chain.execute();
        } catch (RuntimeException e) {
            undo(ct);
            throw e;
        }
    }

    /** Lets the node end where the next one begins. The bit of a node that is gone is in the word of the link. */
    void narrowToLink(ComputeThread ct) {
        long link = node.link();
        if (link != RdmaPtr.NULL) {
            ct.read(link + TreeNode.LOW, results, LOW_OF_NEXT, keyBytes());
        }
        node.bound(lowOfNext.set(results, LOW_OF_NEXT));
    }
}
