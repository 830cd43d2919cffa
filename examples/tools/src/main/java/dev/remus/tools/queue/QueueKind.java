// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.structures.BufferedQueue;
import dev.remus.structures.LockFreeQueue;
import dev.remus.structures.RelaxedBufferedQueue;
import dev.remus.structures.RemoteQueue;
import dev.remus.structures.RingQueue;
import dev.remus.structures.ScalableQueue;
import dev.remus.structures.ShardedQueue;
import dev.remus.structures.baseline.CentralizedLockQueue;
import dev.remus.structures.baseline.DecentralizedLockQueue;
import dev.remus.structures.baseline.PublishedLockFreeQueue;
import java.util.stream.Stream;

/** The queues of the experiment. */
public enum QueueKind {
    /** {@link BufferedQueue}. */
    BUFFERED("buffered", true, true, 2) {
        @Override
        public RdmaPtr<?> create(int capacity, ComputeThread ct) {
            return BufferedQueue.create(capacity, Codecs.LONG, ct);
        }

        @Override
        public RemoteQueue<Long> open(RdmaPtr<?> This, ComputeThread ct) {
            return new BufferedQueue<>(new RdmaPtr<>(This.raw()), Codecs.LONG, ct);
        }
    },
    /** {@link RelaxedBufferedQueue}. */
    BUFFERED_RELAXED("buffered-relaxed", true, false, 2) {
        @Override
        public RdmaPtr<?> create(int capacity, ComputeThread ct) {
            return RelaxedBufferedQueue.create(capacity, Codecs.LONG, ct);
        }

        @Override
        public RemoteQueue<Long> open(RdmaPtr<?> This, ComputeThread ct) {
            return new RelaxedBufferedQueue<>(new RdmaPtr<>(This.raw()), Codecs.LONG, ct);
        }
    },
    /** {@link LockFreeQueue}. */
    ND("nd", false, true, 8) {
        @Override
        public RdmaPtr<?> create(int capacity, ComputeThread ct) {
            return LockFreeQueue.create(capacity, Codecs.LONG, ct);
        }

        @Override
        public RemoteQueue<Long> open(RdmaPtr<?> This, ComputeThread ct) {
            return new LockFreeQueue<>(new RdmaPtr<>(This.raw()), Codecs.LONG, ct);
        }

        @Override
        RemoteQueue<Long> openPhased(RdmaPtr<?> This, ComputeThread ct) {
            return new PhasedLockFreeQueue(new RdmaPtr<>(This.raw()), ct);
        }
    },
    /**
     * {@link PublishedLockFreeQueue}, whose audit balances only if the capacity is at least the number of operations.
     */
    ND_PUBLISHED("nd-published", false, true, 8) {
        @Override
        public RdmaPtr<?> create(int capacity, ComputeThread ct) {
            return PublishedLockFreeQueue.create(capacity, Codecs.LONG, ct);
        }

        @Override
        public RemoteQueue<Long> open(RdmaPtr<?> This, ComputeThread ct) {
            return new PublishedLockFreeQueue<>(new RdmaPtr<>(This.raw()), Codecs.LONG, ct);
        }

        @Override
        RemoteQueue<Long> openPhased(RdmaPtr<?> This, ComputeThread ct) {
            return new PhasedPublishedLockFreeQueue(new RdmaPtr<>(This.raw()), ct);
        }
    },
    /** {@link ScalableQueue}. */
    SCALABLE("scalable", false, true, 10) {
        @Override
        public RdmaPtr<?> create(int capacity, ComputeThread ct) {
            return ScalableQueue.create(capacity, Codecs.LONG, ct);
        }

        @Override
        public RemoteQueue<Long> open(RdmaPtr<?> This, ComputeThread ct) {
            return new ScalableQueue<>(new RdmaPtr<>(This.raw()), Codecs.LONG, ct);
        }

        @Override
        boolean hasRoomForEachThread() {
            return false;
        }
    },
    /** {@link ShardedQueue} with a shard on each Memory Node. */
    SHARDED("sharded", false, true, 10) {
        @Override
        public RdmaPtr<?> create(int capacity, ComputeThread ct) {
            return ShardedQueue.create(capacity, ct.config().memoryNodes(), Codecs.LONG, ct);
        }

        @Override
        public RemoteQueue<Long> open(RdmaPtr<?> This, ComputeThread ct) {
            return new ShardedQueue<>(new RdmaPtr<>(This.raw()), Codecs.LONG, ct);
        }

        @Override
        boolean hasRoomForEachThread() {
            return false;
        }

        @Override
        boolean hasShards() {
            return true;
        }
    },
    /** {@link DecentralizedLockQueue}. */
    BD("bd", false, true, 7) {
        @Override
        public RdmaPtr<?> create(int capacity, ComputeThread ct) {
            return DecentralizedLockQueue.create(capacity, Codecs.LONG, ct);
        }

        @Override
        public RemoteQueue<Long> open(RdmaPtr<?> This, ComputeThread ct) {
            return new DecentralizedLockQueue<>(new RdmaPtr<>(This.raw()), Codecs.LONG, ct);
        }

        @Override
        RemoteQueue<Long> openPhased(RdmaPtr<?> This, ComputeThread ct) {
            return new PhasedDecentralizedLockQueue(new RdmaPtr<>(This.raw()), ct);
        }

        @Override
        int wordsOfItem(int threads) {
            return super.wordsOfItem(threads) + threads; // each cell has a lock
        }
    },
    /** {@link CentralizedLockQueue}. */
    BC("bc", false, true, 5) {
        @Override
        public RdmaPtr<?> create(int capacity, ComputeThread ct) {
            return CentralizedLockQueue.create(capacity, Codecs.LONG, ct);
        }

        @Override
        public RemoteQueue<Long> open(RdmaPtr<?> This, ComputeThread ct) {
            return new CentralizedLockQueue<>(new RdmaPtr<>(This.raw()), Codecs.LONG, ct);
        }
    };

