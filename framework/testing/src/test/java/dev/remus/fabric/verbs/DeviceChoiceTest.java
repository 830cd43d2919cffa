// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.FabricException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Devices and GIDs that a node is told to use, on a machine whose list of devices is made up. */
class DeviceChoiceTest {
    private static final String LINK_LOCAL = "fe80:0000:0000:0000:0000:00ff:fe00:0001";
    private static final String MAPPED = "0000:0000:0000:0000:0000:ffff:7f00:0001"; // 127.0.0.1
    private static final String UNUSED = "0000:0000:0000:0000:0000:0000:0000:0000";

    @TempDir
    private Path devices;

    private final Place place = new Place("Compute Node 1", "localhost", 33330);
    private InetAddress loopback;

    /** One card with an interface at the loopback address, and one with two ports and none. */
    @BeforeEach
    void list() throws IOException {
        loopback = InetAddress.getByName("127.0.0.1");
        String network = NetworkInterface.getByInetAddress(loopback).getName();
        write("mlx5_0/ports/1/gid_attrs/ndevs/0", network);
        write("mlx5_0/ports/1/link_layer", "Ethernet");
        write("mlx5_0/ports/1/gids/0", LINK_LOCAL);
        write("mlx5_0/ports/1/gids/1", MAPPED);
        write("mlx5_0/ports/1/gids/2", UNUSED);
        write("mlx5_1/ports/1/link_layer", "InfiniBand");
        write("mlx5_1/ports/2/link_layer", "InfiniBand");
    }

    private void write(String file, String text) throws IOException {
        Path path = devices.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text + "\n");
    }

    private DeviceChoice choice(String device, int gidIndex) {
        return DeviceChoice.of(
                ClusterConfig.builder()
                        .memoryNodes(0, 0)
                        .computeNodes(1, 1)
                        .device(device)
                        .gidIndex(gidIndex)
                        .build(),
                devices);
    }

    private String refusal(String device, int gidIndex) {
        try {
            choice(device, gidIndex).among(place, List.of(loopback));
        } catch (FabricException e) {
            return String.valueOf(e.getMessage());
        }
        throw new AssertionError("not refused");
    }

    @Test
    void withoutAChoiceAllAddressesAreLeft() throws IOException {
        InetAddress elsewhere = InetAddress.getByName("192.0.2.1");
        assertThat(choice("any", -1).among(place, List.of(elsewhere, loopback))).containsExactly(elsewhere, loopback);
        assertThat(choice("any", -1).ports()).hasSize(3);
    }

    @Test
    void aDeviceLeavesTheAddressesOfItsPorts() throws IOException {
        InetAddress elsewhere = InetAddress.getByName("192.0.2.1");
        for (String device : List.of("mlx5_0", "mlx5_0:1")) {
            assertThat(choice(device, -1).among(place, List.of(elsewhere, loopback)))
                    .containsExactly(loopback);
            assertThat(choice(device, -1).ports())
                    .singleElement()
                    .satisfies(port -> assertThat(port.device()).isEqualTo("mlx5_0"));
        }
        assertThat(choice("mlx5_1", -1).ports()).hasSize(2);
        assertThat(choice("mlx5_1:2", -1).ports()).hasSize(1);
    }

    @Test
    void aGidLeavesItsAddressOnAnyDevice() {
        assertThat(choice("any", 1).among(place, List.of(loopback))).containsExactly(loopback);
        assertThat(choice("mlx5_0", 1).among(place, List.of(loopback))).containsExactly(loopback);
    }

    @Test
    void aDeviceThatIsNotThereIsRefusedWithThoseThatAre() {
        for (String device : List.of("mlx5_7", "mlx5_0:2")) {
            assertThatThrownBy(() -> choice(device, -1).ports())
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining("device (--device): got '" + device + "'")
                    .hasMessageContaining("mlx5_0:1 (127.0.0.1")
                    .hasMessageContaining("mlx5_1:2 (no address)");
        }
    }

    @Test
    void aHostWithoutAnAddressOfTheDeviceIsRefused() {
        assertThat(refusal("mlx5_1", -1))
                .contains("host 'localhost' of Compute Node 1 resolves here to 127.0.0.1")
                .contains("no address of mlx5_1:1 (no address), mlx5_1:2 (no address)");
    }

    @Test
    void aGidOfAnotherAddressOrWithoutOneIsRefused() {
        assertThat(refusal("mlx5_0", 0)).contains("no address of GID 0 (fe80:0:0:0:0:ff:fe00:1) of mlx5_0:1");
        for (int unused : new int[] {2, 3}) {
            assertThat(refusal("mlx5_0", unused)).contains("no address of GID " + unused + " (unused) of mlx5_0:1");
        }
    }

    /** There a GID is the port's, while the address is that of its network interface. */
    @Test
    void onInfinibandTheAddressIsNotThatOfTheGid() throws IOException {
        write("mlx5_0/ports/1/link_layer", "InfiniBand");
        assertThat(choice("mlx5_0", 0).among(place, List.of(loopback))).containsExactly(loopback);
    }
}
