package dev.remus.tools.bench;

import java.util.Map;
import java.util.Optional;

/** Known reasons why an operation misses its target, from profiling. */
final class KnownMisses {
    private static final String CHECK =
            "checking the pointer, finding the segment's address and counting the operation take "
                    + "about 1 ns together, measured by removing each";

    private static final String POSITIONS =
            "an object is marshalled in place, but Chronicle Bytes have positions and limits, which are set for "
                    + "each object: about 1 ns in the fastest iterations; the codec written by hand has none";

    private static final Map<Subject, String> REASONS = Map.of(
            Subject.READ,
            CHECK + "; a field is reached through its record, with two more dependent loads",
            Subject.CAS,
            CHECK,
            Subject.FAA,
            CHECK,
            Subject.STAGE_OBJECT,
            POSITIONS,
            Subject.FETCHED_OBJECT,
            POSITIONS,
            Subject.STORE_OBJECT,
            POSITIONS,
            Subject.LOAD_OBJECT,
            POSITIONS);

    private KnownMisses() {}

    static Optional<String> reason(Subject subject) {
        return Optional.ofNullable(REASONS.get(subject));
    }
}
