// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The explanations of mutants that were not found, from the file {@code survivors.txt}. Each line has the name of a
 * mutant, where stars match any text, then a space, the kind of survivor, a colon and the reason. The first matching
 * line applies.
 */
final class Survivors {
    private static final String FILE = "survivors.txt";

    private final Map<String, String> reasons;

    private Survivors(Map<String, String> reasons) {
        this.reasons = reasons;
    }

    /** Reads the file. */
    static Survivors read() {
        Map<String, String> reasons = new LinkedHashMap<>();
        try (InputStream in = Survivors.class.getResourceAsStream(FILE);
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line : lines.lines().toList()) {
                int space = line.indexOf(' ');
                if (!line.startsWith("#") && space > 0) {
                    reasons.putIfAbsent(
                            line.substring(0, space), line.substring(space + 1).strip());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Survivors(reasons);
    }

    /** The reason why a mutant may survive. */
    Optional<String> reason(Mutant mutant) {
        return reasons.entrySet().stream()
                .filter(entry -> matches(entry.getKey(), mutant))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** The entries that match no mutant. */
    List<String> unknown(List<Mutant> mutants) {
        return reasons.keySet().stream()
                .filter(name -> mutants.stream().noneMatch(mutant -> matches(name, mutant)))
                .toList();
    }

    /** Whether the mutant is, or may be, a mistake that should have been found. */
    static boolean isOpen(String reason) {
        return reason.startsWith("open:");
    }

    /** Whether a reason begins with its kind. */
    static boolean hasKind(String reason) {
        return isOpen(reason) || reason.startsWith("equivalent:") || reason.startsWith("cost:");
    }

    /** All reasons, by name. */
    Map<String, String> reasons() {
        return reasons;
    }

    private static boolean matches(String name, Mutant mutant) {
        return mutant.name().matches(Pattern.quote(name).replace("*", "\\E.*\\Q"));
    }
}
