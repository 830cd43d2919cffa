// SPDX-License-Identifier: Apache-2.0
package dev.remus.cloudlab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
@Tag("programs")
@Tag("any-jdk")
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
    void theBuildIsCopiedAndRunAndItsResultsAreFetched() throws Exception {
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
        assertThat(Shell.read(files(results, "provenance.json").get(0))).contains("\"--node-id\", \"1\"", "\"commit\"");

        Shell.Ended remus = machines.cl("remus", "all", "hello", "--help");
        assertThat(remus.output())
                .contains("node 0 127.0.0.2 | Usage: ./remus hello", "node 2 127.0.0.4 | Usage: ./remus hello");
    }

    @Test
    void pathsWithBlanksAreUsedAndTheirNeighboursSurvive() throws Exception {
        Path neighbour = Files.createDirectories(folder.resolve("sp")).resolve("kept");
        Files.writeString(neighbour, "of a user");
        Path cluster = machines.clusterWith(
                "my cluster",
                "directory=\"" + folder + "/sp ace's \\$(x) {id}\"",
                "results='" + folder + "/my results'");
        String experiment = machines.experiment("blanks", SMALL, ARGUMENTS + "--num-ops 100\"");
        Shell.Ended run = machines.start(cluster, "build-run", experiment).await();
        assertThat(neighbour).exists();
        assertThat(run.status()).as(run.output()).isZero();
        assertThat(folder.resolve("sp ace's $(x) 0/app/version")).exists();
        assertThat(machines.start(cluster, "fetch").await().status()).isZero();
        assertThat(files(folder.resolve("my results"), "metrics.json")).hasSize(1);
        assertThat(machines.start(cluster, "status").await().output()).contains("node 2 127.0.0.4 | remus: ");
    }

    @Test
    void aForeignFolderIsKeptAndNamed() throws Exception {
        Path app = Files.createDirectories(folder.resolve("taken/app")).resolve("kept");
        Files.writeString(app, "of a user");
        Path cluster = machines.clusterWith("taken-cluster", "directory='" + folder + "/taken'");
        String experiment = machines.experiment("taken-experiment", SMALL, ARGUMENTS + "--num-ops 100\"");
        Shell.Ended run = machines.start(cluster, "build-run", experiment).await();
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.output())
                .contains(app.getParent() + " is in the way: cl did not make it", "cl: failed on node 0, 127.0.0.2");
        assertThat(app).exists();

        Path results =
                Files.createDirectories(machines.results().resolve("swept")).resolve("kept");
        Files.writeString(results, "of a user");
        Shell.Ended sweep = machines.cl("sweep", machines.experiment("swept", SMALL, ARGUMENTS + "\""));
        assertThat(sweep.status()).isEqualTo(2);
        assertThat(sweep.output()).contains("swept is in the way: cl did not make it");
        assertThat(results).exists();
    }

    @Test
    void aRunWhoseFetchFailedIsMeasuredAnewAndCountedOnce() throws Exception {
        String experiment = machines.experiment("fetched", SMALL, ARGUMENTS + "--num-ops 100\"");
        Path run = machines.results().resolve("fetched/repetition=1");
        machines.failFetch(true);
        Shell.Ended failed = machines.cl("sweep", experiment);
        machines.failFetch(false);
        assertThat(failed.status()).as(failed.output()).isEqualTo(1);
        assertThat(failed.output()).contains("cl: failed on node 2", "run 1 of 1 failed; the same command goes on");
        assertThat(files(run, "metrics.json")).isEmpty();
        // As of a try that was interrupted between its fetch and its end.
        Files.writeString(Files.createDirectories(run.resolve("node-1/old")).resolve("metrics.json"), "{}");

        Shell.Ended rest = machines.cl("sweep", experiment);
        assertThat(rest.status()).as(rest.output()).isZero();
        assertThat(rest.output()).containsPattern("(?m)^1 runs: ").contains("cl: all 1 runs are in ");
        assertThat(files(run, "metrics.json")).hasSize(1);

        Path copy = Files.createDirectories(run.resolveSibling("copy"));
        Files.writeString(copy.resolve("metrics.json"), "{}");
        Shell.Ended mixed = machines.cl("sweep", experiment);
        assertThat(mixed.status()).as(mixed.output()).isEqualTo(1);
        assertThat(mixed.output()).contains(copy + " has figures, but is not a finished run of this sweep");
        assertThat(copy.resolve("metrics.json")).exists();
        // What a sweep has fetched is complete, and what is on the machines may be of a later one.
        assertThat(machines.cl("fetch", "fetched").output())
                .containsPattern("fetched 0 folders of nodes to .*; 3 were there, complete");
    }

    @Test
    void onlyRunsThatAreThereAreFetched() throws Exception {
        String experiment = machines.experiment("there", SMALL, ARGUMENTS + "--num-ops 100\"");
        assertThat(machines.cl("build-run", experiment).status()).isZero();
        Shell.Ended nothing = machines.cl("fetch", "not-there");
        assertThat(nothing.status()).isEqualTo(1);
        assertThat(nothing.output()).contains("there is no run not-there on the machines");
        for (String name : List.of("-delete", "../runs", "/", "a/../b")) {
            Shell.Ended refused = machines.cl("fetch", name);
            assertThat(refused.status()).isEqualTo(2);
            assertThat(refused.output()).contains("'" + name + "' is not the name of a run");
        }
        assertThat(machines.cl("fetch").output()).containsPattern("fetched \\d+ folders of nodes to ");
        assertThat(files(machines.results(), "metrics.json"))
                .anyMatch(file -> file.toString().contains("/there-"));
    }

    @Test
    void aRunThatIsCalledLikeANodeKeepsWhatBelongsToIt() throws Exception {
        String experiment = machines.experiment("node-count", SMALL, ARGUMENTS + "--num-ops 100\"");
        Shell.Ended sweep = machines.cl("sweep", experiment);
        assertThat(sweep.status()).as(sweep.output()).isZero();
        Path run = machines.results().resolve("node-count/repetition=1");
        assertThat(run.resolve("arguments.txt")).exists();
        for (int id = 0; id <= 2; id++) {
            assertThat(run.resolve("node-" + id).resolve("status.txt")).exists();
        }
    }

    @Test
    void anExperimentIsLockedWhileItRunsAndNotAfterwards() throws Exception {
        String experiment = machines.experiment("locked", SMALL, ARGUMENTS + "--num-ops 1000000000\"");
        Path lock = machines.results().resolve(".locked.lock");
        try (Shell.Running first = machines.start("sweep", experiment)) {
            awaitNodes(first);
            for (String command : List.of("sweep", "run", "build-run")) {
                Shell.Ended second = machines.cl(command, experiment);
                assertThat(second.status()).as(second.output()).isEqualTo(2);
                assertThat(second.output())
                        .contains("locked is already being run, by process "
                                + first.process().pid());
            }
            Path placed = machines.results().resolve("locked/repetition=1/node-0");
            for (String[] fetch : new String[][] {{"fetch"}, {"fetch", "locked/repetition=1"}}) {
                Shell.Ended beside = machines.cl(fetch);
                assertThat(beside.status()).as(beside.output()).isZero();
                assertThat(beside.output())
                        .contains("left out the runs of locked: process "
                                + first.process().pid() + " is running");
                assertThat(placed).doesNotExist();
            }
            // Even if that process cannot clean up, nothing else than its nodes holds the lock.
            first.process().destroyForcibly().waitFor();
            assertThat(machines.cl("run", experiment).status()).isEqualTo(2);
            assertThat(machines.cl("stop").status()).isZero();
            assertThat(Shell.run("flock", lock.toString(), "true").status()).isZero();
        }
        assertThat(Shell.read(lock)).isNotEmpty();
        try (Shell.Running third = machines.start("sweep", experiment)) {
            awaitNodes(third);
            assertThat(machines.cl("stop").status()).isZero();
            assertThat(third.await().status()).isEqualTo(1);
        }
    }

    private static void awaitNodes(Shell.Running run) throws Exception {
        while (machines.nodes().stream().filter(node -> node.contains(" -jar ")).count() < 3) {
            assertThat(run.process().isAlive()).as(run.text()).isTrue();
            Thread.sleep(50);
        }
    }

    @Test
    void charactersBeyondAsciiArriveAsTheyAre() throws Exception {
        assertThat(machines.cl("build-run", machines.experiment("characters", SMALL, ARGUMENTS + "--num-ops 100\""))
                        .status())
                .isZero();
        Shell.Ended queue = machines.cl("remus", "0", "queue", "--num-ops", "20");
        assertThat(queue.status()).as(queue.output()).isZero();
        assertThat(queue.output()).contains(" µs per operation");
    }

    @Test
    void aRefusedKeyIsExplained() throws Exception {
        Path key = folder.resolve("unknown");
        assertThat(Shell.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key.toString())
                        .status())
                .isZero();
        Path cluster = machines.clusterWith(
                "refused",
                "for i in ${!ssh_options[@]}; do [[ ${ssh_options[i]} != */user ]] || ssh_options[i]=" + key + "; done",
                "ssh_options+=(-o IdentitiesOnly=yes -o IdentityAgent=none)");
        Shell.Ended status = machines.start(cluster, "status").await();
        assertThat(status.status()).isEqualTo(1);
        assertThat(status.output())
                .contains("Permission denied", " refuses the key. \"ssh ", "ssh-add", "ssh_options=(-i FILE)")
                .containsOnlyOnce("cl: hint: ");
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
        assertThat(changed.output()).contains("has changed since the runs in ");
    }

    @Test
    void stopEndsAllNodesAndTheRunSaysSo() throws Exception {
        String experiment = machines.experiment("long", SMALL, ARGUMENTS + "--num-ops 1000000000\"");
        try (Shell.Running run = machines.start("build-run", experiment)) {
            awaitNodes(run);
            assertThat(machines.cl("status").output())
                    .contains("node 0 127.0.0.2 | running runs/long-", "node 2 127.0.0.4 | running runs/long-");
            Files.delete(folder.resolve("machine-0/app/version")); // as if another build were there
            String other = machines.experiment("other", SMALL, ARGUMENTS + "--num-ops 1\"");
            Shell.Ended disturbing = machines.cl("build-run", other);
            assertThat(disturbing.status()).isEqualTo(1);
            assertThat(disturbing.output())
                    .contains("node 0 127.0.0.2 | a node runs from " + folder.resolve("machine-0"));
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
                Debugger.stopAtAndGoOn("dev.remus.launcher.Main", (int) Machines.DEBUG_PORT + node);
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
        Shell.Ended windows = tmux("list-windows", "-t", "remus-loopback", "-F", "#{window_name}");
        assertThat(windows.output().lines())
                .contains("node-0", "node-1", "node-2", "0-127.0.0.2", "1-127.0.0.3", "2-127.0.0.4");
        assertThat(machines.cl("stop").status()).isZero();
        assertThat(tmux("has-session", "-t", "remus-loopback").status()).isNotZero();
    }

    @Test
    void aSessionOfTmuxThatIsNotOfTheClusterIsKept() throws Exception {
        assumeTrue(Shell.has("tmux"), "there is no tmux; install it");
        Path cluster = machines.clusterWith("taken-session");
        assertThat(tmux("new-session", "-d", "-s", "remus-taken-session", "exec sleep 100")
                        .status())
                .isZero();
        try {
            Shell.Ended stop = machines.start(cluster, "stop").await();
            assertThat(stop.status()).isEqualTo(2);
            assertThat(stop.output()).contains("tmux has a session remus-taken-session that is not of " + cluster);
            assertThat(tmux("has-session", "-t", "remus-taken-session").status())
                    .isZero();
        } finally {
            tmux("kill-session", "-t", "remus-taken-session");
        }
    }

    private static Shell.Ended tmux(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("tmux"));
        command.addAll(List.of(arguments));
        return Shell.start(Map.of("TMUX_TMPDIR", folder.toString()), command).await();
    }

    @Test
    void eachMachineIsInstalledAndShowsItsRdmaDevices() throws Exception {
        Shell.Ended install = machines.cl("install-deps");
        assertThat(install.status()).as(install.output()).isZero();
        for (String node : List.of("node 0 127.0.0.2 | ", "node 1 127.0.0.3 | ", "node 2 127.0.0.4 | ")) {
            assertThat(install.output())
                    .containsPattern(node
                            + "apt-get -q -o DPkg::Lock::Timeout=\\d+ install .* openjdk-17-jre-headless rdma-core")
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
