// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.LocalBuffer;
import java.nio.ByteBuffer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Copies between remote memory and a thread's byte buffers, through registered local memory that grows with the longest
 * transfer. Pointers have been checked.
 */
final class BufferedTransfers {
    private static final int SMALLEST_BUFFER = 64;

    private final BlockingOperations memory;
    private final ThreadMetrics metrics;
    private final LongFunction<LocalBuffer> newLocal;
    private final int maxBytes;

    /** Null before the first transfer, and while one is in flight: after a failure, the device may still use it. */
    private @Nullable LocalBuffer buffer;

    /** The bytes of the last buffer: a view for each transfer is an allocation that not every compilation avoids. */
    private ByteBuffer bytes = ByteBuffer.allocate(0);

    /**
     * Creates it for one thread.
     *
     * @param newLocal allocates registered local memory
     * @param maxBytes the maximum size of the buffer; a longer transfer takes several round trips
     */
    BufferedTransfers(
            BlockingOperations memory, ThreadMetrics metrics, LongFunction<LocalBuffer> newLocal, int maxBytes) {
        this.memory = memory;
        this.metrics = metrics;
        this.newLocal = newLocal;
        this.maxBytes = maxBytes;
    }

    /** READs as many bytes as {@code to} has remaining. */
    void read(long pointer, ByteBuffer to) {
        int length = to.remaining();
        LocalBuffer local = buffer(length);
        buffer = null;
        for (int done = 0; done < length; ) {
            int part = (int) Math.min(local.bytes(), length - done);
            memory.read(pointer + done, local, 0, part);
            metrics.bulkReads++;
            to.put(to.position(), bytes, 0, part);
            to.position(to.position() + part);
            done += part;
        }
        buffer = local;
        metrics.bulkReadBytes += length;
    }

    /** WRITEs the remaining bytes of {@code from}, and returns when they are placed. */
    void write(long pointer, ByteBuffer from) {
        int length = from.remaining();
        LocalBuffer local = buffer(length);
        buffer = null;
        for (int done = 0; done < length; ) {
            int part = (int) Math.min(local.bytes(), length - done);
            bytes.put(0, from, from.position(), part);
            from.position(from.position() + part);
            memory.write(pointer + done, local, 0, part);
            metrics.bulkWrites++;
            done += part;
        }
        buffer = local;
        metrics.bulkWriteBytes += length;
    }

    private LocalBuffer buffer(int length) {
        int needed = Math.min(length, maxBytes);
        if (buffer == null || buffer.bytes() < needed) {
            LocalBuffer larger = newLocal.apply(Integer.highestOneBit(Math.max(needed, SMALLEST_BUFFER) - 1) << 1);
            bytes = larger.view(0, (int) larger.bytes());
            return larger;
        }
        return buffer;
    }
}
