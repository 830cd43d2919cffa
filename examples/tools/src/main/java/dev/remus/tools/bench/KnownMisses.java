package dev.remus.tools.bench;

import java.util.Map;
import java.util.Optional;

/** Known reasons why an operation misses its target, from profiling. */
final class KnownMisses {
    private static final String CHECK =
            "checking the pointer, finding the segment's address and counting the operation take "
                    + "about 1 ns together, measured by removing each";

    private static final String COPY =
            "an object is marshalled into an array on the heap, which is found by the thread, and then "
                    + "copied; measured part by part, the copy costs most; the codec written by hand encodes in place";

    private static final Map<Subject, String> REASONS = Map.of(
            Subject.READ,
            CHECK + "; a field is reached through its record, with two more dependent loads",
            Subject.CAS,
            CHECK,
            Subject.FAA,
            CHECK,
            Subject.STAGE_OBJECT,
            COPY,
            Subject.FETCHED_OBJECT,
            COPY,
            Subject.STORE_OBJECT,
            COPY,
            Subject.LOAD_OBJECT,
            COPY);

    private KnownMisses() {}

    static Optional<String> reason(Subject subject) {
        return Optional.ofNullable(REASONS.get(subject));
    }
}
