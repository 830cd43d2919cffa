package dev.remus.tools.bench;

import java.util.Map;
import java.util.Optional;

/** Why an operation takes longer than its target allows, as far as profiling has shown. */
final class KnownMisses {
    private static final String CHECK =
            "checking the pointer, finding the segment's address and counting the operation take "
                    + "about 1 ns together, as leaving each of them out has shown";

    private static final Map<Subject, String> REASONS = Map.of(
            Subject.READ,
            CHECK + "; a field is reached through the record that it is in, two more loads that depend on each other",
            Subject.CAS,
            CHECK,
            Subject.FAA,
            CHECK);

    private KnownMisses() {}

    static Optional<String> reason(Subject subject) {
        return Optional.ofNullable(REASONS.get(subject));
    }
}
