// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reports the views of records that a program makes, so that a tool can name the words that it accesses. */
public final class RecordViews {
    private static volatile @Nullable Consumer<Object> listener;

    private RecordViews() {}

    /**
     * Gives each {@link RecordView} that is made from now on, by any thread, to a listener, before its fields are
     * declared. Only one tool at a time may do so.
     *
     * @param next the listener, or null to end this
     * @return the listener so far
     */
    public static @Nullable Consumer<Object> report(@Nullable Consumer<Object> next) {
        Consumer<Object> last = listener;
        listener = next;
        return last;
    }

    static void made(Object view) {
        Consumer<Object> current = listener;
        if (current != null) {
            current.accept(view);
        }
    }
}
