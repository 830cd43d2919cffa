// SPDX-License-Identifier: Apache-2.0
package dev.remus.cloudlab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code cl top}, on machines with an SSH server. */
@Tag("processes")
@Tag("programs")
@Tag("any-jdk")
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class ClTopTest {
    private static final String PROGRAM = "exefile=intset";
    private static final String ARGUMENTS = "experiment_args=\"--first-mn-id 0 --last-mn-id 0 --first-cn-id 1"
            + " --last-cn-id=2 --cn-threads 1 --key-ub 64 --num-ops 1000000000\"";

    /** Of a Compute Node: three numbers per second, no memory, and a number of blocks. */
    private static final String FIGURES = "( +[0-9.]+[kM]?){3} +- +[0-9.]+[kM]?\\n";

    /** Reverts the terminal to what it showed before. */
    private static final String LEAVE = "\033[?1049l";

    @TempDir
    private static Path folder;

    private static Machines machines;

    @BeforeAll
    static void startMachines() throws Exception {
        String missing = Machines.missing().orElse("");
        assumeTrue(missing.isEmpty(), missing);
        machines = Machines.start(folder);
    }

    @AfterAll
    static void endMachines() throws Exception {
        if (machines != null) {
            machines.close();
        }
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        machines.assertNothingIsLeft();
    }

    @Test
    void theNodesOfAllMachinesAreShownInOneTableAndAMachineThatCannotBeReachedIsNamed() throws Exception {
        try (Shell.Running run = machines.start("build-run", machines.experiment("seen", PROGRAM, ARGUMENTS))) {
            run.awaitText(" | run: ");
            Shell.Ended top = machines.cl("top");
            assertThat(top.status()).as(top.output()).isZero();
            assertThat(top.output())
                    .containsPattern("(?m)^cluster seen-\\S+ over shm: 1 Memory Node, 2 Compute Nodes$")
                    .containsPattern("(?m)^   0 127\\.0\\.0\\.2 +running +- +- +- +\\d+ % +-$")
                    .containsPattern("(?m)^   1 127\\.0\\.0\\.3 +running" + FIGURES)
                    .containsPattern("(?m)^   2 127\\.0\\.0\\.4 +running" + FIGURES)
                    .containsPattern("(?m)^  epoch \\d+");

            Path away = machines.clusterWith("away", "machines=(127.0.0.2 127.0.0.3 127.0.0.99)");
            Shell.Ended partly = machines.start(away, "top").await();
            assertThat(partly.status()).as(partly.output()).isEqualTo(1);
            assertThat(partly.output())
                    .contains("node 2, 127.0.0.99: no news: ssh: connect to host 127.0.0.99 ")
                    .containsPattern("(?m)^   1 127\\.0\\.0\\.3 +running +\\d+");
            assertThat(machines.cl("stop").status()).isZero();
            assertThat(run.await().status()).isEqualTo(1);
        }
        Shell.Ended none = machines.cl("top");
        assertThat(none.status()).as(none.output()).isEqualTo(1);
        assertThat(none.output()).contains("no cluster is running on these machines");
    }

    @Test
    void theLastPictureOfALostMachineStaysUntilItIsBackAndCtrlCEndsAll() throws Exception {
        assumeTrue(Shell.has("script"), "there is no script; install bsdutils");
        try (Shell.Running run = machines.start("build-run", machines.experiment("lost", PROGRAM, ARGUMENTS))) {
            run.awaitText(" | run: ");
            try (Shell.Running top = inTerminal("top")) {
                top.awaitText("   2 127.0.0.4     running");
                kill(top, "SIGKILL", "(?s)ssh\0.*@127\\.0\\.0\\.4\0.*");
                top.awaitText("node 2, 127.0.0.4: no news"); // since when, if it has sent some
                top.awaitText("   2 127.0.0.4     no news ");
                int seen = top.text().length();
                while (!top.text().substring(seen).contains("   2 127.0.0.4     running")) {
                    assertThat(top.process().isAlive()).as(top.text()).isTrue();
                    Thread.sleep(50);
                }
                kill(top, "SIGINT", "(?s)bash\0.*/cl\0.*\0top\0");
                Shell.Ended ended = top.await();
                assertThat(ended.status()).as(ended.output()).isEqualTo(130);
                assertThat(ended.output()).contains(LEAVE);
            }
            assertThat(machines.cl("stop").status()).isZero();
            assertThat(run.await().status()).isEqualTo(1);
        }
    }

    /**
     * The terminal is open a second longer, because script waits only 10 ms for the last bytes of a command. SIGINT has
     * an effect there, as at a user's, even if these tests run in the background, where it is ignored.
     */
    private static Shell.Running inTerminal(String command) throws Exception {
        String line =
                "'" + Shell.CL + "' '" + machines.cluster() + "' " + command + "; status=$?; sleep 1; exit $status";
        return Shell.start(
                Map.of("TERM", "xterm", "JAVA_HOME", System.getProperty("java.home"), "TMPDIR", folder.toString()),
                List.of("env", "--default-signal=INT", "script", "-qefc", line, "/dev/null"));
    }

    /** Sends a signal to the first process of a command whose command line matches. */
    private static void kill(Shell.Running command, String signal, String pattern) throws Exception {
        ProcessHandle process = command.process()
                .descendants()
                .filter(p -> Shell.commandLine(p.pid()).matches(pattern))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no process " + pattern));
        assertThat(Shell.run("kill", "-s", signal.substring(3), Long.toString(process.pid()))
                        .status())
                .isZero();
    }
}
