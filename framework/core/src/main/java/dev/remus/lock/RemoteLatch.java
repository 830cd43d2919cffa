// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLongArray;
import java.util.Arrays;

/**
 * A countdown latch in remote memory: threads wait until others have counted down as often as they should. It opens
 * once, and stays open.
 *
 * <pre>
 *  0        16                 24                         16 + 8 * threads
 * +--------+------------------+------------------+-- ... --+
 * | length | what thread 0    | what thread 1    |         |   0: it has counted down
 * |        | has to count yet | has to count yet |         |
 * +--------+------------------+------------------+-- ... --+
 * </pre>
 *
 * <pre>{@code
 * RdmaPtr<RemoteLatch> shared = RemoteLatch.create(4, ct); // once, by one thread: four threads count down once
 * RemoteLatch latch = new RemoteLatch(shared, ct);         // each thread's own handle
 * ...
 * latch.countDown(ct);                                     // this thread has done its part
 * if (latch.await(ct) == Countdown.WITHOUT_LOST) { ... }   // all have, but those that are lost
 * }</pre>
 *
 * <p><b>Promises.</b> A wait that ends with {@link Countdown#COMPLETE} ends after all threads have counted down, and
 * everything that they had written or posted to remote memory before is placed. {@link #countDown} and {@link
 * #tryAwait} are wait-free, {@link #await} blocks.
 *
 * <p><b>Linearization points.</b> {@link #countDown}: when its WRITE becomes visible. A wait: the READ that finds the
 * last awaited word 0; words that have been 0 stay so.
 *
 * <p><b>Why it is right.</b> Each word has one writer, its thread, and only decreases. So a WRITE whose lane breaks is
 * repeated, which a FETCH_AND_ADD could not be. What the thread has posted is placed before that WRITE is posted.
 *
 * <p><b>Death.</b> A thread that is lost with its node before it has counted down is not waited for once the node is
 * cut off ({@link dev.remus.node.Peers#isLost}): waits end with {@link Countdown#WITHOUT_LOST} when all others have
 * counted down, and nothing of the lost thread arrives afterwards. If the node is not cut off within the loss time-out,
 * they end with a {@link dev.remus.fabric.NodeLostException}. (Under {@code --on-node-loss abort} every loss ends every
 * wait.) The waiters wait for a thread that stops, or is closed, without counting down. A node that comes back has
 * other threads, which have nothing to count here.
 *
 * <p><b>Round trips.</b> {@link #countDown} 1. A wait for a latch that is open 1. Another one 1 for each poll, which
 * READs the word of one thread, and 1 more for each thread that it has polled. Polls back off.
 */
public final class RemoteLatch {
    private static final long FOREVER = Long.MAX_VALUE;

    private final RemoteLongArray This;
    private final LocalBuffer copy;

    /** What this thread has to count yet. */
    private long own;

    /**
     * Makes a latch for which each of the first threads counts down once.
     *
     * @param threads the number of threads, which have the lowest {@linkplain ComputeThread#id ids}
     * @throws IllegalArgumentException if there are none
     */
    public static RdmaPtr<RemoteLatch> create(int threads, ComputeThread ct) {
        int[] counts = new int[Math.max(threads, 0)];
        Arrays.fill(counts, 1);
        return create(counts, ct);
    }

    /**
     * Makes a latch. One round trip, besides that of an allocation.
     *
     * @param counts how often each thread has to count down, by its {@link ComputeThread#id}; those of the last threads
     *     may be left out, and are 0 then
     * @throws IllegalArgumentException if none is given, or one is negative
     */
    public static RdmaPtr<RemoteLatch> create(int[] counts, ComputeThread ct) {
        for (int count : counts) {
            if (count < 0) {
                throw new IllegalArgumentException("a latch for a thread that counts down " + count + " times");
            }
        }
        RemoteLongArray latch = RemoteLongArray.allocate(counts.length, ct);
        for (int i = 0; i < counts.length; i++) {
            latch.post(i, counts[i], ct);
        }
        ct.place();
        return new RdmaPtr<>(latch.block().raw());
    }

