// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.fabric.LocalBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A batch of completions in native memory, as {@code ibv_poll_cq(3)} fills it. Only these fields are read, since the
 * others mean nothing in a completion that failed:
 *
 * <pre>
 *  struct ibv_wc, 48 bytes
 *    0  wr_id
 *    8  status (int)            20  byte_len (int), of a RECV
 * </pre>
 */
final class WorkCompletions {
    /** {@code enum ibv_wc_status}. */
    static final int SUCCESS = 0;

    static final int FLUSHED = 5;
    static final int REMOTE_INVALID_REQUEST = 9;
    static final int REMOTE_ACCESS = 10;
    static final int RETRIES_EXCEEDED = 12;
    static final int RNR_RETRIES_EXCEEDED = 13;

    private static final int BYTES = 48;
    private static final int STATUS = 8;
    private static final int LENGTH = 20;

    private final ByteBuffer memory;
    private final long address;
    private final int capacity;

    WorkCompletions(int capacity) {
        this.capacity = capacity;
        memory = ByteBuffer.allocateDirect(capacity * BYTES).order(ByteOrder.nativeOrder());
        address = LocalBuffer.address(memory);
    }

    /** Replaces the batch by the completions that have arrived; returns their number. Never waits. */
    int poll(long completionQueue) throws IOException {
        return Verbs.poll(completionQueue, capacity, address);
    }

    long id(int i) {
        return memory.getLong(i * BYTES);
    }

    int status(int i) {
        return memory.getInt(i * BYTES + STATUS);
    }

    int length(int i) {
        return memory.getInt(i * BYTES + LENGTH);
    }
}
