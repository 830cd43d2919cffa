// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.fabric.FabricException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The RDMA device, its port and the entry of its table of GIDs that a node uses: {@link ClusterSettings#DEVICE} and
 * {@link ClusterSettings#GID_INDEX}. The connection manager derives all three from the node's own address, so the
 * address is chosen by them. On RoCE two entries may have one address, for two versions of RoCE, of which the
 * connection manager takes the port's default; so the entry that a connection uses is checked.
 */
final class DeviceChoice {
    private final String device;
    private final int gidIndex;
    private final Path devices;

    private DeviceChoice(String device, int gidIndex, Path devices) {
        this.device = device;
        this.gidIndex = gidIndex;
        this.devices = devices;
    }

    static DeviceChoice of(ClusterConfig config) {
        return of(config, RdmaPort.DEVICES);
    }

    /** The same on a machine with this list of devices. */
    static DeviceChoice of(ClusterConfig config, Path devices) {
        return new DeviceChoice(config.get(ClusterSettings.DEVICE), config.get(ClusterSettings.GID_INDEX), devices);
    }

    private boolean isFree() {
        return device.equals(ClusterSettings.ANY_DEVICE) && gidIndex == ClusterSettings.ANY_GID;
    }

    /**
     * The ports that may be used.
     *
     * @throws FabricException if this machine has no such port
     */
    List<RdmaPort> ports() {
        List<RdmaPort> all = RdmaPort.all(devices);
        List<RdmaPort> chosen = all.stream().filter(this::isChosen).toList();
        if (chosen.isEmpty() && !all.isEmpty()) {
            throw new FabricException(ClusterSettings.DEVICE.names() + ": got '" + device + "', which is no RDMA device"
                    + " or port of this machine. It has " + list(all));
        }
        return chosen;
    }

    private boolean isChosen(RdmaPort port) {
        return device.equals(ClusterSettings.ANY_DEVICE)
                || device.equals(port.device())
                || device.equals(port.device() + ":" + port.number());
    }

    /**
     * The addresses of those that a node's host has, in their order.
     *
     * @throws FabricException if there are none, which names those that there are
     */
    List<InetAddress> among(Place place, List<InetAddress> addresses) {
        if (isFree()) {
            return addresses;
        }
        List<RdmaPort> ports = ports();
        List<InetAddress> chosen = addresses.stream()
                .filter(address -> ports.stream().anyMatch(port -> isUsable(port, address)))
                .toList();
        if (chosen.isEmpty()) {
            throw new FabricException("host '" + place.host() + "' of " + place.role() + " resolves here to "
                    + addresses.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(", "))
                    + ", which is no address of " + (gidIndex == ClusterSettings.ANY_GID ? "" : gid(ports) + " of ")
                    + list(ports) + "; see " + ClusterSettings.DEVICE.names() + ", "
                    + ClusterSettings.GID_INDEX.names() + " and " + ClusterSettings.HOSTS.names());
        }
        return chosen;
    }

    private boolean isUsable(RdmaPort port, InetAddress address) {
        // On InfiniBand the GID of a port is not the address of its network interface.
        return port.addresses().stream().anyMatch(text -> address.equals(parse(text)))
                && (gidIndex == ClusterSettings.ANY_GID
                        || !port.isEthernet(devices)
                        || port.gid(devices, gidIndex).filter(address::equals).isPresent());
    }

    private String gid(List<RdmaPort> ports) {
        return "GID " + gidIndex + " ("
                + ports.stream()
                        .map(port -> port.gid(devices, gidIndex)
                                .map(InetAddress::getHostAddress)
                                .orElse("unused"))
                        .collect(Collectors.joining(", "))
                + ")";
    }

    private static String list(List<RdmaPort> ports) {
        return ports.stream()
                .map(port -> port.device() + ":" + port.number() + " ("
                        + (port.addresses().isEmpty() ? "no address" : String.join(", ", port.addresses())) + ")")
                .collect(Collectors.joining(", "));
    }

    private static InetAddress parse(String address) {
        try {
            return InetAddress.getByName(address);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("not an address: " + address, e);
        }
    }

    /**
     * Checks the entry that a connection uses.
     *
     * @return what is wrong with it, if anything
     */
    Optional<String> objection(QueuePair pair) throws IOException {
        int used = gidIndex == ClusterSettings.ANY_GID ? RemoteAccess.NO_GID : RemoteAccess.gidIndex(pair.handle());
        if (used == RemoteAccess.NO_GID || used == gidIndex) {
            return Optional.empty();
        }
        return Optional.of(ClusterSettings.GID_INDEX.names() + ": the connection manager uses GID " + used + ", not "
                + gidIndex + ", for this node's address: it takes the entry of the port's default version of RoCE."
                + " cma_roce_mode, of the package rdma-core or of your card, changes that");
    }
}
