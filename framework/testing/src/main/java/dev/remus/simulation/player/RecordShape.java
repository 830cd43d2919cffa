package dev.remus.simulation.player;

import dev.remus.record.RecordView;
import dev.remus.record.RemoteBoolean;
import dev.remus.record.RemoteElements;
import dev.remus.record.RemoteField;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRef;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The names of a record's type and fields, as its view declares them.
 *
 * @param type such as {@code LazyList.Node}
 * @param bytes the size of the record
 * @param fields its accessible fields
 */
record RecordShape(String type, long bytes, List<Part> fields) {
    /**
     * A field.
     *
     * @param name its name in the source
     * @param offset in bytes from the start of the record
     * @param isReference whether it holds a raw pointer
     * @param isWord whether it is a single word
     * @param stride the size of an element in bytes; 0 if it is no array
     * @param end the offset behind an array; 0 if it is none
     */
    record Part(String name, long offset, boolean isReference, boolean isWord, long stride, long end) {
        private static Part of(String name, RemoteField field) {
            long stride = 0;
            long end = 0;
            if (field instanceof RemoteElements elements) {
                stride = elements.rangeBytes(1);
                end = elements.offset() + stride * elements.length();
            }
            boolean isReference = field instanceof RemoteRef<?>;
            boolean isWord = isReference || field instanceof RemoteLong || field instanceof RemoteBoolean;
            return new Part(name, field.offset(), isReference, isWord, stride, end);
        }

        /** The name of the word at an offset of the record, which is not before this field. */
        private String at(long wordOffset) {
            long inside = wordOffset - offset;
            String element = wordOffset < end ? "[" + inside / stride + "]" : "";
            long rest = wordOffset < end ? inside % stride : inside;
            return name + element + (rest == 0 ? "" : "+" + rest);
        }
    }

    /** The shape of a view whose fields have been declared. */
    static RecordShape of(RecordView view) {
        String name = view.getClass().getName();
        List<Part> fields = new ArrayList<>();
        for (Class<?> c = view.getClass(); RecordView.class.isAssignableFrom(c); c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                RemoteField declared = value(field, view);
                if (declared != null) {
                    fields.add(Part.of(field.getName(), declared));
                }
            }
        }
        return new RecordShape(name.substring(name.lastIndexOf('.') + 1).replace('$', '.'), view.bytes(), fields);
    }

    /** Null if it is not a field of the record, or not accessible because its module is closed. */
    private static @Nullable RemoteField value(Field field, RecordView view) {
        if (!RemoteField.class.isAssignableFrom(field.getType()) || !field.trySetAccessible()) {
            return null;
        }
        try {
            return (RemoteField) field.get(view);
        } catch (IllegalAccessException e) {
            throw new AssertionError("was made accessible", e);
        }
    }

    /** The field at an offset, or the nearest before it; null if there is none. */
    private @Nullable Part partAt(long offset) {
        Part nearest = null;
        for (Part field : fields) {
            if (field.offset <= offset && (nearest == null || field.offset > nearest.offset)) {
                nearest = field;
            }
        }
        return nearest;
    }

    /** The name of the word at an offset, such as {@code next} or {@code items[2]}; {@code +8} if it has none. */
    String wordAt(long offset) {
        Part part = partAt(offset);
        return part == null ? "+" + offset : part.at(offset);
    }

    /** Whether the word at an offset is a raw pointer. */
    boolean isReferenceAt(long offset) {
        Part part = partAt(offset);
        return part != null && part.isReference && part.offset == offset;
    }

    /** Whether the word at an offset lies in a gap that the record leaves behind a field. */
    boolean isGapAt(long offset) {
        Part part = partAt(offset);
        return part != null && part.isWord && part.offset != offset;
    }

    /** The name of the word at an offset with that of the type, such as {@code LazyList.Node.next}. */
    String qualifiedWordAt(long offset) {
        String word = wordAt(offset);
        return word.startsWith("+") ? type + word : type + "." + word;
    }
}
