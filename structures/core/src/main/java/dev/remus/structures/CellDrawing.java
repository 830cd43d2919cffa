// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.record.Drawing;
import dev.remus.record.RemoteLong;
import java.util.function.LongUnaryOperator;

/** How one handle of a {@link LockFreeQueue} draws references to cells and the words of a cell. */
final class CellDrawing {
    private final CellWords words;
    private final LongUnaryOperator known;

    /** @param known the raw pointer to the cell of a reference; null if the handle does not know its pool */
    CellDrawing(CellWords words, LongUnaryOperator known) {
        this.words = words;
        this.known = known;
    }

    void draw(RemoteLong state, RemoteLong next, Drawing drawing) {
        drawing.text(state, words::stateText).link(next, known).text(next, words::referenceText);
    }

    long known(long reference) {
        return known.applyAsLong(reference);
    }

    String referenceText(long reference) {
        return words.referenceText(reference);
    }
}
