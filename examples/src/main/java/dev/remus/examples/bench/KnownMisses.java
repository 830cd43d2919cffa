package dev.remus.examples.bench;

import java.util.Map;
import java.util.Optional;

/** Why a target is missed, as far as profiling has shown. */
final class KnownMisses {
    private static final Map<Subject, String> REASONS = Map.of();

    private KnownMisses() {}

    static Optional<String> reason(Subject subject) {
        return Optional.ofNullable(REASONS.get(subject));
    }
}
