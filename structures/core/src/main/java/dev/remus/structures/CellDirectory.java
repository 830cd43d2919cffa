// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codec;
import dev.remus.record.RemoteArray;
import dev.remus.record.RemoteRecord;

/**
 * Where the cells of a {@link LockFreeQueue} are, as one handle has learned it. A pool is looked up in remote memory
 * when the first reference into it is followed.
 */
final class CellDirectory {
    /**
     * A view of a pool: the cells of one thread.
     *
     * <pre>
     *  0        64       128
     *  +--------+--------+-- ... --+----------------+
     *  | cell 0 | cell 1 |         | cell cells - 1 |     each starts a line of 64 bytes
     *  +--------+--------+-- ... --+----------------+
     * </pre>
     */
    private static final class Pool extends RemoteRecord {
        private final RemoteArray cells;

        Pool(int length, Codec<?> codec) {
            cells = lineArrayField(length, QueueCell.bytes(codec));
        }
    }

    private final CellList list;
    private final CellWords words;
    private final Pool pool;

    /** By the number of a pool, the pointer to it, null if that is not known yet. */
    private final long[] pools;

    CellDirectory(CellList list, CellWords words, int cells, Codec<?> codec) {
        this.list = list;
        this.words = words;
        this.pool = new Pool(cells, codec);
        this.pools = new long[words.pools() + 1];
        this.pools[words.pools()] = list.first.pointer();
    }

    /** The raw pointer to a cell. */
    long pointer(long reference, ComputeThread ct) {
        int number = words.pool(reference);
        if (pools[number] == RdmaPtr.NULL) {
            pools[number] = list.pools.load(number - 1, ct);
        }
        return pointer(number, words.index(reference));
    }

    /** The raw pointer to a cell of a pool that is known. */
    long pointer(int number, int index) {
        return pool.cells.pointerIn(pools[number], index);
    }

    /** The raw pointer to a cell if its pool is known, else null; any word is accepted. */
    private long known(long reference) {
        int number = words.pool(reference);
        int index = words.index(reference);
        boolean isKnown = number < pools.length
                && pools[number] != RdmaPtr.NULL
                && index < (number == words.pools() ? 1 : pool.cells.length());
        return isKnown ? pointer(number, index) : RdmaPtr.NULL;
    }

    /** Draws references by what this directory knows. */
    CellDrawing drawing() {
        return new CellDrawing(words, this::known);
    }

    void learn(int number, long pointer) {
        pools[number] = pointer;
    }

    /** Bytes of a pool. */
    long poolBytes() {
        return pool.bytes();
    }
}
