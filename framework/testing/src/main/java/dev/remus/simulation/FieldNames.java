package dev.remus.simulation;

import dev.remus.record.RecordView;
import dev.remus.record.RemoteField;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Names the words of records, such as {@code LazyList.Node.next}, from the views that a thread has at them. */
final class FieldNames {
    private final Map<Object, List<RecordView>> views = new IdentityHashMap<>();

    /** Adds a view that a thread has made. */
    void add(Object thread, RecordView view) {
        views.computeIfAbsent(thread, t -> new ArrayList<>()).add(view);
    }

    /**
     * Returns the name of the word at a raw pointer; empty if no view of the thread is there, and several if views of
     * different types are.
     */
    String of(Object thread, long pointer) {
        Set<String> names = new LinkedHashSet<>();
        for (RecordView view : views.getOrDefault(thread, List.of())) {
            long offset = pointer - view.pointer();
            if (view.pointer() != 0 && offset >= 0 && offset < view.bytes()) {
                names.add(name(view, offset));
            }
        }
        return String.join(" or ", names);
    }

    private static String name(RecordView view, long offset) {
        String type = view.getClass().getName();
        String record = type.substring(type.lastIndexOf('.') + 1).replace('$', '.');
        @Nullable String name = null;
        long start = -1;
        for (Class<?> c = view.getClass(); RecordView.class.isAssignableFrom(c); c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                RemoteField declared = value(field, view);
                if (declared != null && declared.offset() <= offset && declared.offset() > start) {
                    start = declared.offset();
                    name = field.getName();
                }
            }
        }
        return name == null
                ? record + "+" + offset
                : record + "." + name + (start == offset ? "" : "+" + (offset - start));
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
}
