package dev.remus.tools.bench.queues;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.structures.BufferedQueue;
import dev.remus.structures.RelaxedBufferedQueue;
import java.io.IOException;
import java.nio.file.Path;

/** The queues that are measured. The first is what the others are compared with. */
enum QueueUnderTest {
    /** The peer. */
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
    /** In the order of arrival. */
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
    /** Without turns. */
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

    /** Makes an empty queue in remote memory, if it lies there; its pointer is to be the root when others open it. */
    abstract RdmaPtr<?> create(int capacity, ComputeThread ct);

    /**
     * Opens it for a thread.
     *
     * @param file for one that lies in a file
     */
    abstract Contestant open(int capacity, Path file, ComputeThread ct) throws IOException;
}
