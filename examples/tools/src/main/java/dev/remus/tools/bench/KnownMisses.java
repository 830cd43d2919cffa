// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import java.util.Map;
import java.util.Optional;

/** Known reasons why an operation misses its target, from profiling. */
final class KnownMisses {
    private static final String CHECK =
            "each operation looks its segment up in a table, which takes three dependent loads, and counts itself";

    private static final String POSITIONS =
            "an object is marshalled in place, but Chronicle Bytes have positions and limits, which are set for "
                    + "each object, and are one dependent load away: about 0.5 ns in the fastest iterations; the codec "
                    + "written by hand has none";

    private static final Map<Subject, String> REASONS = Map.of(
            Subject.READ,
            CHECK + "; a field is reached through its record, with two more loads",
            Subject.READ_DEPENDENT,
            CHECK + "; the second and the third of them wait for the pointer, and so for the read before",
            Subject.WRITE,
            CHECK,
            Subject.CAS,
            CHECK,
            Subject.FAA,
            CHECK,
            Subject.CONTAINS,
            "each step waits for the entry of the table, besides the node, and two reads of a node are checked",
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
