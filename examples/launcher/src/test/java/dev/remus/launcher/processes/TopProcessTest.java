// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code top} while a cluster of processes runs. */
@Tag("processes")
@Timeout(400)
class TopProcessTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void aClusterThatLostANodeIsShownWithItsLastFiguresAndThatNodeAlthoughItsFilesAreGone(int victim) throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        try (Started top = Started.of(shm, "top");
                Started run = Started.of(shm, "intset", "--num-ops=1000000000", "--key-ub=100", "--cn-threads=1")) {
            top.awaitOut("  epoch ");
            top.awaitOut(" blocks, ");
            top.awaitOut("  operations on structures: ");
            top.awaitOut("/s (run)\n");
            top.awaitOut("  thread 0  "); // two reports of a node have been read
            run.node(victim).destroyForcibly();
            top.awaitOut(": node " + victim + " is lost: its process has ended; its last figures:");
            assertThat(run.await()).isEqualTo(1);
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads exist from Java 21 on")
    void eachVirtualThreadIsShown() throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        try (Started top = Started.of(shm, "top");
                Started run = Started.of(
                        shm,
                        "intset",
                        "--num-ops=1000000000",
                        "--key-ub=100",
                        "--cn-threads=3",
                        "--cn-thread-kind=virtual")) {
            top.awaitOut("  thread 0  ");
            top.awaitOut("  thread 2  ");
            assertThat(run.endsByInterrupt()).as("%s", run).isTrue();
        }
    }
}
