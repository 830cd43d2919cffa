// SPDX-License-Identifier: Apache-2.0
package dev.remus.cloudlab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** How the script examines machines and the ways between them, and explains errors of ssh. */
@Tag("processes")
@Tag("programs")
@Tag("any-jdk")
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class DoctorTest {
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

    private static Path cluster(String... lines) throws IOException {
        return machines.clusterWith("cluster-" + Math.abs(List.of(lines).hashCode()), lines);
    }

    @Test
    void machinesThatAreReadyAndReachEachOtherEndItWithStatus0() throws Exception {
        Shell.Ended ended = machines.start(cluster("hosts=(127.0.0.2 127.0.0.3 127.0.0.4)"), "doctor", "shm")
                .await();
        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(ended.output())
                .contains("node 1 127.0.0.3 | --fabric shm can run on this machine.")
                .containsPattern("(?m)^node +0 +1 +2$")
                .containsPattern("(?m)^0 127.0.0.2 +ok +ok +ok$")
                .containsPattern("(?m)^2 127.0.0.4 +ok +ok +ok$")
                .contains("cl: all 3 machines are ready, and reach each other");
    }

    @Test
    void theMatrixHasTheTimesOfReadsAndNamesThePairsThatFail() throws Exception {
        assumeTrue(
                !Machines.haveRdmaDevice(), "this machine has an RDMA device, to which these addresses do not belong");
        machines.cutOff("127.0.0.4");
        Shell.Ended ended = machines.start(cluster("hosts=(127.0.0.2 127.0.0.3 127.0.0.4)"), "doctor")
                .await();
        machines.cutOff("");
        assertThat(ended.status()).as(ended.output()).isEqualTo(1);
        assertThat(ended.output())
                .containsPattern("(?m)^0 127.0.0.2 +PROBLEM +2.13 +no RDMA$")
                .containsPattern("(?m)^1 127.0.0.3 +2.13 +PROBLEM +no RDMA$")
                .containsPattern("(?m)^2 127.0.0.4 +2.13 +2.13 +PROBLEM$")
                .contains("cl: node 0, 127.0.0.2, to node 2, 127.0.0.4: no RDMA: ", "UDP port 4791");
    }

    @Test
    void aMachineThatIsNotThereLeavesTheOthersToBeExamined() throws Exception {
        Shell.Ended ended = machines.start(
                        cluster("machines=(127.0.0.2 no-such-machine.invalid 127.0.0.4)"), "doctor", "shm")
                .await();
        assertThat(ended.status()).as(ended.output()).isEqualTo(1);
        assertThat(ended.output())
                .contains("cl: hint: the name no-such-machine.invalid is not known.")
                .containsPattern("(?m)^0 127.0.0.2 +ok +- +ok$")
                .containsPattern("(?m)^1 no-such-machine.invali +- +ssh +-$")
                .contains("cl: node 1, no-such-machine.invalid: ssh fails: unknown, see the hint above");
    }

    @Test
    void anUnknownFabricIsRefused() throws Exception {
        Shell.Ended ended = machines.cl("doctor", "tcp");
        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.output()).contains("doctor examines the fabric shm or verbs, and not tcp");
    }

    @Test
    void aChangedHostKeyIsExplained() throws Exception {
        String key = Files.readString(folder.resolve("user.pub")); // a key, but not that of the machine
        Path known = Files.writeString(
                folder.resolve("changed"),
                "[127.0.0.2]:" + port() + " " + key.substring(0, key.lastIndexOf(' ')) + "\n");
        Shell.Ended ended = status(
                "machines=(127.0.0.2)", "ssh_options=(-o UserKnownHostsFile=" + known + " \"${ssh_options[@]}\")");
        assertThat(ended.output())
                .contains("Host key verification failed.")
                .containsOnlyOnce("cl: hint: 127.0.0.2 has another host key than before.")
                .contains("ssh-keygen -R ");
    }

    private static String port() throws IOException {
        return Files.readString(folder.resolve("sshd_config")).split("\\s+")[1];
    }

    private static Shell.Ended status(String... lines) throws Exception {
        Shell.Ended ended = machines.start(cluster(lines), "status").await();
        assertThat(ended.status()).as(ended.output()).isEqualTo(1);
        return ended;
    }

    @Test
    void aClosedPortAndASilentMachineAreToldApart() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.2"))) {
            int closed;
            try (ServerSocket socket = new ServerSocket(0)) {
                closed = socket.getLocalPort();
            }
            assertThat(status("ssh_options=(-p " + closed + " -F /dev/null)").output())
                    .containsOnlyOnce("cl: hint: ")
                    .contains("cl: hint: 127.0.0.2 is up, but its port for ssh is closed.");
            assertThat(status(
                                    "machines=(127.0.0.2)",
                                    "ssh_options=(-p " + silent.getLocalPort() + " -F /dev/null -o ConnectTimeout=2)")
                            .output())
                    .contains("cl: hint: 127.0.0.2 does not answer within the time-out.", "ssh_options=(-J GATEWAY)");
        }
    }
}
