// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.player;

import dev.remus.record.RecordPart;
import dev.remus.record.RecordView;
import dev.remus.record.RemoteBoolean;
import dev.remus.record.RemoteElements;
import dev.remus.record.RemoteField;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRef;
import dev.remus.record.TaggedRef;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A field of a record.
 *
 * @param name its name in the source, behind those of the parts in which it lies
 * @param offset in bytes from the start of the record
 * @param isReference whether it holds a raw pointer
 * @param isWord whether it is a single word
 * @param stride the size of an element in bytes; 0 if it is no array
 * @param end the offset behind an array; 0 if it is none
 */
record FieldShape(String name, long offset, boolean isReference, boolean isWord, long stride, long end) {
    private static FieldShape of(String name, RemoteField field) {
        long stride = 0;
        long end = 0;
        if (field instanceof RemoteElements elements) {
            stride = elements.rangeBytes(1);
            end = elements.offset() + stride * elements.length();
        }
        boolean isReference = field instanceof RemoteRef<?>;
        boolean isWord = isReference
                || field instanceof RemoteLong
                || field instanceof RemoteBoolean
                || field instanceof TaggedRef<?>;
        return new FieldShape(name, field.offset(), isReference, isWord, stride, end);
    }

    /** The accessible fields of a view, and of its parts, also those in lists. */
    static List<FieldShape> of(RecordView view) {
        List<FieldShape> found = new ArrayList<>();
        collect(view, RecordView.class, "", found);
        return found;
    }

    private static void collect(Object from, Class<?> last, String prefix, List<FieldShape> found) {
        eachField(from, last, (name, value) -> add(prefix + name, value, found));
    }

    private static void add(String name, Object value, List<FieldShape> found) {
        if (value instanceof RemoteField field) {
            found.add(of(name, field));
        } else if (value instanceof RecordPart part) {
            collect(part, RecordPart.class, name + ".", found);
        } else if (value instanceof List<?> several) {
            for (int i = 0; i < several.size(); i++) {
                add(name + "[" + i + "]", several.get(i), found);
            }
        }
    }

    /** Calls an action with the values of fields, up to a class. */
    private static void eachField(Object from, Class<?> last, BiConsumer<String, Object> action) {
        for (Class<?> c = from.getClass(); c != last && last.isAssignableFrom(c); c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                Object value = value(field, from);
                if (value != null) {
                    action.accept(field.getName(), value);
                }
            }
        }
    }

    /** Null if it declares nothing, or is not accessible because its module is closed. */
    private static @Nullable Object value(Field field, Object from) {
        Class<?> type = field.getType();
        boolean isDeclaration = RemoteField.class.isAssignableFrom(type)
                || RecordPart.class.isAssignableFrom(type)
                || List.class.isAssignableFrom(type);
        if (!isDeclaration || !field.trySetAccessible()) {
            return null;
        }
        try {
            return field.get(from);
        } catch (IllegalAccessException e) {
            throw new AssertionError("was made accessible", e);
        }
    }

    /** The name of the word at an offset of the record, which is not before this field. */
    String at(long wordOffset) {
        long inside = wordOffset - offset;
        String element = wordOffset < end ? "[" + inside / stride + "]" : "";
        long rest = wordOffset < end ? inside % stride : inside;
        return name + element + (rest == 0 ? "" : "+" + rest);
    }

    /** The offset of the element of this array in which a word lies; -1 if it lies in none. */
    long elementAt(long wordOffset) {
        return wordOffset >= offset && wordOffset < end ? wordOffset - (wordOffset - offset) % stride : -1;
    }

    /** Whether a word is the first of this field, or of one of its elements. */
    boolean beginsAt(long wordOffset) {
        return wordOffset == offset || wordOffset > offset && wordOffset < end && (wordOffset - offset) % stride == 0;
    }
}
