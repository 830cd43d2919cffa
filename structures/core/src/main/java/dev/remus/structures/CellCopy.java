// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codec;
import java.nio.ByteBuffer;

/**
 * A cell of a {@link LockFreeQueue} as a thread has READ it, and behind it the cell's two words, READ again. If the
 * state is still IN_QUEUE in the same generation, all of the cell was of that life.
 *
 * <pre>
 *  0       8      16                 cellBytes      + 8
 *  +-------+------+------------------+-------------+------------+
 *  | state | next | item             | state again | next again |
 *  +-------+------+------------------+-------------+------------+
 * </pre>
 *
 * <p>It is one piece of plain local memory instead of two views, because every dequeue reads these words several times.
 */
final class CellCopy<T> {
    private static final int STATE = 0;
    private static final int NEXT = Long.BYTES;
    private static final int ITEM = 2 * Long.BYTES;

    private final Codec<T> codec;
    private final int cellBytes;
    private LocalBuffer memory;
    private ByteBuffer item;

    CellCopy(Codec<T> codec, ComputeThread ct) {
        this.codec = codec;
        this.cellBytes = (int) QueueCell.bytes(codec);
        this.memory = allocate(ct);
        this.item = memory.view(ITEM, codec.bytes());
    }

    private LocalBuffer allocate(ComputeThread ct) {
        return ct.allocateLocal(cellBytes + ITEM);
    }

    /** After a failure, outstanding operations may still use the old local memory: they keep it. */
    void renewLocal(ComputeThread ct) {
        memory = allocate(ct);
        item = memory.view(ITEM, codec.bytes());
    }

    /** READs a cell, and then its two words again. One round trip. */
    void read(long cell, ComputeThread ct) {
        ct.sequence()
                .read(cell, memory, 0, cellBytes)
                .read(cell, memory, cellBytes, ITEM)
                .execute();
    }

    long state() {
        return memory.getLong(STATE);
    }

    long next() {
        return memory.getLong(NEXT);
    }

    T item() {
        return codec.decode(item.clear());
    }

    long stateAgain() {
        return memory.getLong(cellBytes + STATE);
    }

    long nextAgain() {
        return memory.getLong(cellBytes + NEXT);
    }
}
