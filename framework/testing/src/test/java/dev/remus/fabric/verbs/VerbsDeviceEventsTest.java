// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** What happens to a device rather than to a connection. */
@Tag("verbs")
@Timeout(180)
@EnabledIf(value = "dev.remus.fabric.verbs.RdmaMachine#isThere", disabledReason = RdmaMachine.MISSING)
class VerbsDeviceEventsTest {
    /** Only the virtual machine's network may be changed. */
    private static final Path VIRTUAL_MACHINE = Path.of("/run/rxe-vm");

    /** An address that is reserved for documentation. */
    private static final String ADDRESS = "198.51.100.7/32";

    private static void changeAddresses(String action, String networkInterface) throws Exception {
        Process ip = new ProcessBuilder("ip", "address", action, ADDRESS, "dev", networkInterface)
                .inheritIO()
                .start();
        assertThat(ip.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(ip.exitValue()).isZero();
    }

    private static String networkInterface(String host) throws IOException {
        return NetworkInterface.getByInetAddress(InetAddress.getByName(host)).getName();
    }

    @Test
    void aChangedTableOfGidsIsPrintedAndOperationsGoOn() throws Exception {
        assumeTrue(Files.isDirectory(VIRTUAL_MACHINE), "it is not in the virtual machine");
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (VerbsCluster cluster = new VerbsCluster(0)) {
            Link link = cluster.compute.connect(0, 1, VerbsCluster.PATIENCE);
            String device = RdmaPort.all().get(0).device();
            String name = networkInterface(cluster.config.host(1));
            System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
            changeAddresses("add", name);
            try {
                VerbsCluster.until(
                        "the event is printed",
                        () -> printed.toString(StandardCharsets.UTF_8)
                                .contains("RDMA device " + device + ": GID table change"));
            } finally {
                changeAddresses("delete", name);
            }
            LocalBuffer local = cluster.compute.allocateLocal(8);
            Chain chain =
                    new Chain(1).fetchAndAdd(link.segment(0), 64, 1, local, 0).signalled(1);
            assertThat(VerbsCluster.execute(link.lane(0), chain)).isEqualTo(CompletionStatus.SUCCESS);
        } finally {
            System.setErr(err);
        }
    }
}
