package dev.remus.simulation.player;

import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

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
    private final Map<Long, Box> boxes = new TreeMap<>();

    /** The moment at which a word was used first. */
    private final Map<Long, Long> used = new LinkedHashMap<>();

    private final Map<Long, Long> first = new LinkedHashMap<>();

    /** A record is at a raw pointer. */
    void addRecord(long pointer, RecordShape shape) {
        boxes.computeIfAbsent(pointer, Box::new).add(shape);
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
