// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.fabric.verbs.RdmaMachine;
import dev.remus.launcher.Main;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** {@code bench transfers} over RDMA, too short for meaningful figures. */
@Tag("verbs")
@Timeout(400)
@EnabledIf(value = "dev.remus.fabric.verbs.RdmaMachine#isThere", disabledReason = RdmaMachine.MISSING)
class VerbsTransfersTest {
    @Test
    void smallAndLargeTransfersHaveTheirFiguresWithOneAndManyOutstanding(@TempDir Path folder) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
        String[] words = {
            "bench",
            "transfers",
            "--fabric=verbs",
            "--sizes=8,1048576",
            "--outstanding=1,64",
            "--millis=10",
            "--out=" + folder
        };
        assertThat(Main.run(words, stream, stream))
                .as(() -> printed.toString(StandardCharsets.UTF_8))
                .isEqualTo(ExitStatus.OK);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("over verbs", "READ  ", "WRITE  ", " 1,048,576 ", "results: ");
    }
}
