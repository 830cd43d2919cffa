// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An installed JDK.
 *
 * @param home its installation folder
 * @param version such as {@code 17.0.15}
 */
record Jdk(Path home, String version) {
    private static final Pattern RELEASE = Pattern.compile("^JAVA_VERSION=\"?([0-9][0-9._]*)");
    private static final Pattern PRINTED = Pattern.compile(" version \"([0-9][0-9._]*)");

    /** The JDK that runs this process. */
    static Jdk running() {
        return new Jdk(real(Path.of(System.getProperty("java.home"))), System.getProperty("java.version"));
    }

    /** The JDK in a folder, or of a command {@code .../bin/java}; empty if there is none. */
    static Optional<Jdk> at(Path path) {
        Path real = real(path);
        Path home = Files.isRegularFile(real) && real.endsWith(Path.of("bin", "java"))
                ? real.resolve("../..").normalize()
                : real;
        return Files.isExecutable(home.resolve("bin").resolve("java"))
                ? readVersion(home).map(version -> new Jdk(home, version))
                : Optional.empty();
    }

    /** The feature release, such as 17. */
    int feature() {
        String plain = version.startsWith("1.") ? version.substring(2) : version; // Java 8 calls itself 1.8
        return Integer.parseInt(plain.split("[^0-9]", 2)[0]);
    }

    /** The {@code java} command. */
    Path java() {
        return home.resolve("bin").resolve("java");
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path.toAbsolutePath().normalize(); // it does not exist: the caller finds no java there
        }
    }

    private static Optional<String> readVersion(Path home) {
        try (Stream<String> lines = Files.lines(home.resolve("release"))) {
            Optional<String> version = find(RELEASE, lines);
            if (version.isPresent()) {
                return version;
            }
        } catch (IOException e) {
            // some JDKs lack this file
        }
        return askVersion(home.resolve("bin").resolve("java"));
    }

    private static Optional<String> askVersion(Path java) {
        try {
            Process process = new ProcessBuilder(java.toString(), "-version")
                    .redirectErrorStream(true)
                    .start();
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                return find(PRINTED, lines.lines());
            } finally {
                process.destroy();
            }
        } catch (IOException e) {
            return Optional.empty(); // it cannot be executed
        }
    }

    private static Optional<String> find(Pattern pattern, Stream<String> lines) {
        return lines.map(pattern::matcher)
                .filter(Matcher::find)
                .map(matcher -> matcher.group(1))
                .findFirst();
    }
}
