// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.queues;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.structures.BufferedQueue;
import dev.remus.structures.LongBufferedQueue;
import dev.remus.structures.RelaxedBufferedQueue;
import java.io.IOException;
import java.nio.file.Path;

/** The measured queues; the first is the reference of the others. */
enum QueueUnderTest {
    /** The reference. */
    AGRONA("Agrona ManyToOneRingBuffer") {
        @Override
        RdmaPtr<?> create(int capacity, ComputeThread ct) {
            return RdmaPtr.nullPointer();
        }

        @Override
        Contestant open(int capacity, Path file, ComputeThread ct) throws IOException {
            return new AgronaContestant(file, capacity);
        }
    },
    /** The queue that keeps the order of arrival. */
    BUFFERED("BufferedQueue") {
        @Override
        RdmaPtr<?> create(int capacity, ComputeThread ct) {
            return BufferedQueue.create(capacity, Cell.codec(), ct);
        }

        @Override
        Contestant open(int capacity, Path file, ComputeThread ct) {
            return new RingContestant(new BufferedQueue<>(ct.root().get(), Cell.codec(), ct));
        }
    },
    /** The same for integers, without a codec. */
    LONGS("LongBufferedQueue") {
        @Override
        RdmaPtr<?> create(int capacity, ComputeThread ct) {
            return LongBufferedQueue.create(capacity, ct);
        }

        @Override
        Contestant open(int capacity, Path file, ComputeThread ct) {
            return new LongContestant(new LongBufferedQueue(ct.root().get(), ct));
        }
    },
    /** The queue whose waiting producers take no turns. */
    RELAXED("RelaxedBufferedQueue") {
        @Override
        RdmaPtr<?> create(int capacity, ComputeThread ct) {
            return RelaxedBufferedQueue.create(capacity, Cell.codec(), ct);
        }

        @Override
        Contestant open(int capacity, Path file, ComputeThread ct) {
            return new RingContestant(new RelaxedBufferedQueue<>(ct.root().get(), Cell.codec(), ct));
        }
    };

    private final String title;

    QueueUnderTest(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /**
     * Creates an empty queue, if it is in remote memory. The pointer must be the root before threads open the queue.
     */
    abstract RdmaPtr<?> create(int capacity, ComputeThread ct);

    /**
     * Opens the queue for a thread.
     *
     * @param file the file of a queue that uses one
     */
    abstract Contestant open(int capacity, Path file, ComputeThread ct) throws IOException;
}
