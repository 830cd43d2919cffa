package dev.remus.record;

import dev.remus.fabric.LocalBuffer;
import org.jspecify.annotations.Nullable;

/** The copies that a {@link RecordCache} holds, for the views that look at one of them. */
final class CachedCopies {
    /** Null if the cache may hold nothing. */
    @Nullable
    LocalBuffer memory;

    /** Counts up whenever a copy that some view may be looking at is no longer there. */
    long changes;
}
