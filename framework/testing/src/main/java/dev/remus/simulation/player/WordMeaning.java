// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.player;

import dev.remus.record.RecordView;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** What a record has declared of a word, or of the first word of each element of an array. */
final class WordMeaning {
    /** The pointer in a value. */
    @Nullable
    LongUnaryOperator pointer;

    /** The record to which a value leads, if no thread has a view of it. */
    @Nullable
    LongFunction<? extends RecordView> target;

    /** Whether the link leads to a child in a tree. */
    boolean isChild;

    @Nullable
    LongFunction<String> text;

    /** Whether a value of the word at {@link #flagOffset} lets this one count. */
    @Nullable
    LongPredicate allows;

    long flagOffset;
}
