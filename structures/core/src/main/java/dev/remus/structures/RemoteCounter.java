// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.RemoteFuture;
import dev.remus.record.RemoteLongArray;
import org.jspecify.annotations.Nullable;

/**
 * A counter that many threads add to at the same time, each on a word of its own or one that it shares with few others.
 *
 * <pre>
 *  0        16                    16 + 8 * stripes
 * +--------+----------+-- ... --+-----------+
 * | length | stripe 0 |         | last      |   pointers to the stripes, which never change
 * +--------+----|-----+-- ... --+-----|-----+
 *               v                     v
 *           +-------+             +-------+
 *           | count |             | count |       each a block of 64 bytes, on the Memory Nodes in turn
 *           +-------+             +-------+
 * </pre>
 *
 * <pre>{@code
 * RdmaPtr<RemoteCounter> shared = RemoteCounter.create(8, ct);   // once, by one thread
 * RemoteCounter counter = new RemoteCounter(shared, ct);         // each thread's own handle
 * counter.add(1, ct);
 * long sum = counter.sum(ct);
 * }</pre>
 *
 * <p><b>Promises.</b> Nothing that is added is lost. A {@link #sum} contains each addition that ended before it began,
 * none that began after it ended, and of those in between some or all. So it is exact when no other thread adds
 * meanwhile. It is not linearizable: of two additions at the same time, one sum may contain only the first and another
 * sum only the second. If only positive numbers are added, a sum is at least what the counter was when it began and at
 * most what it was when it ended, and not below a sum that ended before it began. The bounds are intermediate value
 * linearizability (A. Rinberg and I. Keidar, DISC 2020). Sums wrap around. Both methods are wait-free.
 *
 * <p><b>Linearization points.</b> An addition: its FETCH_AND_ADD. A sum has none; it READs each stripe at a moment of
 * its own.
 *
 * <p><b>Why it is right.</b> A stripe changes by FETCH_AND_ADD only, and takes all its additions in one order. So a
 * READ contains those before it, and a later READ those too.
 *
 * <p><b>Death.</b> A thread that dies blocks no other. Its last addition is in the counter or never will be, once its
 * node is cut off. If the lane of an addition breaks, it is unknown whether it has been made, and it is not repeated.
 * If a Memory Node is lost, so is what its stripes have counted, and {@link #sum} fails.
 *
 * <p><b>Round trips.</b> {@link #add} 1, whatever the number of threads. {@link #sum} one READ for each stripe, which
 * overlap: 1 if {@code --cn-ops-per-thread} is at least the number of stripes. With one stripe for each thread no two
 * threads change the same word. A card makes 2 to 10 million atomics a second on one word, so fewer do for most.
 *
 * <p>Source: the idea of adders that are summed when read is that of {@code java.util.concurrent.atomic.LongAdder}.
 */
public final class RemoteCounter {
    /** The highest number of stripes. */
    public static final int MOST_STRIPES = 4_096;

    private final RemoteLongArray This;
    private final long[] stripes;

    /** The stripe to which this thread adds. */
    private final long own;

    /** The READs of one sum; as many as a thread may have outstanding. */
    private final RemoteFuture[] reads;

    /**
     * Makes a counter that is 0.
     *
     * @param stripes the number of stripes, 1 to {@link #MOST_STRIPES}
     * @throws IllegalArgumentException if the number is out of range
     * @throws dev.remus.memory.OutOfRemoteMemoryException as {@link ComputeThread#allocate}
     */
    public static RdmaPtr<RemoteCounter> create(int stripes, ComputeThread ct) {
        if (stripes < 1 || stripes > MOST_STRIPES) {
            throw new IllegalArgumentException(
                    "a counter of " + stripes + " stripes: needs 1 to " + MOST_STRIPES + " stripes");
        }
        ClusterConfig config = ct.config();
        RemoteLongArray counter = RemoteLongArray.allocate(stripes, ct);
        for (int i = 0; i < stripes; i++) {
            long stripe = ct.allocateOn(config.firstMemoryNode() + i % config.memoryNodes(), Long.BYTES);
            ct.post(stripe, 0);
            counter.post(i, stripe, ct);
        }
        ct.place();
        return new RdmaPtr<>(counter.block().raw());
    }

    /** Makes a thread's handle. One round trip for each stripe, and one more. */
    public RemoteCounter(RdmaPtr<RemoteCounter> This, ComputeThread ct) {
        this.This = RemoteLongArray.open(new RdmaPtr<>(This.raw()), ct);
        stripes = new long[this.This.length()];
        for (int i = 0; i < stripes.length; i++) {
            stripes[i] = this.This.load(i, ct);
        }
        own = stripes[ct.id() % stripes.length];
        reads = new RemoteFuture[Math.min(stripes.length, ct.config().opsPerThread())];
    }

    /** The number of stripes. No round trip. */
    public int stripes() {
        return stripes.length;
    }

    /**
     * Adds to the counter.
     *
     * @param number may be negative
     * @throws dev.remus.fabric.OutcomeUnknownException if the lane breaks: it may have been added
     */
    public void add(long number, ComputeThread ct) {
        ct.fetchAndAdd(own, number);
    }

    /**
     * Adds to the counter at some time before {@link ComputeThread#place} returns, which fails if the lane breaks: it
     * may have been added. Sums of this thread may not contain it yet. Waits for no round trip.
     */
    public void post(long number, ComputeThread ct) {
        ct.postFetchAndAdd(own, number);
    }

    /**
     * The sum of all that was added before this was called, and perhaps of additions since.
     *
     * @throws dev.remus.fabric.OutcomeUnknownException if a lane breaks; it can be called again
     * @throws dev.remus.fabric.NodeLostException if the Memory Node of a stripe is lost
     * @throws IllegalStateException if this thread has so many asynchronous operations outstanding that there is no
     *     room for one on each stripe, or {@code --cn-ops-per-thread} of them
     */
    public long sum(ComputeThread ct) {
        long sum = 0;
        for (int from = 0; from < stripes.length; from += reads.length) {
            sum += sum(from, Math.min(reads.length, stripes.length - from), ct);
        }
        return sum;
    }

    private long sum(int from, int count, ComputeThread ct) {
        int posted = 0;
        @Nullable RuntimeException failure = null;
        try {
            for (; posted < count; posted++) {
                reads[posted] = ct.async().read(stripes[from + posted]);
            }
        } catch (RuntimeException e) {
            failure = e; // those that are outstanding are awaited all the same
        }
        long sum = 0;
        for (int i = 0; i < posted; i++) {
            try {
                sum += reads[i].await();
            } catch (RuntimeException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return sum;
    }

    /** Frees the counter. No thread may use it any more. */
    public void destroy(ComputeThread ct) {
        for (long stripe : stripes) {
            ct.free(stripe, Long.BYTES);
        }
        This.free(ct);
    }

    @Override
    public String toString() {
        return "RemoteCounter at (" + RdmaPtr.toString(This.block().raw()) + ")";
    }
}
