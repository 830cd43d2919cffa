// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import dev.remus.fabric.LocalBuffer;
import org.jspecify.annotations.Nullable;

/** The copies that a {@link RecordCache} holds, for the views that use one of them. */
final class CachedCopies {
    /** Null if the cache may hold nothing. */
    @Nullable
    LocalBuffer memory;

    /** Increases whenever a copy that a view may be using goes. */
    long changes;
}
