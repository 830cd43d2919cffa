// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.queues;

import dev.remus.record.Codec;
import java.nio.ByteBuffer;

/** A reusable 64-bit item, so that a measurement of a queue excludes object allocation. */
final class Cell {
    long value;

    /** A codec for one thread that always decodes into the same cell. */
    static Codec<Cell> codec() {
        Cell decoded = new Cell();
        return new Codec<>() {
            @Override
            public int bytes() {
                return Long.BYTES;
            }

            @Override
            public void encode(Cell cell, ByteBuffer to) {
                to.putLong(cell.value);
            }

            @Override
            public Cell decode(ByteBuffer from) {
                decoded.value = from.getLong();
                return decoded;
            }
        };
    }
}
