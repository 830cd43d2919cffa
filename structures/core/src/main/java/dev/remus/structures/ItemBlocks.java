// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.record.Atomic;
import dev.remus.record.Codec;
import dev.remus.record.RemoteRecord;
import java.util.ArrayList;
import java.util.List;

/** Views of the blocks of some items, each of which has one of its own. They are made when they are needed first. */
final class ItemBlocks<T> {
    /** A view of an item's block. */
    static final class Block<T> extends RemoteRecord {
        final Atomic<T> item;

        Block(Codec<T> codec) {
            item = field(codec);
        }
    }

    private final Codec<T> codec;
    private final List<Block<T>> views = new ArrayList<>();

    ItemBlocks(Codec<T> codec) {
        this.codec = codec;
    }

    /** The view with a number, from 0. */
    Block<T> get(int i) {
        while (views.size() <= i) {
            views.add(new Block<>(codec));
        }
        return views.get(i);
    }

    /** After a failure, outstanding operations may still use the local memory of the views: they keep it. */
    void renewLocal() {
        views.clear();
    }
}
