// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.player;

import java.util.List;

/**
 * The ring in a record.
 *
 * @param cells how many cells it has
 * @param columns the arrays whose elements are the cells
 * @param positions the offsets of words that count positions
 */
record RingShape(int cells, List<Column> columns, List<Long> positions) {
    /**
     * An array of the ring.
     *
     * @param offset in bytes from the start of the record
     * @param stride the size of an element in bytes
     */
    record Column(long offset, long stride) {
        private boolean contains(long word, int cells) {
            return word >= offset && word < offset + cells * stride;
        }
    }

    /** The cell of the word at an offset of the record; -1 if it lies in none. */
    long cellAt(long word) {
        return columns.stream()
                .filter(column -> column.contains(word, cells))
                .mapToLong(column -> (word - column.offset()) / column.stride())
                .findFirst()
                .orElse(-1);
    }
}
