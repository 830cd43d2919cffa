// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.player;

import dev.remus.memory.RdmaPtr;
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

    /** This declaration, and that of another view for the values of which this one has no pointer or no text. */
    WordMeaning or(WordMeaning other) {
        WordMeaning both = new WordMeaning();
        both.pointer = firstPointer(pointer, other.pointer);
        both.target = target == null ? other.target : target;
        both.isChild = isChild;
        both.text = firstText(text, other.text);
        both.allows = allows;
        both.flagOffset = flagOffset;
        return both;
    }

    private static @Nullable LongUnaryOperator firstPointer(
            @Nullable LongUnaryOperator pointer, @Nullable LongUnaryOperator other) {
        if (pointer == null || other == null) {
            return pointer;
        }
        return value -> {
            long found = pointer.applyAsLong(value);
            return found == RdmaPtr.NULL ? other.applyAsLong(value) : found;
        };
    }

    private static @Nullable LongFunction<String> firstText(
            @Nullable LongFunction<String> text, @Nullable LongFunction<String> other) {
        if (text == null || other == null) {
            return text;
        }
        return value -> {
            String words = text.apply(value);
            return words.isEmpty() ? other.apply(value) : words;
        };
    }
}
