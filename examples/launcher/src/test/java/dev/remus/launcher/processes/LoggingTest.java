// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("processes")
@Tag("any-jdk")
@Timeout(400)
class LoggingTest {
    private static final String DEBUG = "export JAVA_TOOL_OPTIONS=-Dorg.slf4j.simpleLogger.log.dev.remus=debug";

    @TempDir
    private Path folder;

    @Test
    void debugLoggingPrintsNodesThatJoinAndLeave() throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        try (Started hello = Started.after(DEBUG, shm, "hello")) {
            assertThat(hello.await()).isZero();
            assertThat(hello.err())
                    .contains("Memory Node 0 of cluster")
                    .contains("Memory Node 0: Compute Node 1 is JOINED")
                    .contains("Compute Node 1 has joined cluster")
                    .contains("Compute Node 1 leaves");
        }
    }

    @Test
    void byDefaultNothingIsLogged() throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        try (Started hello = Started.of(shm, "hello")) {
            assertThat(hello.await()).isZero();
            assertThat(hello.err()).isEmpty();
        }
    }
}
