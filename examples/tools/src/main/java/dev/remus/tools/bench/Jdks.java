// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.options.Arguments;
import dev.remus.options.OptionSpec;
import dev.remus.options.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The JDKs to measure on. */
final class Jdks {
    private static final int OLDEST = 17;
    private static final Path INSTALLED = Path.of("/usr/lib/jvm");

    private Jdks() {}

    /**
     * The JDKs that an option lists, in its order; by default, one installed JDK of each feature release.
     *
     * @throws UsageException if an entry is no JDK 17 or later
     */
    static List<Jdk> chosen(Arguments arguments, OptionSpec<List<String>> option) {
        List<String> paths = arguments.get(option);
        if (paths.isEmpty()) {
            return List.copyOf(found());
        }
        List<Jdk> jdks = new ArrayList<>();
        for (String path : paths) {
            Jdk jdk = Jdk.at(Path.of(path))
                    .filter(candidate -> candidate.feature() >= OLDEST)
                    .orElseThrow(() -> arguments.usageError(
                            option,
                            "folders of JDK " + OLDEST + " or later, with bin/java in them; " + path + " is none"));
            if (!jdks.contains(jdk)) {
                jdks.add(jdk);
            }
        }
        return jdks;
    }

    /**
     * The running JDK, the JDK of JAVA_HOME and the installed ones; the first of each feature release, oldest first.
     */
    private static Collection<Jdk> found() {
        List<Jdk> candidates = new ArrayList<>();
        candidates.add(Jdk.running());
        Optional.ofNullable(System.getenv("JAVA_HOME"))
                .map(Path::of)
                .flatMap(Jdk::at)
                .ifPresent(candidates::add);
        candidates.addAll(installed());
        Map<Integer, Jdk> byFeature = new TreeMap<>();
        candidates.stream()
                .filter(jdk -> jdk.feature() >= OLDEST)
                .forEach(jdk -> byFeature.putIfAbsent(jdk.feature(), jdk));
        return byFeature.values();
    }

    private static List<Jdk> installed() {
        try (Stream<Path> homes = Files.list(INSTALLED)) {
            return homes.sorted().flatMap(home -> Jdk.at(home).stream()).toList();
        } catch (IOException e) {
            return List.of(); // some systems lack this folder
        }
    }
}
