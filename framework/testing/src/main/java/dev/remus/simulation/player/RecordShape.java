// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.player;

import dev.remus.record.DrawnRecord;
import dev.remus.record.RecordView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The names of a record's type and fields, as its view declares them, and what it declares of them.
 *
 * @param type such as {@code LazyList.Node}
 * @param bytes the size of the record
 * @param fields its accessible fields
 * @param meanings of words, by the offsets of their fields
 * @param ring its ring, if it is one
 */
record RecordShape(
        String type, long bytes, List<FieldShape> fields, Map<Long, WordMeaning> meanings, Optional<RingShape> ring) {

    /** The shape of a view whose fields have been declared. */
    static RecordShape of(RecordView view) {
        String name = view.getClass().getName();
        ShapeDrawing drawing = new ShapeDrawing();
        if (view instanceof DrawnRecord drawn) {
            drawn.draw(drawing);
        }
        return new RecordShape(
                name.substring(name.lastIndexOf('.') + 1).replace('$', '.'),
                view.bytes(),
                FieldShape.of(view),
                drawing.meanings(),
                drawing.ring());
    }

    /** The field at an offset, or the nearest before it; null if there is none. */
    private @Nullable FieldShape fieldAt(long offset) {
        FieldShape nearest = null;
        for (FieldShape field : fields) {
            if (field.offset() <= offset && (nearest == null || field.offset() > nearest.offset())) {
                nearest = field;
            }
        }
        return nearest;
    }

    /** The name of the word at an offset, such as {@code next} or {@code items[2]}; {@code +8} if it has none. */
    String wordAt(long offset) {
        FieldShape field = fieldAt(offset);
        return field == null ? "+" + offset : field.at(offset);
    }

    /** Whether the word at an offset is a raw pointer. */
    boolean isReferenceAt(long offset) {
        FieldShape field = fieldAt(offset);
        return field != null && field.isReference() && field.offset() == offset;
    }

    /** Whether the word at an offset lies in a gap that the record leaves behind a field. */
    boolean isGapAt(long offset) {
        FieldShape field = fieldAt(offset);
        return field != null && field.isWord() && field.offset() != offset;
    }

    /** The offset of the element of an array in which the word at an offset lies; -1 if it lies in none. */
    long elementAt(long offset) {
        FieldShape field = fieldAt(offset);
        return field == null ? -1 : field.elementAt(offset);
    }

    /** What the record has declared of the word at an offset. */
    Optional<WordMeaning> meaningAt(long offset) {
        FieldShape field = fieldAt(offset);
        return field == null || !field.beginsAt(offset)
                ? Optional.ofNullable(meanings.get(offset))
                : Optional.ofNullable(meanings.get(field.offset()));
    }

    /** The name of the word at an offset with that of the type, such as {@code LazyList.Node.next}. */
    String qualifiedWordAt(long offset) {
        String word = wordAt(offset);
        return word.startsWith("+") ? type + word : type + "." + word;
    }
}
