// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.player;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A place in remote memory where threads have seen a record, perhaps as views of several types. */
final class Box {
    private final long pointer;
    private final Map<String, RecordShape> shapes = new LinkedHashMap<>();

    /** The shapes of all views, of which one may know of a pointer what another does not. */
    private final List<RecordShape> declarations = new ArrayList<>();

    private long bytes;

    /** @param pointer the raw pointer to it */
    Box(long pointer) {
        this.pointer = pointer;
    }

    /** Adds the shape of a view: of a type, the largest has the names. Returns whether it is the first of its type. */
    boolean add(RecordShape shape) {
        bytes = Math.max(bytes, shape.bytes());
        if (!declarations.contains(shape)) {
            declarations.add(shape);
        }
        RecordShape before = shapes.get(shape.type());
        if (before == null || before.bytes() < shape.bytes()) {
            shapes.put(shape.type(), shape);
        }
        return before == null;
    }

    long pointer() {
        return pointer;
    }

    long bytes() {
        return bytes;
    }

    /** The name of its type; where views of several types are, that of the largest. */
    String type() {
        return shapes.values().stream()
                .max(Comparator.comparingLong(RecordShape::bytes))
                .orElseThrow()
                .type();
    }

    /** Whether a word, or another box, is inside. */
    boolean contains(long other, long length) {
        return other >= pointer && other + length <= pointer + bytes;
    }

    /** The name of one of its words. */
    String wordAt(long word) {
        return shapeOf(word).wordAt(word - pointer);
    }

    /** Whether one of its words is a raw pointer. */
    boolean isReferenceAt(long word) {
        return shapeOf(word).isReferenceAt(word - pointer);
    }

    /** Whether one of its words belongs to no field. */
    boolean isGapAt(long word) {
        return shapeOf(word).isGapAt(word - pointer);
    }

    /** The raw pointer to the element of an array in which one of its words lies; to the word itself if in none. */
    long elementAt(long word) {
        long offset = shapeOf(word).elementAt(word - pointer);
        return offset < 0 ? word : pointer + offset;
    }

    /** What the record has declared of one of its words: the first declaration counts, if views differ. */
    Optional<WordMeaning> meaningAt(long word) {
        return declarations.stream()
                .flatMap(shape -> shape.meaningAt(word - pointer).stream())
                .reduce(WordMeaning::or);
    }

    /** The ring, if the record is one. */
    Optional<RingShape> ring() {
        return shapes.values().stream().flatMap(shape -> shape.ring().stream()).findFirst();
    }

    /** The cell of the ring in which a word lies; -1 if it lies in none. */
    long cellAt(long word) {
        return ring().map(ring -> ring.cellAt(word - pointer)).orElse(-1L);
    }

    /** The first shape that has a word there. */
    private RecordShape shapeOf(long word) {
        return shapes.values().stream()
                .filter(shape -> word - pointer < shape.bytes())
                .findFirst()
                .orElseThrow();
    }
}
