// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.fabric.FabricException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The host and port of a node. Memory Nodes that share a host use consecutive ports from {@code --mn-port} on, in the
 * order of their ids; Compute Nodes on that host use the ports after those.
 *
 * @param role the node's role and id, for messages
 * @param host as {@code --hosts} or {@code --host-pattern} names it
 * @param port in the port space of the RDMA connection manager, which is not that of TCP
 */
record Place(String role, String host, int port) {
    static Place ofMemoryNode(ClusterConfig config, int node) {
        return of(
                config,
                "Memory Node " + node,
                node,
                memoryNodes(config, node).filter(n -> n < node).count());
    }

    static Place ofComputeNode(ClusterConfig config, int node) {
        long before = IntStream.range(config.firstComputeNode(), node)
                .filter(n -> config.host(n).equals(config.host(node)))
                .count();
        return of(
                config, "Compute Node " + node, node, memoryNodes(config, node).count() + before);
    }

    /** The Memory Nodes on the host of this node. */
    private static Stream<Integer> memoryNodes(ClusterConfig config, int node) {
        return IntStream.rangeClosed(config.firstMemoryNode(), config.lastMemoryNode())
                .filter(n -> config.host(n).equals(config.host(node)))
                .boxed();
    }

    private static Place of(ClusterConfig config, String role, int node, long behind) {
        long port = config.memoryPort() + behind;
        if (port > ClusterSettings.MAX_PORT) {
            throw new FabricException(ClusterSettings.MEMORY_PORT.names() + " " + config.memoryPort() + " is too high: "
                    + role + ", which shares its host with others, would have port " + port);
        }
        return new Place(role, config.host(node), (int) port);
    }

    /**
     * The addresses of the host, of IPv4 and IPv6, in the order of the JVM: by default those of IPv4 first.
     *
     * @throws FabricException if it is unknown
     */
    List<InetAddress> addresses() {
        try {
            return List.of(InetAddress.getAllByName(host));
        } catch (UnknownHostException e) {
            throw new FabricException(
                    "host '" + host + "' of " + role + " is unknown. " + ClusterSettings.HOSTS.names() + " or "
                            + ClusterSettings.HOST_PATTERN.names() + " name the hosts; "
                            + "./remus doctor looks them up",
                    e);
        }
    }

    /**
     * The addresses of the host to which an address of this machine can connect: those of the same family.
     *
     * @throws FabricException if it has none
     */
    List<InetAddress> addressesFor(InetAddress own) {
        List<InetAddress> found =
                addresses().stream().filter(a -> a.getClass() == own.getClass()).toList();
        if (found.isEmpty()) {
            throw new FabricException("host '" + host + "' of " + role + " has no "
                    + (own instanceof Inet6Address ? "IPv6" : "IPv4") + " address, while this node has the address "
                    + own.getHostAddress() + "; name others in " + ClusterSettings.HOSTS.names());
        }
        return found;
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
