// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.LockKind;
import dev.remus.node.LockWords;
import dev.remus.record.RemoteLongArray;

/**
 * A semaphore in remote memory: a number of permits, each held by at most one thread, and given back by the death of
 * that thread.
 *
 * <pre>
 *  0        16         24                    16 + 8 * permits
 * +--------+----------+----------+-- ... --+
 * | length | permit 0 | permit 1 |         |   0: free; else the mark of its holder
 * +--------+----------+----------+-- ... --+
 * </pre>
 *
 * <pre>{@code
 * RdmaPtr<RemoteSemaphore> shared = RemoteSemaphore.create(3, ct);   // once, by one thread: three permits
 * RemoteSemaphore semaphore = new RemoteSemaphore(shared, ct);       // each thread's own handle
 * semaphore.acquire(ct);
 * try {
 *     ...
 * } finally { semaphore.release(ct); }
 * }</pre>
 *
 * <p><b>Promises.</b> No more threads are inside than there are permits, and each permit that a thread releases can be
 * acquired. What a thread has written or posted to remote memory before it releases a permit is placed before another
 * thread has that permit. It is not fair: a waiter may be overtaken any number of times, and where order matters, a
 * {@link RemoteLock} keeps it. {@link #tryAcquire} fails only if it found each permit held, or taken by another thread
 * first, one after the other. So perhaps not all were held at one moment. {@link #acquire} blocks, {@link #release} is
 * wait-free. A thread may hold several permits. It releases its own only, unlike one of a Java semaphore.
 *
 * <p><b>Linearization points.</b> Of an acquisition: the COMPARE_AND_SWAP of a permit from free, or from the mark of a
 * lost thread, to this thread's mark. Of a release: the COMPARE_AND_SWAP of the permit to free.
 *
 * <p><b>Why it is right.</b> Each permit is a lock word ({@link LockWords}), so it has one holder. There is no count
 * beside the permits that could differ from them, and none is lost if a lane breaks.
 *
 * <p><b>Death.</b> The permits of a thread that is lost with its node count as free as soon as the node is cut off
 * ({@link dev.remus.node.Peers#isLost}). Nothing shows the next holder that the thread was lost, which may have left
 * its work half done. If all permits are held by threads of nodes that were not cut off within the loss time-out, waits
 * end with a {@link LostHolderException}. A thread that ends without releasing its permits fails its node, and they
 * return in the same way. The waiters wait for one that stops without ending.
 *
 * <p><b>Round trips.</b> {@link #acquire} 2, and 1 more for each permit that another thread takes first; 1 for each
 * poll while waiting, which READs 8 bytes for each permit. Polls back off. {@link #release} 1.
 */
public final class RemoteSemaphore {
    /** The highest number of permits. */
    public static final int MOST_PERMITS = 4_096;

    private static final long FOREVER = Long.MAX_VALUE;

    private final RemoteLongArray This;
    private final LocalBuffer copy;

    /** The permits that this thread holds, the latest last, and their marks. */
    private final int[] held;

    private final long[] marks;
    private int holds;

    /** Where this thread begins to look for a free permit. */
    private int first;

    /**
     * Makes a semaphore whose permits are all free. Two round trips, besides that of an allocation.
     *
     * @param permits the number of permits, 1 to {@link #MOST_PERMITS}
     * @throws IllegalArgumentException if the number is out of range
     */
    public static RdmaPtr<RemoteSemaphore> create(int permits, ComputeThread ct) {
        if (permits < 1 || permits > MOST_PERMITS) {
            throw new IllegalArgumentException(
                    "a semaphore of " + permits + " permits: needs 1 to " + MOST_PERMITS + " permits");
        }
        RemoteLongArray semaphore = RemoteLongArray.allocate(permits, ct);
        for (int i = 0; i < permits; i++) {
            semaphore.post(i, LockWords.FREE, ct);
        }
        ct.place();
        return new RdmaPtr<>(semaphore.block().raw());
    }

    /** Makes a thread's handle. One round trip. */
    public RemoteSemaphore(RdmaPtr<RemoteSemaphore> This, ComputeThread ct) {
        this.This = RemoteLongArray.open(new RdmaPtr<>(This.raw()), ct);
        copy = ct.allocateLocal((long) permits() * Long.BYTES);
        held = new int[permits()];
        marks = new long[permits()];
        first = ct.id() % permits();
    }

