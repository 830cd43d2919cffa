package dev.remus.examples.mutants;

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

/**
 * What is known about mutants that no schedule tells from the original, in the file {@code survivors.txt}: the name of a mutant, or
 * the beginning of it up to a star, and behind a space the reason.
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
                    reasons.put(line.substring(0, space), line.substring(space + 1).strip());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Survivors(reasons);
    }

    /** Why a mutant may survive. */
    Optional<String> reason(Mutant mutant) {
        return reasons.entrySet().stream()
                .filter(entry -> matches(entry.getKey(), mutant))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** Those that stand for no mutant any more. */
    List<String> unknown(List<Mutant> mutants) {
        return reasons.keySet().stream()
                .filter(name -> mutants.stream().noneMatch(mutant -> matches(name, mutant)))
                .toList();
    }

    private static boolean matches(String name, Mutant mutant) {
        return name.endsWith("*")
                ? mutant.name().startsWith(name.substring(0, name.length() - 1))
                : mutant.name().equals(name);
    }
}
