package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codec;
import java.nio.ByteBuffer;

/**
 * Places in local memory for items on their way to or from a ring, with the states of their blocks. For one thread.
 *
 * <pre>
 *  +-----------+-----------+-----+------------------+------------------+-----+
 *  | state 0   | state 1   | ... | item 0           | item 1           | ... |
 *  +-----------+-----------+-----+------------------+------------------+-----+
 * </pre>
 *
 * <p>This is no record view: a place serves any block of the ring, so no remote record has this layout.
 */
final class LocalItems<T> {
    private final LocalBuffer memory;
    private final ByteBuffer items;
    private final Codec<T> codec;
    private final int stride;
    private final int itemsAt;

    /**
     * @param places how many
     * @param stride bytes from item to item, a multiple of 8
     */
    LocalItems(int places, int stride, Codec<T> codec, ComputeThread ct) {
        this.codec = codec;
        this.stride = stride;
        this.itemsAt = places * Long.BYTES;
        this.memory = ct.allocateLocal(itemsAt + (long) places * stride);
        this.items = memory.view(itemsAt, places * stride);
    }

    LocalBuffer memory() {
        return memory;
    }

    /** Where in {@link #memory} the state of a place is. */
    long stateAt(int place) {
        return (long) place * Long.BYTES;
    }

    /** Where in {@link #memory} the item of a place is. */
    long itemAt(int place) {
        return itemsAt + (long) place * stride;
    }

    long state(int place) {
        return memory.getLong(stateAt(place));
    }

    void setState(int place, long state) {
        memory.putLong(stateAt(place), state);
    }

    /** Encodes an item. */
    void set(int place, T item) {
        int at = place * stride;
        items.clear().position(at);
        codec.encode(item, items);
        if (items.position() - at != codec.bytes()) {
            throw new IllegalStateException(
                    "the codec declares " + codec.bytes() + " bytes, and has encoded " + (items.position() - at));
        }
    }

    /** Decodes an item. */
    T get(int place) {
        items.clear().position(place * stride);
        return codec.decode(items);
    }
}
