// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.player;

import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;

/** The words that a run has used, their first values, and the records to which they belong. */
final class MemoryMap {
    private static final Map<Integer, String> HEADER = Map.of(
            SegmentHeader.MAGIC, "magic",
            SegmentHeader.SIZE, "size",
            SegmentHeader.END, "end",
            SegmentHeader.ALLOCATED, "allocated",
            SegmentHeader.BARRIER, "barrier",
            SegmentHeader.CONTROL, "finished threads",
            SegmentHeader.ROOT, "root",
            SegmentHeader.LOSS, "loss");

    /** By pointer. */
    private final TreeMap<Long, Box> boxes = new TreeMap<>();

    /** The moment at which a word was used first. */
    private final TreeMap<Long, Long> used = new TreeMap<>();

    private final Map<Long, Long> first = new LinkedHashMap<>();

    /** A record is at a raw pointer. */
    void addRecord(long pointer, RecordShape shape) {
        boxes.computeIfAbsent(pointer, Box::new).add(shape);
    }

    /**
     * Adds the records of which no thread has a view, and to which links of known records lead.
     *
     * @param valuesOf the values that a word has had, given its pointer
     */
    void follow(LongFunction<Set<Long>> valuesOf) {
        Deque<Box> open = new ArrayDeque<>(boxes.values());
        while (!open.isEmpty()) {
            Box box = open.remove();
            used.subMap(box.pointer(), box.pointer() + box.bytes())
                    .keySet()
                    .forEach(word ->
                            box.meaningAt(word).ifPresent(meaning -> follow(meaning, valuesOf.apply(word), open)));
        }
    }

    private void follow(WordMeaning meaning, Set<Long> values, Deque<Box> open) {
        if (meaning.pointer == null || meaning.target == null) {
            return;
        }
        for (long value : values) {
            long pointer = meaning.pointer.applyAsLong(value);
            // A value may be no link, although the field is one: memory that was never written has any contents.
            if (pointer != RdmaPtr.NULL && used.containsKey(pointer)) {
                Box box = boxes.computeIfAbsent(pointer, Box::new);
                if (box.add(RecordShape.of(meaning.target.apply(value)))) {
                    open.add(box);
                }
            }
        }
    }

    /** Whether a record begins at a raw pointer. */
    boolean isRecord(long pointer) {
        return boxes.containsKey(pointer);
    }

    /** A word was used. */
    void use(long word, long moment) {
        used.putIfAbsent(word, moment);
    }

    /** A word had this value, which is its first one unless an earlier one is known. */
    void had(long word, long value) {
        first.putIfAbsent(word, value);
    }

    /** Makes a value the first that is known, since earlier events are dropped. */
    void beginsWith(long word, long value) {
        first.put(word, value);
    }

    /** All records, in the order of memory. */
    List<Box> boxes() {
        return List.copyOf(boxes.values());
    }

    /** The words, each with the moment of its first use. */
    Map<Long, Long> used() {
        return used;
    }

    /** The first values of words, as far as they are known. */
    Map<Long, Long> first() {
        return first;
    }

    /** The smallest record around a word. */
    Optional<Box> boxOf(long word) {
        return smallest(word, Long.BYTES, 0);
    }

    /** The smallest record around a record. */
    Optional<Box> parentOf(Box box) {
        return smallest(box.pointer(), box.bytes(), box.bytes() + 1);
    }

    private Optional<Box> smallest(long pointer, long length, long atLeast) {
        return boxes.values().stream()
                .filter(box -> box.contains(pointer, length) && box.bytes() >= atLeast)
                .min(Comparator.comparingLong(Box::bytes));
    }

    /** Where a word or a record is. */
    static String place(long pointer) {
        return "node " + RdmaPtr.node(pointer) + ", segment " + RdmaPtr.segment(pointer) + ", offset 0x"
                + Long.toHexString(RdmaPtr.offset(pointer));
    }

    /** The name of a word outside all records. */
    static String nameOutside(long word) {
        long offset = RdmaPtr.offset(word);
        return offset < SegmentHeader.BYTES ? HEADER.getOrDefault((int) offset, "word") : "word";
    }
}
