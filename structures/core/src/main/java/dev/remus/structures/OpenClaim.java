// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.InterruptedWaitException;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.fabric.UnsettledException;
import dev.remus.node.Cleanup;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import dev.remus.node.StampedArray;
import dev.remus.record.RemoteLongArray;
import org.jspecify.annotations.Nullable;

/**
 * A producer's announcement of the positions of a {@link Ring} that it may still fill, under {@code --on-node-loss
 * continue}. So the consumer can tell a position whose producer is lost from one whose producer is slow ({@link
 * OpenClaims}).
 *
 * <pre>
 *  WRITE claim = from next;  FAA(claimed, 1)         one sequence: the producer gets a position from next on
 *  WRITE claim = from p                              only before it waits for room for position p
 *  WRITE item;  WRITE state;  WRITE claim = none     one sequence
 * </pre>
 *
 * <p>Here {@code next} is what the producer has last seen as {@code claimed}. The announcements cost no round trip,
 * except the one before a wait.
 *
 * <p><b>Why it is right.</b> WRITEs of a lane become visible in their order, and before an atomic behind them takes
 * effect. So a consumer that sees a position claimed, and then that a thread's claim is none or begins later, sees
 * next that this thread has filled the position, if it was ever to do so. An operation ends when its last WRITE is
 * placed. So the word has the claim of the thread's present operation, whatever the lanes, and however many handles the
 * thread has.
 *
 * <p><b>When a lane breaks.</b> Of the WRITEs that were in flight, words may become visible at any later time, and
 * others never: those of the item, of the state, and of the claim itself. If the claim were given up meanwhile, on
 * another lane, a late state or item could meet a block that is used again. A late claim could stay for ever, or hide
 * the next one. So the failed enqueue first calls {@link ComputeThread#place} until that returns. Then the lane is
 * connected again: the Memory Node has destroyed the old queue pair before it answered, so that nothing arrives any
 * more, and what has arrived is placed. Only then does the thread WRITE that it fills no more positions. Until then the
 * claim stays, unless a WRITE that was in flight has ended it: then the state and the items, which are before it on the
 * same lane, are there too. So the consumer takes an item that arrives late, or waits.
 *
 * <p>If the lane cannot be connected, the enqueue waits, and the consumer with it, for as long as the Memory Node lives
 * and the thread's process does. No thread can know earlier that nothing arrives. If the process ends, the Memory Nodes
 * cut it off, and its claim counts no more. An enqueue that throws has no open claim, so its thread may do anything
 * afterwards, or nothing.
 *
 * <p><b>When the thread is interrupted,</b> it waits for nothing. What is in flight may arrive, and the claim is given
 * up behind that: at once if possible, else by a {@link Cleanup} at the thread's later operations. A later enqueue
 * makes no announcement before that.
 */
final class OpenClaim {
    /** The word of a thread that fills no position. */
    private static final long NONE = 0;

    private static final int WORD = 0;
    private static final int RESULT = Long.BYTES;

    private final Ring ring;
    private final long word;
    private final LocalBuffer local;

    /** What this handle has announced in its present operation. */
    private long announced = NONE;

    private OpenClaim(Ring ring, long word, ComputeThread ct) {
        this.ring = ring;
        this.word = word;
        this.local = ct.allocateLocal(2 * Long.BYTES);
    }

    /** That of a thread; null under {@code --on-node-loss abort}. */
    static @Nullable OpenClaim of(Ring ring, ComputeThread ct) {
        RemoteLongArray claims = ring.claims();
        return claims == null ? null : new OpenClaim(ring, claims.pointer(ct.id()), ct);
    }

    /** The word of a thread that may fill positions from this one on: not {@link #NONE}, and in their order. */
    private static long from(long position) {
        return position << 1 | 1;
    }

    /** Whether a thread with this word may still fill a position. */
    static boolean mayFill(long word, long position) {
        return word != NONE && word - from(position) <= 0;
    }

    private Sequence announcing(long position, ComputeThread ct) {
        if (Cleanup.isPending(ct)) {
            ct.place(); // or a claim that is still to be given up would take this one with it
        }
        announced = from(position);
        local.putLong(WORD, announced);
        return ct.sequence().write(word, local, WORD, Long.BYTES);
    }

    /** Claims positions, none of which is below {@code next}; returns the first. */
    long take(long next, int count, ComputeThread ct) {
        announcing(next, ct)
                .fetchAndAdd(ring.claimed.pointer(), count, local, RESULT)
                .execute();
        return local.getLong(RESULT);
    }

    /** Swaps a word that gives a position to the thread that succeeds; returns what it was before. */
    long compareAndSwap(long position, long pointer, long expected, long desired, ComputeThread ct) {
        if (mayFill(announced, position)) {
            return ct.compareAndSwap(pointer, expected, desired);
        }
        announcing(position, ct)
                .compareAndSwap(pointer, expected, desired, local, RESULT)
                .execute();
        return local.getLong(RESULT);
    }

    /** Announces that this thread will fill no position below this one. To be called before it waits. */
    void moveTo(long position, ComputeThread ct) {
        if (announced != from(position)) {
            announcing(position, ct).execute();
        }
    }

    /** WRITEs items as {@link StampedArray#write} does, and behind them that this thread fills no more positions. */
    void fill(StampedArray blocks, int place, int block, int count, long state) {
        Sequence sequence = blocks.writing(place, block, count, state);
        announced = NONE;
        local.putLong(WORD, NONE);
        sequence.write(word, local, WORD, Long.BYTES).execute();
    }

    /** Gives up what this thread has claimed in the present operation and has not filled. */
    void giveUp(ComputeThread ct) {
        if (announced != NONE) {
            announced = NONE;
            ct.write(word, NONE);
        }
    }

    /**
     * The same after a failure, once nothing that this thread has posted can arrive any more.
     *
     * @return the failure, with an outcome that is unknown but settled
     * @throws NodeLostException if the queue's memory is lost
     */
    RuntimeException giveUp(RuntimeException failure, ComputeThread ct) {
        announced = NONE;
        if (isRefused(failure)) {
            return failure;
        } else if (failure instanceof InterruptedWaitException) {
            giveUpLater(ct);
            return failure;
        }
        try {
            while (!tryGiveUp(failure, ct)) {
                ct.pause();
            }
        } catch (FabricException e) {
            if (e instanceof InterruptedWaitException) {
                giveUpLater(ct);
            }
            if (e != failure) {
                e.addSuppressed(failure);
            }
            throw e;
        }
        if (failure instanceof UnsettledException) {
            RuntimeException settled = new OutcomeUnknownException("an enqueue failed: its outcome is unknown");
            settled.initCause(failure);
            return settled;
        }
        return failure;
    }

    /** Gives up the claim once nothing of the failed enqueue can arrive any more, without waiting for that here. */
    private void giveUpLater(ComputeThread ct) {
        Cleanup.run(() -> ct.write(word, NONE), ct);
    }

    /** Whether the Memory Node has refused a request, as it would refuse the WRITE that gives up. */
    private static boolean isRefused(RuntimeException failure) {
        return failure instanceof FabricException
                && !(failure instanceof OutcomeUnknownException
                        || failure instanceof UnsettledException
                        || failure instanceof InterruptedWaitException
                        || failure instanceof NodeLostException);
    }

    private boolean tryGiveUp(RuntimeException failure, ComputeThread ct) {
        try {
            ct.place();
            ct.write(word, NONE);
            return true;
        } catch (UnsettledException e) {
            return false;
        } catch (OutcomeUnknownException e) {
            failure.addSuppressed(e); // about what the thread has posted, perhaps for something else
            return false;
        }
    }
}
