package dev.remus.simulation.player;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

/** A place in remote memory where threads have seen a record, perhaps as views of several types. */
final class Box {
    private final long pointer;
    private final Map<String, RecordShape> shapes = new LinkedHashMap<>();
    private long bytes;

    /** @param pointer the raw pointer to it */
    Box(long pointer) {
        this.pointer = pointer;
    }

    void add(RecordShape shape) {
        shapes.putIfAbsent(shape.type(), shape);
        bytes = Math.max(bytes, shape.bytes());
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

    /** The first shape that has a word there. */
    private RecordShape shapeOf(long word) {
        return shapes.values().stream()
                .filter(shape -> word - pointer < shape.bytes())
                .findFirst()
                .orElseThrow();
    }
}
