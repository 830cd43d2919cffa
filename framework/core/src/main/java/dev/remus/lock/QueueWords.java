// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.Cleanup;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The words of a {@link RemoteQueueLock}, with operations that find out what they did if a lane breaks. Without that,
 * each takes one round trip.
 */
final class QueueWords {
    private static final int DRAWN = 0;
    private static final int SERVED = 8;
    private static final int SWAPPED = 16;
    private static final int BEFORE = 24;
    private static final int STORED = 32;
    private static final int WAITER = 40;
    private static final int BEHIND = 48;
    private static final int WAITER_BEHIND = 56;
    private static final int LOCAL_BYTES = 64;

    private final RemoteLong next;
    private final RemoteLong served;
    private final RemoteLongArray places;
    private final RemoteLongArray waiters;
    private @Nullable LocalBuffer local;

    QueueWords(RemoteLong next, RemoteLong served, RemoteLongArray places, RemoteLongArray waiters) {
        this.next = next;
        this.served = served;
        this.places = places;
        this.waiters = waiters;
    }

    /** The number of places, which the tickets use in turn. */
    int length() {
        return places.length();
    }

    private int index(long ticket) {
        return (int) Math.floorMod(ticket, (long) places.length());
    }

    private LocalBuffer local(ComputeThread ct) {
        LocalBuffer own = local;
        if (own == null) {
            own = ct.allocateLocal(LOCAL_BYTES);
            local = own;
        }
        return own;
    }

    /**
     * Draws a ticket, and READs {@link #served}. If the outcome is unknown, draws again: if the first ticket was drawn,
     * it is never claimed, and the waiters pass it by.
     */
    long draw(ComputeThread ct) {
        LocalBuffer words = local(ct);
        while (true) {
            try {
                ct.sequence()
                        .fetchAndAdd(next.pointer(), 1, words, DRAWN)
                        .read(served.pointer(), words, SERVED, Long.BYTES)
                        .execute();
                return words.getLong(DRAWN);
            } catch (OutcomeUnknownException e) {
                ct.pause();
            }
        }
    }

    /**
     * Swaps the word of a ticket by its owner, and READs the word of the ticket before it ({@link #before}). Returns
     * the old value; the expected one if it was swapped, also if that became known only after a lane broke.
     *
     * @param waiter the pointer to the owner's {@link WaiterWord}, which is placed before the word is swapped
     */
    long change(long ticket, long expected, long desired, long waiter, ComputeThread ct) {
        LocalBuffer words = local(ct);
        words.putLong(WAITER, waiter);
        boolean isUnknown = false;
        while (true) {
            try {
                ct.sequence()
                        .write(waiters.pointer(index(ticket)), words, WAITER, Long.BYTES)
                        .compareAndSwap(places.pointer(index(ticket)), expected, desired, words, SWAPPED)
                        .read(places.pointer(index(ticket - 1)), words, BEFORE, Long.BYTES)
                        .execute();
                long seen = words.getLong(SWAPPED);
                return isUnknown && seen == desired ? expected : seen;
            } catch (OutcomeUnknownException e) {
                isUnknown = true;
                ct.pause();
            }
        }
    }

    /** READs the word of a ticket, and {@link #served}. */
    long poll(long ticket, ComputeThread ct) {
        LocalBuffer words = local(ct);
        while (true) {
            try {
                ct.sequence()
                        .read(places.pointer(index(ticket)), words, BEFORE, Long.BYTES)
                        .read(served.pointer(), words, SERVED, Long.BYTES)
                        .execute();
                return words.getLong(BEFORE);
            } catch (OutcomeUnknownException e) {
                ct.pause();
            }
        }
    }

    /** The word that the last {@link #change} has READ. */
    long before(ComputeThread ct) {
        return local(ct).getLong(BEFORE);
    }

    /**
     * A ticket that was served, as of the last {@link #draw} or {@link #poll}: usually the last one. It is noted just
     * before its turn ends, so its owner may be lost in between. A thread that is delayed there may set it back.
     */
    long served(ComputeThread ct) {
        return local(ct).getLong(SERVED);
    }

