// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.queues;

import dev.remus.node.ComputeThread;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/** Agrona's ring buffer for many producers and one consumer, in a mapped file. */
final class AgronaContestant implements Contestant {
    private static final int MESSAGE = 1;
    private static final int BYTES_PER_ITEM = 16;

    private final ManyToOneRingBuffer ring;
    private final IdleStrategy idle = new BackoffIdleStrategy();
    private long sum;

    /** @param capacity the number of items it can hold, a power of two */
    AgronaContestant(Path file, int capacity) throws IOException {
        int bytes = capacity * BYTES_PER_ITEM + RingBufferDescriptor.TRAILER_LENGTH;
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            ring = new ManyToOneRingBuffer(new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes)));
        }
    }

    /** Enqueues items singly, because the ring buffer has no batches for producers. */
    @Override
    public void produce(long from, long to, int batch, ComputeThread ct) {
        UnsafeBuffer message = new UnsafeBuffer(new byte[Long.BYTES]);
        for (long item = from; item < to; item++) {
            message.putLong(0, item);
            while (!ring.write(MESSAGE, message, 0, Long.BYTES)) {
                idle.idle();
            }
            idle.reset();
        }
    }

    @Override
    public Stretch consume(long items, int batch, ComputeThread ct) {
        sum = 0;
        MessageHandler handler = (type, buffer, index, length) -> sum += buffer.getLong(index);
        read(1, handler);
        long start = System.nanoTime();
        for (long done = 1; done < items; ) {
            done += read((int) Math.min(Integer.MAX_VALUE, items - done), handler);
        }
        return new Stretch(sum, System.nanoTime() - start);
    }

    private int read(int most, MessageHandler handler) {
        int count = ring.read(handler, most);
        while (count == 0) {
            idle.idle();
            count = ring.read(handler, most);
        }
        idle.reset();
        return count;
    }
}
