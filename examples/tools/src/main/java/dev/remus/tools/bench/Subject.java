// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A measured operation in up to three forms, including the reference. */
enum Subject {
    READ("read 8 B", Forms.onWord("Read"), Target.times(1.1)),
    READ_DEPENDENT("read, dependent", Forms.onWord("ReadDependent"), Target.times(1.1)),
    READ_64("read 64 B", Forms.onBytes("Read64"), Target.plusNanos(1.5)),
    WRITE("write 8 B", Forms.onWord("Write"), Target.times(1.1)),
    CAS("CAS", Forms.onWord("Cas"), Target.times(1.1)),
    FAA("FAA", Forms.onWord("Faa"), Target.times(1.1)),
    READ_LOADED("read, 3 fabrics", Forms.loaded("threadRead"), Target.times(1.05)),
    WRITE_LOADED("write, 3 fabrics", Forms.loaded("threadWrite"), Target.times(1.05)),
    CAS_LOADED("CAS, 3 fabrics", Forms.loaded("threadCas"), Target.times(1.05)),
    FAA_LOADED("FAA, 3 fabrics", Forms.loaded("threadFaa"), Target.times(1.05)),
    FIELD_LOADED("field, 3 fabrics", Forms.loaded("fieldRead"), Target.times(1.05)),
    ALLOCATE("allocate, far end", Forms.allocate(), Target.times(1.5)),
    STAGE_OBJECT("stage object", Forms.onObject("Stage"), Target.times(1.1)),
    FETCHED_OBJECT("fetched object", Forms.onObject("Fetched"), Target.times(1.1)),
    STORE_OBJECT("store object", Forms.onObject("Store"), Target.times(1.1)),
    LOAD_OBJECT("load object", Forms.onObject("Load"), Target.times(1.1)),
    CONTAINS("contains", Forms.search("floorContains", "oneFabricContains"), Target.times(1.8)),
    CONTAINS_LOADED(
            "contains, 3 fabrics", Forms.search("oneFabricContains", "threeFabricsContains"), Target.times(1.05));

    private static final Target OF_FIELDS = Target.times(1.3);

    private final String title;
    private final Forms forms;
    private final Target target;

    /**
     * JMH benchmarks.
     *
     * @param reference what the others are compared with
     * @param thread through the Compute Thread
     * @param field through a field of a record, if there is one
     */
    private record Forms(String reference, String thread, Optional<String> field) {
        private static Forms of(Class<?> type, String reference, String thread) {
            return new Forms(type.getName() + "." + reference, type.getName() + "." + thread, Optional.empty());
        }

        /** An operation on 64 bytes. */
        static Forms onBytes(String operation) {
            return of(PrimitiveBenchmark.class, "reference" + operation, "thread" + operation);
        }

        static Forms onWord(String operation) {
            Forms both = onBytes(operation);
            return new Forms(
                    both.reference,
                    both.thread,
                    Optional.of(PrimitiveBenchmark.class.getName() + ".field" + operation));
        }

        /** An operation on a word where other fabrics are loaded; the reference is the same where none is. */
        static Forms loaded(String benchmark) {
            return new Forms(
                    PrimitiveBenchmark.class.getName() + "." + benchmark,
                    LoadedPrimitiveBenchmark.class.getName() + "." + benchmark,
                    Optional.empty());
        }

        /** The reference works at the other end of the segment. */
        static Forms allocate() {
            return of(AllocationBenchmark.class, "referenceAllocate", "threadAllocate");
        }

        /** An operation through Chronicle Bytes; the reference is a codec written for it. */
        static Forms onObject(String operation) {
            return of(ObjectBenchmark.class, "reference" + operation, "thread" + operation);
        }

        static Forms search(String reference, String method) {
            return of(ListBenchmark.class, reference, method);
        }
    }

    Subject(String title, Forms forms, Target target) {
        this.title = title;
        this.forms = forms;
        this.target = target;
    }

    /** The name in reports. */
    String title() {
        return title;
    }

    /** The JMH benchmark of the reference. */
    String reference() {
        return forms.reference;
    }

    /** The JMH benchmark through the Compute Thread. */
    String thread() {
        return forms.thread;
    }

    /** The JMH benchmark through a field of a record, if there is one. */
    Optional<String> field() {
        return forms.field;
    }

    /** All JMH benchmarks, the reference first. */
    List<String> benchmarks() {
        return Stream.concat(Stream.of(reference(), thread()), field().stream()).toList();
    }

    /** The target of the operation through the Compute Thread. */
    Target target() {
        return target;
    }

    /** The target of the operation through a field. */
    Target fieldTarget() {
        return OF_FIELDS;
    }

    /** All targets, for reports, such as {@code <= 1.1x, field <= 1.3x}. */
    String targets() {
        return target + field().map(name -> ", field " + OF_FIELDS).orElse("");
    }
}