    /** READs the word of a ticket. */
    long load(long ticket, ComputeThread ct) {
        while (true) {
            try {
                return places.load(index(ticket), ct);
            } catch (OutcomeUnknownException e) {
                ct.pause();
            }
        }
    }

    /**
     * Swaps the word of a ticket, and returns whether it was as expected. A word never returns to a value that it had,
     * except while its owner abandons and resumes the ticket, so a swap can be repeated.
     */
    boolean swap(long ticket, long expected, long desired, ComputeThread ct) {
        boolean isUnknown = false;
        while (true) {
            try {
                long seen = places.compareAndExchange(index(ticket), expected, desired, ct);
                return seen == expected || isUnknown && seen == desired;
            } catch (OutcomeUnknownException e) {
                isUnknown = true;
                ct.pause();
            }
        }
    }

    /**
     * Swaps the word of the holder's ticket, notes that it was served, and READs the ticket behind ({@link #behind}).
     *
     * @param also another word of the same Memory Node to be swapped in the same round trip, which may happen later; it
     *     never has the expected value again
     */
    void release(
            long ticket,
            long expected,
            long desired,
            @Nullable RemoteLong also,
            long alsoExpected,
            long alsoDesired,
            ComputeThread ct) {
        LocalBuffer words = local(ct);
        words.putLong(STORED, ticket);
        while (true) {
            try {
                Sequence sequence = ct.sequence();
                if (also != null) {
                    sequence.compareAndSwap(also.pointer(), alsoExpected, alsoDesired, words, BEFORE);
                }
                sequence.write(served.pointer(), words, STORED, Long.BYTES)
                        .compareAndSwap(places.pointer(index(ticket)), expected, desired, words, SWAPPED);
                readPlace(ticket + 1, sequence, words);
                sequence.execute();
                return;
            } catch (OutcomeUnknownException e) {
                ct.pause();
            }
        }
    }

    /**
     * Swaps the word of a ticket by its owner once everything that this thread gave up waiting for is over; now, or as
     * a {@link Cleanup}.
     *
     * @param also another word to be swapped before, or null
     */
    void swapByCleanup(
            long ticket,
            long expected,
            long desired,
            @Nullable RemoteLong also,
            long alsoExpected,
            long alsoDesired,
            ComputeThread ct) {
        long place = places.pointer(index(ticket));
        long other = also == null ? RdmaPtr.NULL : also.pointer();
        Cleanup.run(
                () -> {
                    if (other != RdmaPtr.NULL) {
                        ct.compareAndSwap(other, alsoExpected, alsoDesired);
                    }
                    ct.compareAndSwap(place, expected, desired);
                },
                ct);
    }

    /** READs the word of a ticket and the pointer to its waiter's word: {@link #behind}, {@link #waiterBehind}. */
    void loadBehind(long ticket, ComputeThread ct) {
        LocalBuffer words = local(ct);
        while (true) {
            try {
                Sequence sequence = ct.sequence();
                readPlace(ticket, sequence, words);
                sequence.execute();
                return;
            } catch (OutcomeUnknownException e) {
                ct.pause();
            }
        }
    }

    /** The pointer second: if the ticket was claimed, its own was placed before. */
    private void readPlace(long ticket, Sequence sequence, LocalBuffer words) {
        sequence.read(places.pointer(index(ticket)), words, BEHIND, Long.BYTES)
                .read(waiters.pointer(index(ticket)), words, WAITER_BEHIND, Long.BYTES);
    }

    /** The word that the last {@link #release} or {@link #loadBehind} has READ. */
    long behind(ComputeThread ct) {
        return local(ct).getLong(BEHIND);
    }

    /** The pointer that belongs to it; NULL if its owner has no word near itself. */
    long waiterBehind(ComputeThread ct) {
        return local(ct).getLong(WAITER_BEHIND);
    }
}