    /** Makes a thread's handle. Each thread has one, since it remembers how often it has counted. Two round trips. */
    public RemoteLatch(RdmaPtr<RemoteLatch> This, ComputeThread ct) {
        this.This = RemoteLongArray.open(new RdmaPtr<>(This.raw()), ct);
        copy = ct.allocateLocal((long) this.This.length() * Long.BYTES);
        loadFrom(0, ct);
        own = ct.id() < this.This.length() ? owed(ct.id()) : 0;
    }

    /**
     * Counts down.
     *
     * @throws IllegalStateException if this thread has nothing to count, or has counted all
     * @throws OutcomeUnknownException if something that this thread posted may be lost; then it has not counted
     */
    public void countDown(ComputeThread ct) {
        if (own == 0) {
            throw new IllegalStateException(ct + " counts down the " + this + " more often than it has to");
        }
        ct.place(); // a thread that was waiting may read on another lane
        own--;
        while (true) {
            try {
                This.store(ct.id(), own, ct);
                return;
            } catch (OutcomeUnknownException e) {
                ct.pause();
            }
        }
    }

    /**
     * Waits until the latch is open.
     *
     * @return {@link Countdown#COMPLETE} or {@link Countdown#WITHOUT_LOST}
     * @throws dev.remus.fabric.NodeLostException if a node is lost and was not cut off within the loss time-out
     * @throws OutcomeUnknownException if something that this thread posted before may be lost; then it has not waited
     */
    public Countdown await(ComputeThread ct) {
        return tryAwait(FOREVER, ct);
    }

    /**
     * Waits until the latch is open, or the time is over.
     *
     * @param nanos how long to wait; 0 or less polls once
     * @throws dev.remus.fabric.NodeLostException as {@link #await}
     * @throws OutcomeUnknownException as {@link #await}
     */
    public Countdown tryAwait(long nanos, ComputeThread ct) {
        ct.place(); // or a loss would be noticed, and not reported, by what follows
        long start = ct.nanoTime();
        boolean isAnyMissing = false;
        loadFrom(0, ct);
        for (int thread = 0; thread < This.length(); thread++) {
            if (owed(thread) == 0) {
                continue;
            }
            while (!hasCounted(thread, ct) && !ct.peers().isLost(thread)) {
                if (ct.nanoTime() - start >= nanos) {
                    return Countdown.TIMED_OUT;
                }
                ct.pauseForHolder(thread);
            }
            loadFrom(thread, ct); // after the loss was known: its last WRITE may have arrived meanwhile
            isAnyMissing |= owed(thread) > 0;
        }
        return isAnyMissing ? Countdown.WITHOUT_LOST : Countdown.COMPLETE;
    }

    /**
     * How often a thread still had to count down when this handle READ its word last, which a wait does. No round trip.
     *
     * @param thread its {@link ComputeThread#id}
     */
    public long owed(int thread) {
        return thread < This.length() ? copy.getLong((long) thread * Long.BYTES) : 0;
    }

    /** Frees the latch. No thread may use it any more. */
    public void destroy(ComputeThread ct) {
        This.free(ct);
    }

    private boolean hasCounted(int thread, ComputeThread ct) {
        while (true) {
            try {
                return This.load(thread, ct) == 0;
            } catch (OutcomeUnknownException e) {
                ct.pause();
            }
        }
    }

    /** READs the words of the threads from this one on. */
    private void loadFrom(int thread, ComputeThread ct) {
        while (true) {
            try {
                This.load(thread, This.length() - thread, copy, (long) thread * Long.BYTES, ct);
                return;
            } catch (OutcomeUnknownException e) {
                ct.pause();
            }
        }
    }

    @Override
    public String toString() {
        return "latch at (" + RdmaPtr.toString(This.block().raw()) + ")";
    }
}
