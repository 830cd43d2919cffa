// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The RDMA devices of this machine, for tests. */
public final class RdmaMachine {
    /** Why tests are skipped. */
    public static final String MISSING = "this machine has no RDMA device: /sys/class/infiniband is empty. "
            + "\"./remus rxe-vm\" starts a virtual machine that has one";

    private RdmaMachine() {}

    /** Whether this machine has one; called by JUnit. */
    public static boolean isThere() {
        return !RdmaPort.all().isEmpty();
    }

    /** A host for each of the nodes 0 to 4: the Memory Nodes 0 and 1 at different addresses where there are several. */
    static List<String> hosts() {
        List<String> addresses = addresses().filter(a -> !a.contains(":")).toList();
        List<String> hosts = new ArrayList<>();
        for (int node = 0; node <= 4; node++) {
            hosts.add(addresses.get(Math.min(node, addresses.size() - 1)));
        }
        return hosts;
    }

    /** The host of every node of a cluster on this machine. */
    public static String host() {
        return addresses().findFirst().orElseThrow();
    }

    /** An address of IPv6. */
    static Optional<String> hostOfIpv6() {
        return addresses().filter(a -> a.contains(":")).findFirst();
    }

    private static Stream<String> addresses() {
        return RdmaPort.all().get(0).addresses().stream();
    }
}
