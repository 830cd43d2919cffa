package dev.remus.tools.queue;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.structures.BufferedQueue;
import dev.remus.structures.LockFreeQueue;
import dev.remus.structures.RelaxedBufferedQueue;
import dev.remus.structures.RemoteQueue;
import dev.remus.structures.baseline.CentralizedLockQueue;
import dev.remus.structures.baseline.DecentralizedLockQueue;
import dev.remus.structures.baseline.PublishedLockFreeQueue;
import java.util.stream.Stream;

/** The queues of the experiment. */
public enum QueueKind {
    /** {@link BufferedQueue}. */
    BUFFERED("buffered", true, true) {
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
    BUFFERED_RELAXED("buffered-relaxed", true, false) {
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
    ND("nd", false, true) {
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
    ND_PUBLISHED("nd-published", false, true) {
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
    /** {@link DecentralizedLockQueue}. */
    BD("bd", false, true) {
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
    },
    /** {@link CentralizedLockQueue}. */
    BC("bc", false, true) {
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

    QueueKind(String text, boolean hasOneConsumer, boolean keepsOrder) {
        this.text = text;
        this.hasOneConsumer = hasOneConsumer;
        this.keepsOrder = keepsOrder;
    }

    /** Makes an empty queue with room for {@code capacity} items, in all or per thread. */
    public abstract RdmaPtr<?> create(int capacity, ComputeThread ct);

    /** Makes a thread's handle to a queue that {@link #create} made. */
    public abstract RemoteQueue<Long> open(RdmaPtr<?> This, ComputeThread ct);

    /** The same, with the parts of its operations timed ({@link Phased}) if the paper measures them. */
    RemoteQueue<Long> openPhased(RdmaPtr<?> This, ComputeThread ct) {
        return open(This, ct);
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
