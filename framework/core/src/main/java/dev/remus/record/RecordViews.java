package dev.remus.record;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Reports the views of records that a program makes, so that a tool can name the words that it accesses. */
public final class RecordViews {
    private static final List<Consumer<? super RecordView>> LISTENERS = new CopyOnWriteArrayList<>();

    private RecordViews() {}

    /** Gives each view that is made from now on to a listener, before its fields are declared. */
    public static void addListener(Consumer<? super RecordView> listener) {
        LISTENERS.add(listener);
    }

    /** Removes a listener. */
    public static void removeListener(Consumer<? super RecordView> listener) {
        LISTENERS.remove(listener);
    }

    static void made(RecordView view) {
        for (Consumer<? super RecordView> listener : LISTENERS) {
            listener.accept(view);
        }
    }
}
