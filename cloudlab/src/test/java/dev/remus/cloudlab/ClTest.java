package dev.remus.cloudlab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script as its users see it, on machines with an SSH server. */
@Tag("processes")
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class ClTest {
    // As in files of the original, where it is a path.
    private static final String SMALL = "exefile=build/intset";
    private static final String ARGUMENTS = "experiment_args=\"--first-mn-id 0 --last-mn-id 0 --first-cn-id 1"
            + " --last-cn-id=2 --cn-threads 1 --key-ub 64 --seed 7 ";

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

    private static List<Path> files(Path in, String name) throws Exception {
        try (Stream<Path> all = Files.walk(in)) {
            return all.filter(file -> file.endsWith(name)).sorted().toList();
        }
    }

    @Test
    void whatWasBuiltIsCopiedAndRunAndItsResultsAreFetched() throws Exception {
        String experiment = machines.experiment("once", SMALL, ARGUMENTS + "--num-ops 300\"");
        Shell.Ended run = machines.cl("build-run", experiment);
        assertThat(run.status()).as(run.output()).isZero();
        assertThat(run.output()).contains("node 1 127.0.0.3 | ", " found: balanced");

        Shell.Ended fetch = machines.cl("fetch");
        assertThat(fetch.status()).as(fetch.output()).isZero();
        Path results = files(machines.results(), "arguments.txt").stream()
                .filter(file -> file.toString().contains("/once-"))
                .findFirst()
                .orElseThrow()
                .getParent();
        for (int id = 0; id <= 2; id++) {
            Path node = results.resolve("node-" + id);
            assertThat(Shell.read(node.resolve("status.txt"))).isEqualTo("0\n");
            assertThat(Shell.read(node.resolve("command.txt")))
                    .contains(" intset --first-mn-id 0 ", " --num-ops 300 ", " --node-id " + id + " ");
            assertThat(Shell.read(node.resolve("version.txt"))).contains("remus: ", "checksum: ");
            assertThat(Shell.read(node.resolve("machine.txt"))).contains("Linux", "version", "hca_id: rxe0");
        }
        assertThat(Shell.read(results.resolve("node-1/output.txt"))).contains("throughput");
        assertThat(files(results, "metrics.json")).hasSize(1);

        Shell.Ended remus = machines.cl("remus", "all", "hello", "--help");
        assertThat(remus.output()).contains("node 0 127.0.0.2 | Usage: hello", "node 2 127.0.0.4 | Usage: hello");
    }

    @Test
    void aSweepGoesOnWhereANodeWasKilledAndDrawsItsPicture() throws Exception {
        String experiment = machines.experiment(
                "threads",
                SMALL,
                ARGUMENTS + "--num-ops 200\"",
                "sweep=(\"cn-threads 1 2\")",
                "plots=(\"threads throughput\")");
        machines.kill("--cn-threads 2");
        Shell.Ended failed = machines.cl("sweep", experiment);
        assertThat(failed.status()).as(failed.output()).isEqualTo(1);
        assertThat(failed.output())
                .contains("run 1 of 2: --cn-threads 1")
                .containsPattern("cl: node \\d \\(127.0.0.\\d\\) was killed by signal 9")
                .contains("run 2 of 2 failed; the same command goes on there");
        machines.assertNothingIsLeft();

        machines.kill("");
        Shell.Ended rest = machines.cl("sweep", experiment);
        assertThat(rest.status()).as(rest.output()).isZero();
        assertThat(rest.output()).doesNotContain("run 1 of 2").contains("all 2 runs are in");
        Path results = machines.results().resolve("threads");
        assertThat(Files.readAllLines(results.resolve("threads.csv")))
                .hasSize(3)
                .first()
                .asString()
                .contains(",threads,", ",throughput,", ",cn-threads,");
        assertThat(results.resolve("threads-throughput-by-threads.png")).isNotEmptyFile();

        Files.writeString(Path.of(experiment), Files.readString(Path.of(experiment)) + "repetitions=2\n");
        Shell.Ended changed = machines.cl("sweep", experiment);
        assertThat(changed.status()).isEqualTo(2);
        assertThat(changed.output()).contains("is not what it was");
    }

    @Test
    void stopEndsAllNodesAndTheRunSaysSo() throws Exception {
        String experiment = machines.experiment("long", SMALL, ARGUMENTS + "--num-ops 1000000000\"");
        try (Shell.Running run = machines.start("build-run", experiment)) {
            while (machines.nodes().stream()
                            .filter(node -> node.contains(" -jar "))
                            .count()
                    < 3) {
                assertThat(run.process().isAlive()).as(run.text()).isTrue();
                Thread.sleep(50);
            }
            assertThat(machines.cl("status").output())
                    .contains("node 0 127.0.0.2 | running runs/long-", "node 2 127.0.0.4 | running runs/long-");
            Shell.Ended stop = machines.cl("stop");
            assertThat(stop.status()).as(stop.output()).isZero();
            // Not each of them has to be told: some notice first that another one has ended.
            assertThat(stop.output()).contains(" | stopping runs/long-");
            assertThat(run.await().status()).isEqualTo(1);
        }
        machines.assertNothingIsLeft();
        assertThat(machines.cl("status").output()).doesNotContain("running");
    }

    @Test
    void aDebuggerAttachesToEachNodeWhichWaitsForIt() throws Exception {
        assumeTrue(Debugger.isThere(), "this Java has no module jdk.jdi, with which a debugger attaches");
        Path cluster = machines.clusterWith("debug-cluster", "debug_suspend=y");
        String experiment = machines.experiment("debug", SMALL, ARGUMENTS + "--num-ops 10\"");
        try (Shell.Running run = machines.start(cluster, "run-debug", experiment)) {
            for (int node = 0; node <= 2; node++) {
                run.awaitText("node " + node + " 127.0.0." + (2 + node)
                        + " | Listening for transport dt_socket at address: " + (Machines.DEBUG_PORT + 1000 + node));
            }
            assertThat(run.text()).doesNotContain("balanced");
            for (int node = 0; node <= 2; node++) {
                Debugger.stopAtAndGoOn("dev.remus.examples.Main", (int) Machines.DEBUG_PORT + node);
            }
            Shell.Ended ended = run.await();
            assertThat(ended.status()).as(ended.output()).isZero();
            assertThat(ended.output()).contains(" found: balanced");
        }
    }

    @Test
    void nodesRunInWindowsOfTmuxWhenAsked() throws Exception {
        assumeTrue(Shell.has("tmux"), "there is no tmux; install it");
        String experiment = machines.experiment("windows", SMALL, ARGUMENTS + "--num-ops 100\"");
        assertThat(machines.cl("--tmux", "build-run", experiment).status()).isZero();
        assertThat(machines.cl("connect").output()).contains("tmux attach -t remus-loopback");
        Shell.Ended windows = Shell.run(
                "env", "TMUX_TMPDIR=" + folder, "tmux", "list-windows", "-t", "remus-loopback", "-F", "#{window_name}");
        assertThat(windows.output().lines())
                .contains("node-0", "node-1", "node-2", "0-127.0.0.2", "1-127.0.0.3", "2-127.0.0.4");
        assertThat(machines.cl("stop").status()).isZero();
        assertThat(Shell.run("env", "TMUX_TMPDIR=" + folder, "tmux", "has-session", "-t", "remus-loopback")
                        .status())
                .isNotZero();
    }

    @Test
    void eachMachineIsInstalledAndShowsItsRdmaDevices() throws Exception {
        Shell.Ended install = machines.cl("install-deps");
        assertThat(install.status()).as(install.output()).isZero();
        for (String node : List.of("node 0 127.0.0.2 | ", "node 1 127.0.0.3 | ", "node 2 127.0.0.4 | ")) {
            assertThat(install.output())
                    .containsPattern(node + "apt-get -q -o DPkg::Lock::Timeout=\\d+ install .* openjdk-17-jre-headless rdma-core")
                    .contains(node + "* hard memlock unlimited", node + "hca_id: rxe0");
        }
    }

    @Test
    void aMachineThatCannotBeReachedIsNamed() throws Exception {
        Path away = Files.writeString(
                folder.resolve("away.sh"),
                Files.readString(machines.cluster()) + "machines=(127.0.0.2 127.0.0.99 127.0.0.4)\n");
        Shell.Ended status = Shell.run(Shell.CL.toString(), away.toString(), "status");
        assertThat(status.status()).isEqualTo(1);
        assertThat(status.output()).contains("cl: failed on node 1, 127.0.0.99", "node 0 127.0.0.2 | RDMA ports:");
    }
}
