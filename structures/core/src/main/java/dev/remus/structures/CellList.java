// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codec;
import dev.remus.record.Drawing;
import dev.remus.record.DrawnRecord;
import dev.remus.record.RemoteBytes;
import dev.remus.record.RemoteField;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A view of what all handles of a {@link LockFreeQueue} share.
 *
 * <pre>
 *   This (one block)                                         changed by
 *  +------------------------------------------------------+
 *  | kind | threads | cells | item bytes                  | no thread
 *  +------------------------------------------------------+
 *  | horizon: cells before this one may be reused         | COMPARE_AND_SWAP, about once in a pool's turn
 *  +------------------------------------------------------+
 *  | pools[threads]: where each thread's cells are        | WRITE, by that thread, once
 *  +------------------------------------------------------+
 *  | tails[threads]: the last cell that each has linked   | WRITE, by that thread
 *  +------------------------------------------------------+
 *  | heads[threads]: no cell before this one is IN_QUEUE  | WRITE, by that thread
 *  +------------------------------------------------------+
 *  | the first cell, DEQUEUED from the start              | as any other cell
 *  +------------------------------------------------------+
 * </pre>
 */
public final class CellList extends RemoteRecord implements DrawnRecord {
    private static final long KIND = 0x6b63_6f6c_6565_7266L; // "freelock"

    private final RemoteLong kind = longField();
    private final RemoteLong threads = longField();
    private final RemoteLong cells = longField();
    private final RemoteLong itemBytes = longField();
    final RemoteLong horizon;
    final RemoteLongArray pools;
    final RemoteLongArray tails;
    final RemoteLongArray heads;
    final RemoteBytes first;

    /** Draws references; null in a view that no handle has. */
    private @Nullable CellDrawing cellDrawing;

    CellList(int threadCount, Codec<?> codec) {
        startLine();
        horizon = longField();
        startLine();
        pools = longArrayField(threadCount);
        startLine();
        tails = longArrayField(threadCount);
        startLine();
        heads = longArrayField(threadCount);
        startLine();
        first = bytesField(QueueCell.bytes(codec));
    }

    /** Makes an empty list, whose first cell begins with a given generation. */
    static RdmaPtr<CellList> create(int cells, Codec<?> codec, long generation, ComputeThread ct) {
        int threads = ct.threads();
        CellWords words = new CellWords(threads + 1, cells);
        CellList list = new CellList(threads, codec);
        list.allocate(ct);
        long reference = words.firstCell(generation);
        for (int i = 0; i < threads; i++) {
            list.pools.post(i, RdmaPtr.NULL, ct);
            list.tails.post(i, reference, ct);
            list.heads.post(i, reference, ct);
        }
        list.kind.post(KIND, ct);
        list.threads.post(threads, ct);
        list.cells.post(cells, ct);
        list.itemBytes.post(codec.bytes(), ct);
        list.horizon.post(reference, ct);
        CellHeader cell = new CellHeader(null);
        cell.at(list.first.pointer());
        cell.state.post(words.dequeued(reference), ct);
        cell.next.post(words.nil(reference), ct);
        ct.place();
        return new RdmaPtr<>(list.pointer());
    }

    /**
     * A view of a list that {@link #create} made.
     *
     * @throws IllegalArgumentException if there is none, or one for other items or another number of threads
     */
    static CellList open(RdmaPtr<CellList> pointer, Codec<?> codec, ComputeThread ct) {
        CellList list = new CellList(ct.threads(), codec);
        list.at(pointer);
        if (list.kind.load(ct) != KIND) {
            throw new IllegalArgumentException(
                    "there is no LockFreeQueue at (" + RdmaPtr.toString(pointer.raw()) + ")");
        }
        list.check("threads", list.threads.load(ct), ct.threads());
        list.check("bytes of an item", list.itemBytes.load(ct), codec.bytes());
        return list;
    }

    private void check(String what, long there, int here) {
        if (there != here) {
            throw new IllegalArgumentException("the queue at (" + RdmaPtr.toString(pointer()) + ") was made with "
                    + there + " as the number of " + what + ", not " + here);
        }
    }

    /** Draws references to cells in this way from now on. */
    void drawWith(CellDrawing drawing) {
        cellDrawing = drawing;
    }

    @Override
    public void draw(Drawing drawing) {
        for (RemoteField word : List.of(horizon, tails, heads)) {
            drawing.link(word, this::known).text(word, this::referenceText);
        }
        drawing.text(pools, RdmaPtr::toString);
    }

    private long known(long reference) {
        return cellDrawing == null ? RdmaPtr.NULL : cellDrawing.known(reference);
    }

    private String referenceText(long reference) {
        return cellDrawing == null ? "" : cellDrawing.referenceText(reference);
    }

    /** How many cells each pool has. */
    int cells(ComputeThread ct) {
        return (int) cells.load(ct);
    }

    /** Gives the list back, and all pools. */
    void destroy(long poolBytes, ComputeThread ct) {
        for (int i = 0; i < pools.length(); i++) {
            long pool = pools.load(i, ct);
            if (pool != RdmaPtr.NULL) {
                ct.free(pool, poolBytes);
            }
        }
        kind.store(0, ct);
        free(ct);
    }
}
