// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codec;
import dev.remus.record.Drawing;
import dev.remus.record.DrawnRecord;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongUnaryOperator;

/**
 * A view of what all handles of a {@link ScalableQueue} share: a ring of cells, and the blocks of the items.
 *
 * <pre>
 *   This (one block)                                            changed by
 *  +----------+-----------+-----------+------------------+
 *  | kind     | capacity  | bytes of  | bits of ahead    |      no thread
 *  |          |           | an item   |                  |
 *  +----------+-----------+-----------+------------------+   64
 *  | head: the next position to be dequeued              |      dequeues: FETCH_AND_ADD
 *  +-----------------------------------------+-----------+  128
 *  | tail: the next position to be enqueued  | destroyed |      enqueues: FETCH_AND_ADD; destroyer: WRITE
 *  +----------+-----------+------------------+-----------+  192
 *  | cell 0   | cell 1    |        ...        | N - 1    |      COMPARE_AND_SWAP, FETCH_AND_ADD: see {@link TurnWords}
 *  +----------+-----------+-------------------+----------+
 *                 |
 *                 v
 *            +----------+
 *            | item     |   a block of its own                  its producer: WRITE, before it is in a cell
 *            +----------+
 * </pre>
 *
 * <p>Position p, from 0 on in 64 bits, has cell p mod N, and is that cell's turn 1 + p / N. There are about twice as
 * many cells as items have room, since a cell may be out of use for a turn.
 */
public final class TurnRing extends RemoteRecord implements DrawnRecord {
    private static final long KIND = 0x676e_6972_6e72_7574L; // "turnring"

    /** The largest capacity: the bytes of all cells can be counted by an int. */
    static final int MAX_CAPACITY = 1 << 26;

    /** Positions need at least so many bits until they come again: at 10 million a second, 30 hours. */
    private static final int POSITION_BITS = 40;

    private static final int MAX_WRITE_BYTES = 1 << 16;

    private final RemoteLong kind = longField();
    private final RemoteLong room = longField();
    private final RemoteLong itemBytes = longField();
    private final RemoteLong aheadBits = longField();
    final RemoteLong head;
    final RemoteLong tail;
    final RemoteLong destroyed;
    private final RemoteLongArray cells;
    private final int capacity;
    private final TurnWords words;

    private TurnRing(int capacity, int aheadBits, ComputeThread ct) {
        this.capacity = capacity;
        this.words = new TurnWords(ct.config(), aheadBits);
        startLine();
        head = atomic(longField());
        startLine();
        tail = atomic(longField());
        destroyed = longField();
        startLine();
        cells = longArrayField(2 * capacity + ct.threads());
        startLine();
    }

    /** Makes an empty ring in whose cells a given turn is over, where the allocation policy selects. */
    static RdmaPtr<TurnRing> create(int capacity, Codec<?> codec, long turn, int aheadBits, ComputeThread ct) {
        return create(capacity, codec, turn, aheadBits, ct::allocate, ct);
    }

    /** The same with a block from elsewhere, given its size. */
    static RdmaPtr<TurnRing> create(
            int capacity, Codec<?> codec, long turn, int aheadBits, LongUnaryOperator blocks, ComputeThread ct) {
        if (capacity < 1 || capacity > MAX_CAPACITY) {
            throw new IllegalArgumentException(
                    "a queue with room for " + capacity + " items: needs 1 to " + MAX_CAPACITY);
        }
        TurnRing ring = new TurnRing(capacity, aheadBits, ct);
        int bits = ring.words.turnBits() + Long.SIZE - Long.numberOfLeadingZeros(ring.length());
        if (bits < POSITION_BITS) {
            throw new IllegalArgumentException("a queue with room for " + capacity + " items in a cluster with so much"
                    + " memory: its positions would come again after 2^" + bits + "; needs 2^" + POSITION_BITS
                    + ", that is a larger capacity");
        }
        ring.at(blocks.applyAsLong(ring.bytes()));
        ring.fillCells(ring.words.over(turn), ct);
        long first = turn * ring.length();
        ct.write(ring.head.pointer(), first);
        ct.write(ring.tail.pointer(), first);
        ring.destroyed.store(0, ct);
        ring.room.store(capacity, ct);
        ring.itemBytes.store(codec.bytes(), ct);
        ring.aheadBits.store(aheadBits, ct);
        ring.kind.store(KIND, ct);
        return new RdmaPtr<>(ring.pointer());
    }

    private void fillCells(long word, ComputeThread ct) {
        int all = length() * Long.BYTES;
        ByteBuffer words = ByteBuffer.allocate(Math.min(all, MAX_WRITE_BYTES)).order(ByteOrder.LITTLE_ENDIAN);
        while (words.hasRemaining()) {
            words.putLong(word);
        }
        for (int done = 0; done < all; done += words.capacity()) {
            ct.write(cells.pointer(0) + done, words.clear().limit(Math.min(words.capacity(), all - done)));
        }
    }

    /**
     * A view of a ring that {@link #create} made.
     *
     * @throws IllegalArgumentException if there is none, or one for items of another size
     */
    static TurnRing open(RdmaPtr<TurnRing> pointer, Codec<?> codec, ComputeThread ct) {
        TurnRing smallest = new TurnRing(1, TurnWords.AHEAD_BITS, ct);
        smallest.at(pointer);
        if (smallest.kind.load(ct) != KIND) {
            throw new IllegalArgumentException("there is no ScalableQueue at (" + pointer + ")");
        }
        long bytes = smallest.itemBytes.load(ct);
        if (bytes != codec.bytes()) {
            throw new IllegalArgumentException("a codec for items of " + codec.bytes() + " bytes, but the queue at ("
                    + pointer + ") was made for items of " + bytes);
        }
        TurnRing ring = new TurnRing((int) smallest.room.load(ct), (int) smallest.aheadBits.load(ct), ct);
        ring.at(pointer);
        return ring;
    }

    /** Draws the cells as a ring, and their items as links. */
    @Override
    public void draw(Drawing drawing) {
        drawing.ring(cells).position(head).position(tail);
        drawing.link(cells, words::pointer).text(cells, words::turnText);
    }

    /** The words of its cells. */
    TurnWords words() {
        return words;
    }

    /** How many items have room. */
    int capacity() {
        return capacity;
    }

    /** How many cells there are. */
    int length() {
        return cells.length();
    }

    /** The number of a position's cell. */
    int index(long position) {
        return (int) Long.remainderUnsigned(position, length());
    }

    /** The raw pointer to a position's cell. */
    long cell(long position) {
        return cells.pointer(index(position));
    }

    /** The turn of a position. */
    long turn(long position) {
        return 1 + Long.divideUnsigned(position, length());
    }

    /** How large it is and where. */
    @Override
    public String toString() {
        return "room for " + capacity + " items at (" + RdmaPtr.toString(pointer()) + ")";
    }
}
