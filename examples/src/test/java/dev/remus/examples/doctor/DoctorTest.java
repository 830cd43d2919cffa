package dev.remus.examples.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the doctor makes of findings. */
class DoctorTest {
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);

    /** A check of a device that finds what it is told. */
    private static Check device(Finding... findings) {
        return new Check() {
            @Override
            public String subject() {
                return "device";
            }

            @Override
            public boolean isNeededBy(String fabric) {
                return fabric.equals(Wish.VERBS);
            }

            @Override
            public List<Finding> look(Machine machine, Wish wish) {
                return List.of(findings);
            }
        };
    }

    private boolean examine(String fabric, Check check) {
        Machine machine = new Machine(Path.of("/"), new RealNetwork());
        return new Doctor(List.of(check), machine).examine(new Wish(fabric, List.of(), 1, 20, 1), out);
    }

    private String said() {
        return said.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aProblemOfTheChosenFabricKeepsItFromRunning() {
        assertThat(examine(Wish.VERBS, device(Finding.problem("none", "buy one"))))
                .isFalse();
        assertThat(said())
                .contains("device          PROBLEM  none\n")
                .contains("mend it: buy one\n")
                .endsWith("--fabric verbs cannot run on this machine: 1 problem.\n");
    }

    @Test
    void aProblemOfAnotherFabricIsANote() {
        assertThat(examine(Wish.SHM, device(Finding.problem("none", "buy one"))))
                .isTrue();
        assertThat(said())
                .contains("device          note     none\n")
                .contains("buy one")
                .endsWith("--fabric shm can run on this machine.\n");
    }

    @Test
    void whatIsWellNeedsNoMending() {
        assertThat(examine(Wish.VERBS, device(Finding.ok("fine"), Finding.ok("also fine"))))
                .isTrue();
        assertThat(said()).contains("ok       fine").doesNotContain("mend");
    }

    @Test
    void sharedMemoryRunsHere() {
        assertThat(DoctorCommand.run(out, out)).isZero();
        assertThat(said()).contains("--fabric shm can run on this machine.");
    }

    @Test
    void anUnknownFabricIsRefused() {
        assertThat(DoctorCommand.run(out, out, "--fabric", "carrier-pigeon")).isEqualTo(2);
        assertThat(said()).contains("--fabric").contains("needs shm or verbs");
    }

    @Test
    void helpTellsTheExitStatus() {
        assertThat(DoctorCommand.run(out, out, "--help")).isZero();
        assertThat(said()).containsIgnoringWhitespaces("The exit status is 0 if it can run");
    }
}
