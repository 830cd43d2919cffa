// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.config.OnNodeLoss;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import dev.remus.node.StampedArray;
import dev.remus.record.Codec;
import dev.remus.record.Drawing;
import dev.remus.record.DrawnRecord;
import dev.remus.record.RemoteArray;
import dev.remus.record.RemoteElements;
import dev.remus.record.RemoteLongArray;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A view of what all handles of a {@link RingQueue} share: a ring of N blocks.
 *
 * <p>An item has a <em>position</em>, from 0 on in 64 bits. Position p lies in block p mod N, in the block's lap p / N.
 *
 * <pre>
 *   This                                                                  changed by
 *  +-----------+-----------+-----------+------------------+
 *  | kind      | N         | bytes of  |                  |              no thread
 *  |           |           | an item   |                  |
 *  +-----------+-----------+-----------+------------------+   64
 *  | claimed   |                                          |              producers: FAA, CAS
 *  +-----------+-----------+-----------+------------------+  128
 *  | released  | consumer  | destroyed |                  |              consumer: FAA; first consumer: CAS;
 *  +-----------+-----------+-----------+------------------+  192         destroyer: WRITE
 *  | state of  | state of  |                   | state of |              producers: WRITE
 *  | block 0   | block 1   |        ...        | N - 1    |
 *  +-----------+-----------+-------------------+----------+  a multiple of 64
 *  | item in block 0       | item in block 1   |   ...    |              producers: WRITE
 *  +-----------------------+-------------------+----------+  a multiple of 64
 *  | position of block 0   | of block 1        |   ...    |              producers: CAS (relaxed queue only)
 *  +-----------------------+-------------------+----------+  a multiple of 64
 *  | claim of thread 0     | of thread 1       |   ...    |              that thread: WRITE
 *  +-----------------------+-------------------+----------+              (--on-node-loss continue only)
 *
 *  claimed    the next position that no producer has taken
 *  released   all items below it have been dequeued: position p may be written once p - N is below it
 *  consumer   1 + number of the thread that dequeues, 0 as long as there is none
 *  state      1 + position of the item in the block; anything else means that the item is not there yet
 *  claim      the positions that the thread may still fill, see {@link OpenClaim}
 * </pre>
 *
 * <p>Every word is either READ and written by WRITE, or changed by CAS and FAA only. States and items lie apart so that
 * a batch is one WRITE of items and one of states.
 */
public final class Ring extends RingHeader implements DrawnRecord {
    /** At most so many items are moved at once: the blocks of all of them can be taken by one sequence. */
    private static final int MAX_BATCH = Sequence.capacity();

    /** At most so many bytes are moved at once, unless one item alone has more. */
    private static final int MAX_BATCH_BYTES = 1 << 16;

    final RemoteLongArray states;
    final RemoteArray items;
    private final @Nullable RemoteLongArray positions;
    private final @Nullable RemoteLongArray claims;
    private final int capacity;
    private final int stride;
    private final int batch;

    private Ring(int capacity, Codec<?> codec, boolean hasPositions, ComputeThread ct) {
        this.capacity = capacity;
        states = longArrayField(capacity);
        startLine();
        items = arrayField(capacity, codec.bytes());
        stride = (int) items.stride();
        startLine();
        positions = hasPositions ? longArrayField(capacity) : null;
        startLine();
        claims = ct.config().onNodeLoss() == OnNodeLoss.CONTINUE ? longArrayField(ct.threads()) : null;
        startLine();
        batch = Math.max(1, Math.min(Math.min(capacity, MAX_BATCH), MAX_BATCH_BYTES / stride));
    }

    /**
     * Makes an empty ring whose first item will have a given position; {@code ofKind} is known to the handle's class.
     */
    static RdmaPtr<Ring> create(
            long ofKind, int capacity, Codec<?> codec, boolean hasPositions, long first, ComputeThread ct) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a queue with room for " + capacity + " items: needs at least 1");
        }
        Ring ring = new Ring(capacity, codec, hasPositions, ct);
        ring.allocate(ct);
        ring.clear(first, ct);
        ring.kind.store(ofKind, ct);
        ring.blocks.store(capacity, ct);
        ring.itemBytes.store(codec.bytes(), ct);
        ring.claimed.store(first, ct);
        ring.released.store(first, ct);
        ring.consumer.store(0, ct);
        ring.destroyed.store(0, ct);
        return new RdmaPtr<>(ring.pointer());
    }

    /** Makes all blocks free, and lets the first lap begin with a position. Placed when this returns. */
    private void clear(long first, ComputeThread ct) {
        ByteBuffer words = ByteBuffer.allocate(capacity * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        ct.write(states.pointer(0), words);
        if (positions != null) {
            for (long position = first; position < first + capacity; position++) {
                words.putLong(block(position) * Long.BYTES, position);
            }
            ct.write(positions.pointer(0), words.clear());
        }
        if (claims != null) {
            ct.write(claims.pointer(0), ByteBuffer.allocate(claims.length() * Long.BYTES));
        }
    }

    /**
     * A view of a ring that {@link #create} made.
     *
     * @param name of the queue, for messages
     * @throws IllegalArgumentException if there is none of this kind, or one for items of another size
     */
    static Ring open(
            RdmaPtr<Ring> pointer, long ofKind, String name, Codec<?> codec, boolean hasPositions, ComputeThread ct) {
        RingHeader header = new RingHeader();
        header.at(pointer);
        if (header.kind.load(ct) != ofKind) {
            throw new IllegalArgumentException("there is no " + name + " at (" + pointer + ")");
        }
        long itemBytes = header.itemBytes.load(ct);
        if (itemBytes != codec.bytes()) {
            throw new IllegalArgumentException("a codec for items of " + codec.bytes() + " bytes, but the queue at ("
                    + pointer + ") was made for items of " + itemBytes);
        }
        Ring ring = new Ring((int) header.blocks.load(ct), codec, hasPositions, ct);
        ring.at(pointer);
        return ring;
    }

    /** Draws the blocks as a ring, with the positions that {@code claimed} and {@code released} count. */
    @Override
    public void draw(Drawing drawing) {
        RemoteElements[] columns = positions == null
                ? new RemoteElements[] {states, items}
                : new RemoteElements[] {states, items, positions};
        drawing.ring(columns).position(released).position(claimed);
    }

    /** How many blocks there are. */
    int capacity() {
        return capacity;
    }

    /** Bytes of an item in remote memory, a multiple of 8. */
    int stride() {
        return stride;
    }

    /** The most items that are moved at once. */
    int batch() {
        return batch;
    }

    /** The block of a position. */
    int block(long position) {
        return (capacity & (capacity - 1)) == 0
                ? (int) position & (capacity - 1)
                : (int) Long.remainderUnsigned(position, capacity);
    }

    /** The blocks for a handle, with places for as many items as are moved at once. */
    StampedArray blocks(ComputeThread ct) {
        return new StampedArray(states.pointer(0), items.pointer(0), capacity, stride, batch, ct);
    }

    /** Whether producers race for blocks, by the positions of these. */
    boolean hasPositions() {
        return positions != null;
    }

    /** The claims of all threads; null under {@code --on-node-loss abort}. */
    @Nullable
    RemoteLongArray claims() {
        return claims;
    }

    /** The positions of blocks, of a relaxed queue. */
    RemoteLongArray positions() {
        return Objects.requireNonNull(positions, "only a relaxed queue has them");
    }

    /** How large it is and where. */
    @Override
    public String toString() {
        return capacity + " blocks at (" + RdmaPtr.toString(pointer()) + ")";
    }
}
