// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests how the doctor reports findings. */
@Tag("machine")
class DoctorTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

    /** A check of a device with given findings. */
    private static Check device(Diagnosis... findings) {
        return new Check() {
            @Override
            public String subject() {
                return "device";
            }

            @Override
            public boolean isNeededBy(String fabric) {
                return fabric.equals(RequestedCluster.VERBS);
            }

            @Override
            public List<Diagnosis> examine(ExaminedMachine machine, RequestedCluster requested) {
                return List.of(findings);
            }
        };
    }

    private boolean examine(String fabric, Check check) {
        ExaminedMachine machine = new ExaminedMachine(Path.of("/"), new RealNetwork());
        try {
            return new Doctor(List.of(check), machine)
                    .examine(new RequestedCluster(fabric, List.of(), 1, 20, 1), new TextDoctorReport(out));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aProblemOfTheChosenFabricKeepsItFromRunning() {
        assertThat(examine(RequestedCluster.VERBS, device(Diagnosis.problem("none", "buy one"))))
                .isFalse();
        assertThat(printed())
                .contains("device          PROBLEM  none\n")
                .contains("fix: buy one\n")
                .endsWith("--fabric verbs cannot run on this machine: 1 problem.\n");
    }

    @Test
    void aProblemOfAnotherFabricIsANote() {
        assertThat(examine(RequestedCluster.SHM, device(Diagnosis.problem("none", "buy one"))))
                .isTrue();
        assertThat(printed())
                .contains("device          note     none\n")
                .contains("buy one")
                .endsWith("--fabric shm can run on this machine.\n");
    }

    @Test
    void aFindingWithoutProblemHasNoRemedy() {
        assertThat(examine(RequestedCluster.VERBS, device(Diagnosis.ok("fine"), Diagnosis.ok("also fine"))))
                .isTrue();
        assertThat(printed()).contains("ok       fine").doesNotContain("fix:");
    }

    @Test
    void theFindingsAreAvailableAsJson() throws Exception {
        ExaminedMachine machine = new ExaminedMachine(Path.of("/"), new RealNetwork());
        Check check = device(Diagnosis.ok("fine"), Diagnosis.problem("no \"card\"", "buy one"));
        assertThat(new Doctor(List.of(check), machine)
                        .examine(
                                new RequestedCluster(RequestedCluster.VERBS, List.of(), 1, 20, 1),
                                new JsonDoctorReport(out)))
                .isFalse();
        try (JsonParser json = new JsonFactory().createParser(printed())) {
            int objects = 0;
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                objects += token == JsonToken.START_OBJECT ? 1 : 0;
            }
            assertThat(objects).isEqualTo(3);
        }
        assertThat(printed().replaceAll("\\s+", " "))
                .contains("\"subject\" : \"device\", \"grade\" : \"ok\", \"text\" : \"fine\"")
                .contains("\"grade\" : \"problem\", \"text\" : \"no \\\"card\\\"\", \"remedy\" : \"buy one\"")
                .contains("\"problems\" : 1, \"can_run\" : false");
    }

    @Test
    void sharedMemoryRunsHere() {
        assertThat(DoctorCommand.run(out, out)).isZero();
        assertThat(printed()).contains("--fabric shm can run on this machine.");
    }

    @Test
    void anUnknownFabricIsRefused() {
        assertThat(DoctorCommand.run(out, out, "--fabric", "carrier-pigeon")).isEqualTo(2);
        assertThat(printed()).contains("--fabric").contains("needs shm or verbs");
    }

    @Test
    void helpListsTheExitStatus() {
        assertThat(DoctorCommand.run(out, out, "--help")).isZero();
        assertThat(printed()).containsIgnoringWhitespaces("The exit status is 0 if it can run");
    }
}
