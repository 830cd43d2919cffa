// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import dev.remus.structures.spec.BufferedQueueHandle;
import dev.remus.structures.spec.BufferedQueueScenario;
import dev.remus.structures.spec.QueueScenario.Promise;

/**
 * The buffered queue as it was specified, line by line, with the mistakes of its two FAAs. The rest is right: positions
 * have 64 bits, and a state is changed by CAS only.
 */
final class FlawedQueue implements BufferedQueueHandle {
    /** The mistakes. */
    enum Flaw {
        /** The ticket is taken from the word that the consumer counts up. */
        NAMES_AS_PRINTED,
        /** Ticket and turn follow the comments, but block and ticket are still taken one after the other. */
        NAMES_SWAPPED_BACK
    }

    private static final long FREE = 0;
    private static final long WRITING = 1;
    private static final long USED = 2;
    private static final long READING = 3;

    private static final class Block extends RemoteRecord {
        private final RemoteLong state = longField();
        private final RemoteLong ticket = longField();
        private final RemoteLong turn = longField();
        private final RemoteLong data = longField();
    }

    private static final class Shared extends RemoteRecord {
        private final RemoteLong bufferSize = longField();
        private final RemoteLong producerOffset = longField();
        private final RemoteLong consumerOffset = longField();
        private final RemoteLong buffer = longField();
    }

    private final Shared This = new Shared();
    private final Block block = new Block();
    private final Flaw flaw;

    static BufferedQueueScenario scenario(Flaw flaw, int threads, int operations, int capacity) {
        return new BufferedQueueScenario(
                threads,
                operations,
                capacity,
                Promise.LINEARIZABLE,
                FlawedQueue::create,
                (This, ct) -> new FlawedQueue(This, flaw));
    }

    private static RdmaPtr<?> create(int capacity, ComputeThread ct) {
        Block block = new Block();
        Shared shared = new Shared();
        shared.allocate(ct);
        shared.bufferSize.store(capacity, ct);
        shared.producerOffset.store(0, ct);
        shared.consumerOffset.store(0, ct);
        long buffer = ct.allocate((long) capacity * block.bytes());
        shared.buffer.store(buffer, ct);
        for (int i = 0; i < capacity; i++) {
            block.at(buffer + (long) i * block.bytes());
            block.state.store(FREE, ct);
            block.ticket.store(0, ct);
            block.turn.store(0, ct);
        }
        return new RdmaPtr<>(shared.pointer());
    }

    FlawedQueue(RdmaPtr<?> This, Flaw flaw) {
        this.This.at(This);
        this.flaw = flaw;
    }

    private void moveTo(long offset, ComputeThread ct) {
        block.at(This.buffer.load(ct) + offset % This.bufferSize.load(ct) * block.bytes());
    }

    @Override
    public long enqueue(long item, ComputeThread ct) {
        moveTo(This.producerOffset.fetchAdd(1, ct), ct);
        boolean asPrinted = flaw == Flaw.NAMES_AS_PRINTED;
        long myTurn = (asPrinted ? block.turn : block.ticket).fetchAdd(1, ct);
        while (myTurn != (asPrinted ? block.ticket : block.turn).load(ct)) {
            ct.pause();
        }
        block.state.compareAndSet(FREE, WRITING, ct);
        block.data.store(item, ct);
        block.state.compareAndSet(WRITING, USED, ct);
        return UNKNOWN;
    }

    @Override
    public long dequeue(ComputeThread ct) {
        moveTo(This.consumerOffset.fetchAdd(1, ct), ct);
        while (!block.state.compareAndSet(USED, READING, ct)) {
            ct.pause();
        }
        long item = block.data.load(ct);
        block.state.compareAndSet(READING, FREE, ct);
        block.turn.fetchAdd(1, ct);
        return item;
    }
}
