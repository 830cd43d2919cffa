// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codec;
import dev.remus.record.RemoteLongArray;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A queue of several {@linkplain ScalableQueue rings} on different Memory Nodes, for more operations than the head and
 * the tail of one ring take: a card makes 2 to 10 million atomics a second on one word.
 *
 * <pre>
 *  0        16         24                    16 + 8 * shards
 * +--------+----------+----------+-- ... --+
 * | length | shard 0  | shard 1  |         |   pointers to rings, which never change
 * +--------+----|-----+----|-----+-- ... --+
 *               v          v
 *             ring       ring                  on the Memory Nodes in turn
 * </pre>
 *
 * <p>Each thread is at home in one shard, that of its {@linkplain ComputeThread#id id} modulo their number. It enqueues
 * there only. It dequeues there first, and from the other shards, one after the other, if its own is empty.
 *
 * <p><b>Promises.</b> Each shard is linearizable, first in, first out. So the items of one producer leave in the order
 * in which it has enqueued them, and so do those of all threads of a shard. There is no order between shards: an item
 * may be overtaken by any number of items of other shards, though by none of its own. (As a whole, the queue is
 * k-out-of-order for no k.) No operation waits for another thread. FULL: at some moment of the call, the thread's own
 * shard had as many items as have room in it, although others may have had room. EMPTY: each shard was empty at some
 * moment of the call, one after the other, and perhaps never all at once. Items never move between shards. So EMPTY is
 * exact while no thread enqueues: then there was no item when the call ended.
 *
 * <p><b>Linearization points.</b> Those of the {@link ScalableQueue} for the shard in question; EMPTY has one for each.
 *
 * <p><b>Death.</b> As of a {@link ScalableQueue}: a thread that dies blocks no other. The items of a shard whose
 * threads are all lost are dequeued by the others. If a Memory Node is lost, so are the items on it.
 *
 * <p><b>Round trips.</b> Enqueue 2, dequeue 3, as of the ring, and 1 more for each shard that was found empty before.
 * EMPTY 1 for each shard. A handle reads what it needs to know about another shard when it looks there first.
 *
 * <p>Source: queues whose order is relaxed by distribution: A. Haas et al., "Distributed Queues in Shared Memory:
 * Multicore Performance and Scalability through Quantitative Relaxation", CF 2013. Unlike there, a producer keeps to
 * its shard, and with it to its order.
 *
 * @param <T> items
 */
public final class ShardedQueue<T> implements RemoteQueue<T> {
    private static final int MOST_SHARDS = 4_096;

    private final RemoteLongArray This;
    private final Codec<T> codec;
    private final int home;

    /** The handles of the shards; null for those at which this thread has not looked yet. */
    private final List<@Nullable ScalableQueue<T>> shards;

    /**
     * Makes an empty queue in remote memory.
     *
     * @param capacity how many items have room in all; the same number in each shard, rounded up
     * @param shards the number of shards, 1 to 4096
     * @param codec of the items
     * @throws IllegalArgumentException if a number is out of range, or a {@link ScalableQueue} could not be made so
     */
    public static RdmaPtr<ShardedQueue<?>> create(int capacity, int shards, Codec<?> codec, ComputeThread ct) {
        if (shards < 1 || shards > MOST_SHARDS) {
            throw new IllegalArgumentException("a queue of " + shards + " shards: needs 1 to " + MOST_SHARDS);
        }
        ClusterConfig config = ct.config();
        int ofEach = (int) ((capacity + shards - 1L) / shards);
        long[] rings = new long[shards];
        for (int i = 0; i < shards; i++) {
            int memoryNode = config.firstMemoryNode() + i % config.memoryNodes();
            rings[i] = ScalableQueue.createOn(memoryNode, ofEach, codec, ct).raw();
        }
        RemoteLongArray queue = RemoteLongArray.allocate(shards, ct);
        for (int i = 0; i < shards; i++) {
            queue.post(i, rings[i], ct);
        }
        ct.place();
        return new RdmaPtr<>(queue.block().raw());
    }

    /**
     * Makes a thread's handle to a queue.
     *
     * @param This what {@link #create} returned
     * @param codec of the same items as it was created with
     * @throws IllegalArgumentException if there is no such queue, or one for other items
     */
    public ShardedQueue(RdmaPtr<ShardedQueue<?>> This, Codec<T> codec, ComputeThread ct) {
        this.This = RemoteLongArray.open(new RdmaPtr<>(This.raw()), ct);
        this.codec = codec;
        shards = new ArrayList<>(Collections.nCopies(shards(), null));
        home = ct.id() % shards();
        shard(home, ct);
    }

    /** The number of shards. */
    public int shards() {
        return This.length();
    }

    private ScalableQueue<T> shard(int i, ComputeThread ct) {
        ScalableQueue<T> shard = shards.get(i);
        if (shard == null) {
            shard = new ScalableQueue<>(new RdmaPtr<>(This.load(i, ct)), codec, ct);
            shards.set(i, shard);
        }
        return shard;
    }

    /** Puts an item at the end of this thread's shard; false if it has no room, and then nothing has changed. */
    @Override
    public boolean tryEnqueue(T item, ComputeThread ct) {
        return shard(home, ct).tryEnqueue(item, ct);
    }

    /** Takes the item at the front of this thread's shard, or of the next one that is not empty. */
    @Override
    public Dequeued<T> tryDequeue(ComputeThread ct) {
        for (int i = 0; i < shards(); i++) {
            Dequeued<T> dequeued = shard((home + i) % shards(), ct).tryDequeue(ct);
            if (dequeued.isItem()) {
                return dequeued;
            }
        }
        return Dequeued.empty();
    }

    @Override
    public void destroy(ComputeThread ct) {
        for (int i = 0; i < shards(); i++) {
            shard(i, ct).destroy(ct);
        }
        This.schedReclaim(ct);
    }

    /** Where it is. */
    @Override
    public String toString() {
        return "ShardedQueue at (" + RdmaPtr.toString(This.block().raw()) + ")";
    }
}
