// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** Tests the doctor on a machine with an RDMA device. */
@Tag("verbs")
@Timeout(120)
class VerbsDoctorTest {
    static boolean hasRdma() {
        return Files.isDirectory(Path.of("/sys/class/infiniband/rxe0"));
    }

    @Test
    @EnabledIf(value = "hasRdma", disabledReason = "this machine has no Soft-RoCE device")
    void theDeviceIsReportedAsUsableWithoutTornWords() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        int status = DoctorCommand.run(out, out, "--fabric", "verbs", "--litmus", "--mn-port", "29600");
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("rxe0 port 1: ACTIVE", "--fabric verbs can run on this machine.")
                .containsPattern("litmus +ok +0 of [1-9][0-9,]* words of 8 bytes were torn")
                .containsPattern(" of [1-9][0-9,]* records of 16 KiB were torn")
                .containsPattern(" of [1-9][0-9,]* WRITEs were lost to a CAS that failed");
        assertThat(status).isZero();
    }
}
