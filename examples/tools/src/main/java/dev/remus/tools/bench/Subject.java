package dev.remus.tools.bench;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A measured operation in up to three forms, including the reference. */
enum Subject {
    READ("read 8 B", "Read", true, Target.plusNanos(1.5)),
    READ_64("read 64 B", "Read64", false, Target.plusNanos(1.5)),
    WRITE("write 8 B", "Write", true, Target.times(1.2)),
    CAS("CAS", "Cas", true, Target.times(1.2)),
    FAA("FAA", "Faa", true, Target.times(1.2)),
    ALLOCATE(Target.times(1.5)),
    STAGE_OBJECT("stage object", "Stage"),
    FETCHED_OBJECT("fetched object", "Fetched"),
    STORE_OBJECT("store object", "Store"),
    LOAD_OBJECT("load object", "Load"),
    CONTAINS("contains", "floorContains", "oneFabricContains", Target.times(2)),
    CONTAINS_LOADED("contains, 3 fabrics", "oneFabricContains", "threeFabricsContains", Target.times(1.05));

    private final String title;
    private final String reference;
    private final String thread;
    private final Optional<String> field;
    private final Target target;

    /** An operation on one word, or 64 bytes, of {@link PrimitiveBenchmark}. */
    Subject(String title, String operation, boolean hasField, Target target) {
        String prefix = PrimitiveBenchmark.class.getName() + ".";
        this.title = title;
        this.reference = prefix + "reference" + operation;
        this.thread = prefix + "thread" + operation;
        this.field = hasField ? Optional.of(prefix + "field" + operation) : Optional.empty();
        this.target = target;
    }

    /** The {@link AllocationBenchmark}; the reference works at the other end of the segment. */
    Subject(Target target) {
        String prefix = AllocationBenchmark.class.getName() + ".";
        this.title = "allocate, far end";
        this.reference = prefix + "referenceAllocate";
        this.thread = prefix + "threadAllocate";
        this.field = Optional.empty();
        this.target = target;
    }

    /** An operation of {@link ObjectBenchmark} through Chronicle Bytes; the reference is a codec written for it. */
    Subject(String title, String operation) {
        String prefix = ObjectBenchmark.class.getName() + ".";
        this.title = title;
        this.reference = prefix + "reference" + operation;
        this.thread = prefix + "thread" + operation;
        this.field = Optional.empty();
        this.target = Target.times(1.1);
    }

    /** A search of {@link ListBenchmark}, compared with another one. */
    Subject(String title, String reference, String method, Target target) {
        String prefix = ListBenchmark.class.getName() + ".";
        this.title = title;
        this.reference = prefix + reference;
        this.thread = prefix + method;
        this.field = Optional.empty();
        this.target = target;
    }

    /** The name in reports. */
    String title() {
        return title;
    }

    /** The JMH benchmark of the reference. */
    String reference() {
        return reference;
    }

    /** The JMH benchmark through the Compute Thread. */
    String thread() {
        return thread;
    }

    /** The JMH benchmark through a field of a record, if there is one. */
    Optional<String> field() {
        return field;
    }

    /** All JMH benchmarks, the reference first. */
    List<String> benchmarks() {
        return Stream.concat(Stream.of(reference, thread), field.stream()).toList();
    }

    Target target() {
        return target;
    }
}
