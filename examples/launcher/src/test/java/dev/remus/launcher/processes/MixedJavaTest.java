// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster whose processes run on different releases of Java: this build's and another installed one. */
@Tag("processes")
@Tag("programs")
@Timeout(400)
class MixedJavaTest {
    private static final Path INSTALLED = Path.of("/usr/lib/jvm");
    private static final int OLDEST = 17;

    private record Java(Path home, int feature) {}

    private static final Java THIS =
            new Java(Path.of(System.getProperty("java.home")), Runtime.version().feature());

    @TempDir
    private Path folder;

    private Path shm;
    private Java other;
    private final List<Started> started = new ArrayList<>();

    @BeforeEach
    void findOtherJava() throws IOException {
        shm = Files.createDirectory(folder.resolve("shm"));
        Optional<Java> found = installed().stream()
                .filter(java -> java.feature() >= OLDEST && java.feature() != THIS.feature())
                .findFirst();
        assumeThat(found)
                .as("another Java than %d, %d or later, under %s", THIS.feature(), OLDEST, INSTALLED)
                .isPresent();
        other = found.orElseThrow();
    }

    private static List<Java> installed() throws IOException {
        if (!Files.isDirectory(INSTALLED)) {
            return List.of();
        }
        try (Stream<Path> homes = Files.list(INSTALLED)) {
            return homes.filter(home -> Files.isExecutable(home.resolve("bin/java")))
                    .filter(home -> Files.isReadable(home.resolve("release")))
                    .sorted()
                    .map(home -> new Java(home, feature(home.resolve("release"))))
                    .toList();
        }
    }

    /** The feature release, from the JDK's release file. */
    private static int feature(Path release) {
        Properties properties = new Properties();
        try (var in = Files.newInputStream(release)) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String version = properties.getProperty("JAVA_VERSION", "0").replace("\"", "");
        return Runtime.Version.parse(version.startsWith("1.") ? "8" : version).feature();
    }

    @AfterEach
    void endAll() {
        started.forEach(Started::close);
    }

    @Test
    void theBooksBalanceIfTheMemoryNodeRunsOnThisJava() throws Exception {
        assertBooksBalance(THIS, other, THIS);
    }

    @Test
    void theBooksBalanceIfTheMemoryNodeRunsOnAnotherJava() throws Exception {
        assertBooksBalance(other, THIS, other);
    }

    /** Runs intset with a Memory Node and two Compute Nodes, the first of which prints the results. */
    private void assertBooksBalance(Java memory, Java first, Java second) throws IOException {
        List<Started> nodes = List.of(start(memory, 0), start(first, 1), start(second, 2));
        for (Started node : nodes) {
            assertThat(node.await()).as(node.err()).isZero();
            assertThat(node.err().lines()).allMatch(line -> line.startsWith("run: ")); // progress of a long run
        }
        assertThat(nodes.get(1).out()).contains("operations     2,000", " found: balanced");
    }

    private Started start(Java java, int node) throws IOException {
        Started process = Started.on(
                java.home(),
                java.feature(),
                shm,
                "intset",
                "--node-id=" + node,
                "--first-mn-id=0",
                "--last-mn-id=0",
                "--first-cn-id=1",
                "--last-cn-id=2",
                "--mn-port=18515",
                "--cn-threads=2",
                "--num-ops=500",
                "--report=none",
                "--key-ub=100");
        started.add(process);
        return process;
    }
}
