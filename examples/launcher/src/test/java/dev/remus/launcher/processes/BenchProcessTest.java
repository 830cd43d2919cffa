// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The forks of a measurement end when their parent ends. */
@Tag("processes")
@Tag("any-jdk")
@Timeout(400)
class BenchProcessTest {
    @TempDir
    private Path folder;

    private Path shm;
    private Path temporary;
    private Started bench;

    @BeforeEach
    void startALongMeasurement() throws Exception {
        shm = Files.createDirectory(folder.resolve("shm"));
        temporary = Files.createDirectory(folder.resolve("tmp"));
        bench = Started.after(
                "export JDK_JAVA_OPTIONS='-Djmh.ignoreLock=true -Djava.io.tmpdir=" + temporary + "'",
                shm,
                "bench",
                "primitives",
                "--filter=contains, 3",
                "--time=60000",
                "--jdk=" + System.getProperty("java.home"));
        awaitFork();
        bench.awaitOut(""); // records the child processes
        assertThat(bench.children()).isPositive();
    }

    @AfterEach
    void end() {
        bench.close();
    }

    private void awaitFork() throws Exception {
        for (int i = 0; i < 6_000; i++) {
            try (Stream<Path> files = Files.walk(shm)) {
                if (files.anyMatch(file -> file.endsWith("compute-0"))) {
                    return;
                }
            }
            Thread.sleep(10);
        }
        throw new AssertionError("no benchmark has begun; " + bench.err());
    }

    private void assertNothingIsLeft() throws IOException {
        bench.awaitNoChild();
        try (Stream<Path> files = Files.walk(shm)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> file.getFileName().toString()))
                    .allMatch(".lock"::equals);
        }
    }

    @Test
    void ctrlCEndsTheForksAndLeavesNothing() throws Exception {
        assertThat(bench.endsByInterrupt()).isTrue();
        assertNothingIsLeft();
        assertThat(bench.err()).doesNotContain("could not run");
        assertThat(folder.resolve("results")).isEmptyDirectory();
        try (Stream<Path> files = Files.list(temporary)) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        }
    }

    @Test
    void aForkEndsWhenItsParentIsKilledAndLeavesNothing() throws Exception {
        bench.signal("KILL");
        assertThat(bench.await()).isEqualTo(137);
        assertNothingIsLeft();
    }
}
