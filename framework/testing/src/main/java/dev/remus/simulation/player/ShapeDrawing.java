// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.player;

import dev.remus.record.Drawing;
import dev.remus.record.RecordView;
import dev.remus.record.RemoteElements;
import dev.remus.record.RemoteField;
import dev.remus.record.RemoteLong;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;

/** Collects what a record declares about its words. */
final class ShapeDrawing implements Drawing {
    /** By the offsets of fields. */
    private final Map<Long, WordMeaning> meanings = new HashMap<>();

    private final List<RingShape.Column> columns = new ArrayList<>();
    private final List<Long> positions = new ArrayList<>();
    private int cells;

    @Override
    public Drawing ring(RemoteElements... arrays) {
        int[] lengths = Arrays.stream(arrays)
                .mapToInt(RemoteElements::length)
                .distinct()
                .toArray();
        if (lengths.length != 1) {
            throw new IllegalArgumentException("a ring of arrays of " + Arrays.toString(lengths)
                    + " elements: needs at least one array, and equal lengths");
        }
        cells = lengths[0];
        columns.clear();
        for (RemoteElements array : arrays) {
            columns.add(new RingShape.Column(array.offset(), array.rangeBytes(1)));
        }
        return this;
    }

    @Override
    public Drawing position(RemoteLong word) {
        positions.add(word.offset());
        return this;
    }

    @Override
    public Drawing link(RemoteField field, LongUnaryOperator pointer) {
        meaning(field).pointer = pointer;
        return this;
    }

    @Override
    public Drawing link(RemoteField field, LongUnaryOperator pointer, LongFunction<? extends RecordView> target) {
        meaning(field).target = target;
        return link(field, pointer);
    }

    @Override
    public Drawing child(RemoteField field, LongUnaryOperator pointer, LongFunction<? extends RecordView> target) {
        meaning(field).isChild = true;
        return link(field, pointer, target);
    }

    @Override
    public Drawing text(RemoteField field, LongFunction<String> words) {
        meaning(field).text = words;
        return this;
    }

    @Override
    public Drawing usedIf(RemoteLong field, RemoteLong flag, LongPredicate allows) {
        WordMeaning meaning = meaning(field);
        meaning.flagOffset = flag.offset();
        meaning.allows = allows;
        return this;
    }

    private WordMeaning meaning(RemoteField field) {
        return meanings.computeIfAbsent(field.offset(), offset -> new WordMeaning());
    }

    /** The meanings of words, by the offsets of their fields. */
    Map<Long, WordMeaning> meanings() {
        return meanings;
    }

    /** The ring, if there is one. */
    Optional<RingShape> ring() {
        return columns.isEmpty() ? Optional.empty() : Optional.of(new RingShape(cells, columns, positions));
    }
}
