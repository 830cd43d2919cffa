// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.FabricException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlaceTest {
    private static ClusterConfig.Builder config(String... hosts) {
        return ClusterConfig.builder()
                .fabric("verbs")
                .memoryNodes(0, 2)
                .computeNodes(2, 4)
                .memoryPort(5000)
                .hosts(List.of(hosts));
    }

    private static List<String> places(ClusterConfig config) {
        return Stream.concat(
                        IntStream.rangeClosed(0, 2).mapToObj(n -> Place.ofMemoryNode(config, n)),
                        IntStream.rangeClosed(2, 4).mapToObj(n -> Place.ofComputeNode(config, n)))
                .map(Place::toString)
                .toList();
    }

    @Test
    void everyMemoryNodeHasTheConfiguredPortOfItsHost() {
        assertThat(places(config("a", "b", "c", "d", "e").build()))
                .containsExactly("a:5000", "b:5000", "c:5000", "c:5001", "d:5000", "e:5000");
    }

    @Test
    void nodesThatShareAHostHavePortsOfTheirOwn() {
        assertThat(places(config("a", "a", "a", "a", "a").build()))
                .containsExactly("a:5000", "a:5001", "a:5002", "a:5003", "a:5004", "a:5005");
    }

    @Test
    void aPortThatIsTooHighNamesTheSetting() {
        ClusterConfig config =
                config("a", "a", "a", "a", "a").memoryPort(65_534).build();
        assertThatThrownBy(() -> Place.ofMemoryNode(config, 2))
                .isInstanceOf(FabricException.class)
                .hasMessageContaining("memoryPort (--mn-port) 65534")
                .hasMessageContaining("Memory Node 2");
    }

    @Test
    void aHostCanBeAnIpv6Address() throws UnknownHostException {
        Place place = Place.ofMemoryNode(config("fd00::7", "a", "a", "a", "a").build(), 0);
        assertThat(place).hasToString("[fd00::7]:5000");
        assertThat(place.addresses()).containsExactly(InetAddress.getByName("fd00::7"));
    }

    @Test
    void onlyAddressesOfTheSameFamilyAreReachable() throws UnknownHostException {
        Place place = Place.ofMemoryNode(config("fd00::7", "a", "a", "a", "a").build(), 0);
        assertThat(place.addressesFor(InetAddress.getByName("fd00::1"))).hasSize(1);
        assertThatThrownBy(() -> place.addressesFor(InetAddress.getByName("10.0.0.1")))
                .isInstanceOf(FabricException.class)
                .hasMessageContaining("host 'fd00::7' of Memory Node 0 has no IPv4 address")
                .hasMessageContaining("10.0.0.1");
    }

    @Test
    void anUnknownHostIsNamedWithTheSettingThatNamesIt() {
        ClusterConfig config =
                config("no-such-host.invalid", "a", "a", "a", "a").build();
        assertThatThrownBy(() -> Place.ofMemoryNode(config, 0).addresses())
                .isInstanceOf(FabricException.class)
                .hasMessageContaining("no-such-host.invalid")
                .hasMessageContaining("hosts (--hosts)");
    }
}