    private final String text;
    private final boolean hasOneConsumer;
    private final boolean keepsOrder;
    private final int words;

    /** @param words what room for an item takes in remote memory, at most */
    QueueKind(String text, boolean hasOneConsumer, boolean keepsOrder, int words) {
        this.text = text;
        this.hasOneConsumer = hasOneConsumer;
        this.keepsOrder = keepsOrder;
        this.words = words;
    }

    /** Makes an empty queue with room for {@code capacity} items, in all or per thread. */
    public abstract RdmaPtr<?> create(int capacity, ComputeThread ct);

    /** Makes a thread's handle to a queue that {@link #create} made. */
    public abstract RemoteQueue<Long> open(RdmaPtr<?> This, ComputeThread ct);

    /** The same, with the parts of its operations timed ({@link Phased}) if the paper measures them. */
    RemoteQueue<Long> openPhased(RdmaPtr<?> This, ComputeThread ct) {
        return open(This, ct);
    }

    /**
     * The items that no thread can dequeue any more, if a lost thread that is not cut off is the only consumer, or has
     * taken the position before them; for a queue that is used no more.
     */
    long outOfReach(RemoteQueue<Long> queue, ComputeThread ct) {
        return queue instanceof RingQueue<Long> ring ? ring.size(ct) : 0;
    }

    /** The most words of remote memory that room for one item takes in a cluster. */
    int wordsOfItem(int threads) {
        return words;
    }

    /** The largest capacity of a queue that takes up to so many bytes of remote memory, and a little for its header. */
    long capacityIn(long bytes, int threads) {
        int pools = hasRoomForEachThread() ? threads : 1;
        return bytes / Long.BYTES / pools / wordsOfItem(threads);
    }

    /** Whether the capacity is that of each thread, and not that of the queue. */
    boolean hasRoomForEachThread() {
        return !hasOneConsumer;
    }

    /** Whether there is a shard on each Memory Node, and order within each shard only. */
    boolean hasShards() {
        return false;
    }

    /** Whether only one thread may dequeue. */
    public boolean hasOneConsumer() {
        return hasOneConsumer;
    }

    /** Whether each producer's items are dequeued in the order in which it enqueued them. */
    public boolean keepsOrder() {
        return keepsOrder;
    }

    /**
     * The queue of a name as on the command line.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static QueueKind of(String name) {
        return Stream.of(values())
                .filter(kind -> kind.text.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no queue '" + name + "'"));
    }

    /** As on the command line. */
    @Override
    public String toString() {
        return text;
    }
}
