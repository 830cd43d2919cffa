// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read from the kernel's list of RDMA devices. */
class RdmaPortTest {
    @TempDir
    Path devices;

    private void gid(String device, String port, int index, String networkInterface) throws IOException {
        Path file = devices.resolve(device + "/ports/" + port + "/gid_attrs/ndevs/" + index);
        Files.createDirectories(file.getParent());
        Files.writeString(file, networkInterface + "\n");
    }

    private static String loopback() throws IOException {
        return NetworkInterface.getByInetAddress(InetAddress.getByName("127.0.0.1"))
                .getName();
    }

    @Test
    void theAddressesOfEveryNetworkInterfaceOfAPortAreFound() throws IOException {
        gid("mlx5_0", "1", 0, "none-of-this-machine");
        gid("mlx5_0", "1", 2, loopback());
        gid("mlx5_0", "1", 10, loopback());
        assertThat(RdmaPort.all(devices)).singleElement().satisfies(port -> {
            assertThat(port.device()).isEqualTo("mlx5_0");
            assertThat(port.number()).isEqualTo("1");
            assertThat(port.addresses()).contains("127.0.0.1").doesNotHaveDuplicates();
        });
    }

    @Test
    void addressesOfIpv4ComeFirst() throws IOException {
        gid("mlx5_0", "1", 0, loopback());
        List<String> addresses = RdmaPort.all(devices).get(0).addresses();
        assertThat(addresses.get(0)).isEqualTo("127.0.0.1");
        assertThat(addresses.subList(1, addresses.size()))
                .allMatch(a -> a.equals("0:0:0:0:0:0:0:1") || a.contains("."));
    }

    @Test
    void aPortWithoutNetworkInterfaceHasNoAddress() throws IOException {
        Files.createDirectories(devices.resolve("mlx5_1/ports/1"));
        assertThat(RdmaPort.all(devices)).containsExactly(new RdmaPort("mlx5_1", "1", List.of()));
    }

    @Test
    void aMachineWithoutDevicesHasNoPorts() {
        assertThat(RdmaPort.all(devices.resolve("missing"))).isEmpty();
    }
}
