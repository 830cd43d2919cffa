// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Decodes the words of a {@link RemoteQueueLock}, for a program that watches a cluster from outside. */
public final class QueueLockState {
    /** The words of a lock before its places. */
    private static final int OTHER_WORDS = 2;

    private static final long NONE = -1;

    private QueueLockState() {}

    /**
     * The owner of the first ticket that has not ended holds the lock; those of the later ones wait. Empty if the words
     * are not those of such a lock, or were read while it changed hands.
     *
     * @param words all {@link RemoteQueueLock#bytes} of the lock
     */
    public static Optional<LockState> of(long[] words) {
        int places = (words.length - OTHER_WORDS) / 2;
        long next = words[0];
        if (next < 0 || places < 1) {
            return Optional.empty();
        }
        OptionalInt holder = OptionalInt.empty();
        List<Integer> waiters = new ArrayList<>();
        long turns = NONE;
        for (long ticket = next - places; ticket < next; ticket++) {
            long word = words[OTHER_WORDS + (int) Math.floorMod(ticket, (long) places)];
            long ahead = QueueTicket.ahead(word, ticket);
            int state = QueueTicket.state(word);
            boolean isUnclaimed = ahead < 0; // its place still has the word of an earlier ticket, which has ended
            boolean hasEnded = state < QueueTicket.CLAIMED;
            if (state > QueueTicket.ABANDONED || ahead > 0 || -ahead > places || isUnclaimed && !hasEnded) {
                return Optional.empty();
            }
            boolean isLive = isUnclaimed || state == QueueTicket.CLAIMED;
            if (isLive && turns == NONE) {
                turns = Math.max(ticket, 0);
                holder = isUnclaimed ? OptionalInt.empty() : OptionalInt.of(QueueTicket.thread(word));
            } else if (isLive && !isUnclaimed) {
                waiters.add(QueueTicket.thread(word));
            }
        }
        return Optional.of(new LockState(holder, waiters, turns == NONE ? next : turns));
    }
}
