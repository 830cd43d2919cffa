package dev.remus.structures;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.OutcomeUnknownException;
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
     * The same after a failure, unless what this thread has posted may still arrive.
     *
     * @throws FabricException if that fails; so its thread does not go on as if others had only to wait for it
     */
    void giveUp(RuntimeException failure, ComputeThread ct) {
        announced = NONE;
        if (failure instanceof FabricException
                && !(failure instanceof OutcomeUnknownException || failure instanceof NodeLostException)) {
            return;
        }
        try {
            while (!tryGiveUp(ct)) {
                ct.pause();
            }
        } catch (FabricException e) {
            if (e != failure) {
                e.addSuppressed(failure);
            }
            throw e;
        }
    }

    private boolean tryGiveUp(ComputeThread ct) {
        try {
            ct.write(word, NONE);
            return true;
        } catch (OutcomeUnknownException e) {
            return false;
        }
    }
}
