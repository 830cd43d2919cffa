// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.record.Atomic;
import dev.remus.record.Codec;
import org.jspecify.annotations.Nullable;

/**
 * A view of a cell of a {@link LockFreeQueue}. {@link CellWords} lays out its two words.
 *
 * <pre>
 *  0                     8                     16
 *  +---------------------+---------------------+--------------+
 *  | state: generation,  | next: generation    | item         |
 *  | IN_QUEUE / DEQUEUED | and nil, or the     |              |
 *  |                     | successor           |              |
 *  +---------------------+---------------------+--------------+
 *    COMPARE_AND_SWAP      COMPARE_AND_SWAP      WRITE, before the cell is linked
 * </pre>
 */
final class QueueCell<T> extends CellHeader {
    final Atomic<T> item;

    /** @param cells draws its words; null for a view that is not drawn */
    QueueCell(Codec<T> codec, @Nullable CellDrawing cells) {
        super(cells);
        item = field(codec);
    }

    /** Bytes of a cell. */
    static long bytes(Codec<?> codec) {
        return new QueueCell<>(codec, null).bytes();
    }
}
