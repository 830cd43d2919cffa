package dev.remus.tools.bench.queues;

import dev.remus.record.Codec;
import java.nio.ByteBuffer;

/** A 64-bit item that is used again and again, so that measuring a queue does not measure the making of objects. */
final class Cell {
    long value;

    /** A codec for one thread; it decodes into the same cell every time. */
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
