// SPDX-License-Identifier: Apache-2.0
package dev.remus.cloudlab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.verbs.VerbsFabric;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The script on two machines that are one, with an SSH server and an RDMA port. */
@Tag("verbs")
@Tag("processes")
@Tag("programs")
@Timeout(900)
@EnabledIf(
        value = "dev.remus.cloudlab.Machines#haveRdmaDevice",
        disabledReason = "this machine has no RDMA device; \"./remus rxe-vm\" starts a virtual machine that has one")
class VerbsClTest {
    /** Is there only in the virtual machine. */
    private static final Path VIRTUAL_MACHINE = Path.of("/run/rxe-vm");

    @TempDir
    private Path folder;

    /** What the start of the machine would have made, if it had one. */
    @BeforeAll
    static void prepareVirtualMachine() throws Exception {
        if (Files.isDirectory(VIRTUAL_MACHINE)) {
            Files.createDirectories(Path.of("/run/sshd"));
        }
    }

    @Test
    void anExperimentIsDeployedRunsOverRdmaAndLeavesItsResults() throws Exception {
        String missing = Machines.missing().orElse("");
        assumeTrue(missing.isEmpty(), missing);
        ClusterConfig config =
                ClusterConfig.builder().memoryNodes(0, 0).computeNodes(1, 1).build();
        String host = new VerbsFabric().localHost(config).orElseThrow();
        try (Machines machines = Machines.start(folder, List.of(host, host))) {
            Path cluster = machines.clusterWith("rdma", "hosts=(" + host + " " + host + ")");
            String experiment = machines.experiment(
                    "over-rdma",
                    "exefile=intset",
                    "experiment_args=\"--fabric verbs --first-mn-id 0 --last-mn-id 0 --first-cn-id 1 --last-cn-id 1"
                            + " --cn-threads 2 --num-ops 20 --key-ub 32 --connect-timeout 300\"");
            Shell.Ended run = machines.start(cluster, "build-run", experiment).await();
            assertThat(run.status()).as(run.output()).isZero();
            assertThat(run.output())
                    .contains("node 1 " + host + " | threads        2 on 1 Compute Nodes", " found: balanced");

            Shell.Ended fetch = machines.start(cluster, "fetch").await();
            assertThat(fetch.status()).as(fetch.output()).isZero();
            try (Stream<Path> files = Files.walk(machines.results())) {
                Path command = files.filter(file -> file.endsWith("node-1/command.txt"))
                        .findFirst()
                        .orElseThrow();
                assertThat(Shell.read(command)).contains(" --hosts " + host + "," + host + " ");
            }
            assertThat(machines.start(cluster, "status").await().output())
                    .contains("node 0 " + host + " | RDMA ports: ")
                    .contains("ACTIVE")
                    .doesNotContain(" | running ");
            machines.assertNothingIsLeft();

            Shell.Ended doctor = machines.start(cluster, "doctor").await();
            assertThat(doctor.status()).as(doctor.output()).isZero();
            assertThat(doctor.output())
                    .containsPattern("(?m)^0 " + host + " +ok +[0-9]+\\.[0-9]+$")
                    .containsPattern("(?m)^1 " + host + " +[0-9]+\\.[0-9]+ +ok$");
        }
    }
}
