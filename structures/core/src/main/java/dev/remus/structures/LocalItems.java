// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.node.StampedArray;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The items in the places of a handle to a ring: in local memory, on their way to or from the ring. For one thread. */
final class LocalItems {
    private final StampedArray blocks;
    private final LocalBuffer memory;
    private final ByteBuffer items;
    private final int start;

    /** What {@link #item} returns, made when it is needed first. */
    private final @Nullable ByteBuffer[] views;

    LocalItems(StampedArray blocks, int places) {
        this.blocks = blocks;
        this.memory = blocks.local();
        this.start = (int) blocks.at(0);
        this.items = memory.view(start, (int) memory.bytes() - start);
        this.views = new ByteBuffer[places];
    }

    /** The first word of an item. */
    long word(int place) {
        return memory.getLong(blocks.at(place));
    }

    /** Sets the first word of an item. */
    void setWord(int place, long value) {
        memory.putLong(blocks.at(place), value);
    }

    /** The bytes of all items. The position is at a place. */
    ByteBuffer at(int place) {
        return items.clear().position((int) blocks.at(place) - start);
    }

    /** The bytes of one item alone. */
    ByteBuffer item(int place, int bytes) {
        ByteBuffer view = views[place];
        if (view == null) {
            view = memory.view(blocks.at(place), bytes);
            views[place] = view;
        }
        return view.clear();
    }
}
