// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.record.Atomic;
import dev.remus.record.Codec;

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

    QueueCell(Codec<T> codec) {
        item = field(codec);
    }
}
