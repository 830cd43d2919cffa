// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Measurements too short for meaningful figures. */
@Tag("processes")
@Tag("any-jdk")
@Timeout(120)
class PrimitivesSuiteTest {
    private static final String[] SHORTEST = {"--forks=1", "--iterations=1", "--time=10"};

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeAll
    static void measureBesideOthers() {
        System.setProperty("jmh.ignoreLock", "true");
    }

    private int run(Path jdk, String filter) {
        String[] args = Stream.concat(
                        Stream.of(SHORTEST),
                        Stream.of("--filter", filter, "--jdk", jdk.toString(), "--out", folder + "/out"))
                .toArray(String[]::new);
        return new PrimitivesSuite(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(args);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void theTableIsPrintedAndSavedWithTheResultsOfJmh() throws Exception {
        assertThat(run(Jdk.running().home(), "^FAA|contains$"))
                .as(err.toString(StandardCharsets.UTF_8))
                .isZero();
        assertThat(out())
                .startsWith("machine: ")
                .contains(
                        "1 fork, 1 iterations of 10 ms", "Java " + Jdk.running().version())
                .containsPattern("(?m)^FAA +[0-9.]+ ±0(.00)? .* <= 1.1x, field <= 1.3x  (ok|MISS|too busy to judge)$")
                .containsPattern("(?m)^contains +[0-9.]+ ±0 .* <= 1.8x +(ok|MISS|too busy to judge)$")
                .doesNotContain("did not run", "CAS");
        try (Stream<Path> all = Files.walk(folder.resolve("out"))) {
            Path csv = all.filter(file -> file.endsWith("primitives.csv"))
                    .findFirst()
                    .orElseThrow();
            assertThat(Files.readAllLines(csv)).hasSize(4);
            assertThat(csv.resolveSibling("primitives.txt")).content(UTF_8).startsWith("machine: ");
            assertThat(csv.resolveSibling("primitives.json")).content(UTF_8).contains("\"verdict\"");
            assertThat(csv.resolveSibling("provenance.json"))
                    .content(UTF_8)
                    .contains("\"processor\"", "\"primitives\"");
            assertThat(csv.resolveSibling("jmh-java" + Runtime.version().feature() + ".json"))
                    .content(UTF_8)
                    .contains(
                            "gc.alloc.rate.norm",
                            "PrimitiveBenchmark.fieldFaa",
                            "LoadedPrimitiveBenchmark.threadFaa",
                            "ListBenchmark.floorContains");
        }
    }

    @Test
    void aBrokenJdkIsReportedAsAFailure() throws Exception {
        Path home = Files.createDirectory(folder.resolve("jdk"));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"17.0.99\"\n");
        Path java = Files.createDirectory(home.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nexit 3\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        assertThat(run(home, "FAA")).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("Java 17.0.99 could not run ");
        assertThat(out()).contains("did not run");
    }
}
