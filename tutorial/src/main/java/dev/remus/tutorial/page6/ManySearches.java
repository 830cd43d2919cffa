// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page6;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.RemoteFuture;
import dev.remus.node.Sequence;
import dev.remus.tutorial.page6.FastList.Node;
import dev.remus.tutorial.page6.FastList.Shared;

/**
 * Many searches in a {@link FastList} that take their steps together; all of them cost as many round trips as the
 * longest alone. Each thread has its own handle.
 */
public final class ManySearches {
    private final Shared This = new Shared();
    private final Node head = new Node();
    private final Node[] curr; // the node that each search has reached
    private final RemoteFuture[] steps; // the READ that each search awaits; null if the search has ended
    private long tail;

    /** Makes a handle for at most so many searches at once, and no more than {@code --cn-ops-per-thread}. */
    public ManySearches(RdmaPtr<Shared> This, int most) {
        this.This.at(This);
        curr = new Node[most];
        for (int i = 0; i < most; i++) {
            curr[i] = new Node();
        }
        steps = new RemoteFuture[most];
    }

    /** Returns which of these keys are in the set; each answer was right at some moment during this call. */
    public boolean[] contains(long[] keys, ComputeThread ct) {
        if (keys.length > curr.length) {
            throw new IllegalArgumentException(keys.length + " keys for a handle of " + curr.length + " searches");
        }
        return search(keys, first(ct), ct);
    }

    private long first(ComputeThread ct) {
        if (tail == RdmaPtr.NULL) {
            head.at(This.head.load(ct)); // never changes, nor does the tail
            tail = This.tail.load(ct);
        }
        return head.next.loadUnmarked(ct);
    }

    // #region search
    private boolean[] search(long[] keys, long first, ComputeThread ct) {
        boolean[] found = new boolean[keys.length];
        int underWay = 0;
        for (int i = 0; i < keys.length; i++) {
            underWay += look(i, first, ct);
        }
        while (underWay > 0) {
            ct.async().awaitAll(); // one round trip for all that are in flight
            underWay = 0;
            for (int i = 0; i < keys.length; i++) {
                if (steps[i] == null) {
                    continue;
                }
                steps[i].await(); // already complete: this only releases the future
                steps[i] = null;
                long key = curr[i].key.fetched();
                long next = curr[i].next.fetched();
                if (key < keys[i]) {
                    underWay += look(i, RdmaPtr.unmarked(next), ct);
                } else {
                    found[i] = key == keys[i] && !RdmaPtr.isMarked(next);
                }
            }
        }
        return found;
    }

    /** Posts the READ of a search's next node, without waiting. Returns how many it posted. */
    private int look(int search, long node, ComputeThread ct) {
        if (node == tail) {
            return 0;
        }
        Sequence step = ct.sequence();
        curr[search].at(node);
        curr[search].fetchIn(step, ct);
        steps[search] = step.executeAsync();
        return 1;
    }
    // #endregion search
}