    /** The number of permits, free or not. No round trip. */
    public int permits() {
        return This.length();
    }

    /**
     * Acquires a permit, and waits until there is one.
     *
     * @throws LostHolderException if each permit is held by a thread that is lost and was not cut off within the loss
     *     time-out
     * @throws OutcomeUnknownException if something that this thread posted before may be lost; then it has not begun
     * @throws IllegalStateException if this thread holds all permits
     */
    public void acquire(ComputeThread ct) {
        tryAcquire(FOREVER, ct);
    }

    /**
     * Acquires a permit if there is one in time.
     *
     * @param nanos how long to wait; 0 or less polls once
     * @return whether this thread has acquired one
     * @throws LostHolderException as {@link #acquire}
     * @throws OutcomeUnknownException as {@link #acquire}
     * @throws IllegalStateException as {@link #acquire}
     */
    public boolean tryAcquire(long nanos, ComputeThread ct) {
        if (holds == permits()) {
            throw new IllegalStateException(ct + " holds all permits of the " + this + " already");
        }
        ct.place(); // or a loss would be noticed, and not reported, by what follows
        long start = ct.nanoTime();
        long mark = ct.lockWords().newMark();
        try {
            while (!isTaken(mark, ct)) {
                if (ct.nanoTime() - start >= nanos) {
                    return false;
                }
                ct.locks().startWaiting(This.block().raw(), LockKind.PERMIT);
                ct.pause();
            }
            return true;
        } finally {
            ct.locks().stopWaiting();
        }
    }

    /** Takes one of the permits that were free when it READ them all. */
    private boolean isTaken(long mark, ComputeThread ct) {
        load(ct);
        int inVain = 0;
        for (int i = 0; i < permits(); i++) {
            int permit = (first + i) % permits();
            long seen = copy.getLong((long) permit * Long.BYTES);
            if (ct.lockWords().canAcquire(seen)) {
                if (isTaken(permit, seen, mark, ct)) {
                    return true;
                }
            } else if (ct.peers().isLostAndNotCutOff(LockWords.holder(seen)) && ++inVain == permits()) {
                int thread = LockWords.holder(seen);
                throw LostHolderException.notCutOff(
                        toString(), thread, ct.peers().nodeOf(thread));
            }
        }
        return false;
    }

    private boolean isTaken(int permit, long seen, long mark, ComputeThread ct) {
        try {
            if (ct.lockWords().tryAcquire(This.pointer(permit), seen, mark) != seen) {
                return false;
            }
        } catch (OutcomeUnknownException e) {
            return false; // then this thread does not hold it
        }
        held[holds] = permit;
        marks[holds] = mark;
        holds++;
        first = permit;
        ct.locks().add(This.pointer(permit), LockKind.PERMIT);
        return true;
    }

    /**
     * Releases the permit that this thread has acquired last.
     *
     * @throws OutcomeUnknownException if something that this thread posted may be lost; then it still holds the permit
     * @throws IllegalStateException if this thread holds none, or none through this handle
     */
    public void release(ComputeThread ct) {
        if (holds == 0) {
            throw new IllegalStateException(
                    ct + " releases a permit of the " + this + ", and has acquired none through this handle");
        }
        ct.place(); // the next holder may read on another lane
        holds--;
        long permit = This.pointer(held[holds]);
        ct.locks().remove(permit); // if the release fails, the next operation repeats it
        ct.lockWords().release(permit, marks[holds]);
    }

    /**
     * The number of permits that were free, or held by lost threads that are cut off, when it READ them; for messages.
     * One round trip.
     */
    public int available(ComputeThread ct) {
        load(ct);
        int available = 0;
        for (int i = 0; i < permits(); i++) {
            available += ct.lockWords().canAcquire(copy.getLong((long) i * Long.BYTES)) ? 1 : 0;
        }
        return available;
    }

    /** Frees the semaphore. No thread may use it any more, or hold a permit. */
    public void destroy(ComputeThread ct) {
        This.free(ct);
    }

    /** READs all permits, again if the lane breaks. */
    private void load(ComputeThread ct) {
        while (true) {
            try {
                This.load(copy, ct);
                return;
            } catch (OutcomeUnknownException e) {
                ct.pause();
            }
        }
    }

    @Override
    public String toString() {
        return "semaphore at (" + RdmaPtr.toString(This.block().raw()) + ")";
    }
}
