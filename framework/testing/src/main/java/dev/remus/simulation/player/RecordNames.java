// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.player;

import dev.remus.record.RecordView;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Names the words of records, such as {@code LazyList.Node.next}, from the views that a thread has at them. */
public final class RecordNames {
    private final Map<Object, List<RecordView>> views = new IdentityHashMap<>();
    private final Map<RecordView, RecordShape> shapes = new IdentityHashMap<>();

    /** Knows no views yet. */
    public RecordNames() {}

    /** Adds a view that a thread has made. */
    public void add(Object thread, RecordView view) {
        views.computeIfAbsent(thread, t -> new ArrayList<>()).add(view);
    }

    /** The shape of a view, whose fields have been declared. */
    RecordShape shapeOf(RecordView view) {
        return shapes.computeIfAbsent(view, RecordShape::of);
    }

    /** The views of a thread at records that contain the word at a raw pointer. */
    List<RecordView> at(Object thread, long pointer) {
        List<RecordView> found = new ArrayList<>();
        for (RecordView view : views.getOrDefault(thread, List.of())) {
            long offset = pointer - view.pointer();
            if (view.pointer() != 0 && offset >= 0 && offset < view.bytes()) {
                found.add(view);
            }
        }
        return found;
    }

    /**
     * Returns the name of the word at a raw pointer; empty if no view of the thread is there, and several if views of
     * different types are.
     */
    String of(Object thread, long pointer) {
        return at(thread, pointer).stream()
                .map(view -> shapeOf(view).qualifiedWordAt(pointer - view.pointer()))
                .distinct()
                .collect(Collectors.joining(" or "));
    }
}
