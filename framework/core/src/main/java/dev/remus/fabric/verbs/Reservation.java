// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import dev.remus.config.ClusterSettings;
import dev.remus.fabric.FabricException;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;

/**
 * A node's port on this machine, reserved for this process until it ends; the kernel then frees the port. The address
 * also determines the node's device.
 *
 * @param channel the channel of its events
 * @param id bound to the address and the port
 * @param domain the protection domain of that device
 */
record Reservation(RdmaEventChannel channel, RdmaCmId id, InetAddress address, ProtectionDomain domain) {
    /**
     * Reserves a node's port.
     *
     * @param choice the device that it is to use
     * @throws FabricException if another process has it, or the host is not this machine's address on an RDMA network
     */
    static Reservation of(Place place, DeviceChoice choice) {
        List<InetAddress> addresses = choice.among(place, place.addresses());
        IOException last = new IOException("it has no address");
        for (InetAddress address : addresses) {
            try {
                return of(place, address);
            } catch (IOException e) {
                last = e;
            }
        }
        throw new FabricException(
                "host '" + place.host() + "' of " + place.role() + " resolves here to " + addresses
                        + ", which is no address of an RDMA port of this machine: " + last.getMessage()
                        + ". Set the right one in " + ClusterSettings.HOSTS.names() + "; ./remus doctor lists them",
                last);
    }

    private static Reservation of(Place place, InetAddress address) throws IOException {
        RdmaEventChannel channel = Verbs.createChannel();
        RdmaCmId id = null;
        try {
            id = Verbs.createId(channel);
            bind(id, place, address);
            return new Reservation(channel, id, address, ProtectionDomain.ofId(id));
        } catch (IOException | RuntimeException e) {
            if (id != null) {
                Verbs.destroy(id);
            }
            Verbs.destroy(channel);
            throw e;
        }
    }

    private static void bind(RdmaCmId id, Place place, InetAddress address) throws IOException {
        try {
            Verbs.bind(id, address, place.port());
        } catch (IOException e) {
            if (isOfThisMachine(address)) {
                throw new FabricException(
                        place.role() + " is already running: port " + place.port() + " of " + address.getHostAddress()
                                + " is taken (" + e.getMessage()
                                + "). Choose another " + ClusterSettings.MEMORY_PORT.names()
                                + " or node id, or end that process",
                        e);
            }
            throw e;
        }
    }

    /** Whether any free port can be bound at this address. */
    private static boolean isOfThisMachine(InetAddress address) throws IOException {
        RdmaEventChannel channel = Verbs.createChannel();
        RdmaCmId id = null;
        try {
            id = Verbs.createId(channel);
            Verbs.bind(id, address, 0);
            return true;
        } catch (IOException e) {
            return false;
        } finally {
            if (id != null) {
                Verbs.destroy(id);
            }
            Verbs.destroy(channel);
        }
    }

    void close() {
        Verbs.destroy(id);
        Verbs.destroy(channel);
    }
}
