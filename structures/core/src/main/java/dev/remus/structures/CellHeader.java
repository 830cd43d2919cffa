// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.record.Drawing;
import dev.remus.record.DrawnRecord;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import org.jspecify.annotations.Nullable;

/** A view of the two words of a {@link QueueCell} that change: the cell without its item. */
class CellHeader extends RemoteRecord implements DrawnRecord {
    final RemoteLong state = longField();
    final RemoteLong next = longField();

    private final @Nullable CellDrawing cells;

    /** @param cells draws its words; null for a view that is not drawn */
    CellHeader(@Nullable CellDrawing cells) {
        this.cells = cells;
    }

    @Override
    public final void draw(Drawing drawing) {
        if (cells != null) {
            cells.draw(state, next, drawing);
        }
    }
}
