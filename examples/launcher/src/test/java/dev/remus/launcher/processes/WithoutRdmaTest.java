// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.cluster.ExitStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.io.TempDir;

/** {@code --fabric verbs} on a machine without an RDMA device. */
@Tag("processes")
@Timeout(400)
class WithoutRdmaTest {
    @TempDir
    private Path folder;

    @Test
    @DisabledIf(
            value = "dev.remus.fabric.verbs.RdmaMachine#isThere",
            disabledReason = "this machine has an RDMA device")
    void aMachineWithoutRdmaGetsOneErrorMessage() throws Exception {
        try (Started hello = Started.of(Files.createDirectory(folder.resolve("shm")), "hello", "--fabric", "verbs")) {
            assertThat(hello.await()).isEqualTo(ExitStatus.NOT_STARTED);
            assertThat(hello.err().lines()).singleElement().asString().contains("no RDMA device", "./remus doctor");
        }
    }
}
