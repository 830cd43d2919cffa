// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** Checks that each host of the cluster is known, is in the network of an RDMA port, and answers. */
final class HostsCheck implements Check {
    @Override
    public String subject() {
        return "hosts";
    }

    @Override
    public boolean isNeededBy(String fabric) {
        return fabric.equals(RequestedCluster.VERBS);
    }

    @Override
    public List<Diagnosis> examine(ExaminedMachine machine, RequestedCluster requested) {
        if (requested.hosts().isEmpty()) {
            return List.of(Diagnosis.ok("none given; with --hosts, each host is resolved and contacted"));
        }
        List<Network.Local> ours = new ArrayList<>();
        List<SysfsRdmaPort> ports = SysfsRdmaPort.all(machine);
        try {
            for (Network.Local local : machine.network().addresses()) {
                if (ports.stream().anyMatch(port -> port.interfaces().contains(local.device()))) {
                    ours.add(local);
                }
            }
        } catch (IOException e) {
            return List.of(Diagnosis.problem("the addresses of this machine cannot be listed: " + e, "ip addr"));
        }
        return requested.hosts().stream()
                .distinct()
                .map(host -> examine(machine.network(), host, requested.port(), ours))
                .toList();
    }

    private static Diagnosis examine(Network network, String host, int port, List<Network.Local> ours) {
        List<InetAddress> addresses = network.resolve(host);
        if (addresses.isEmpty()) {
            return Diagnosis.problem(
                    host + " is unknown", "echo 'ADDRESS-OF-ITS-RDMA-PORT " + host + "' | sudo tee -a /etc/hosts");
        }
        InetAddress address = addresses.stream()
                .filter(a -> ours.stream().anyMatch(local -> local.reaches(a)))
                .findFirst()
                .orElse(null);
        if (address == null) {
            return Diagnosis.problem(
                    host + " is " + text(addresses) + ", which is not in the network of any RDMA port here "
                            + (ours.isEmpty() ? "(there is none with an address)" : ours)
                            + ": probably its address in another network, such as the control network",
                    "give --hosts the address of its RDMA port, or: echo 'ADDRESS-OF-ITS-RDMA-PORT " + host
                            + "' | sudo tee -a /etc/hosts");
        }
        if (!network.answers(address, port)) {
            return Diagnosis.problem(
                    host + " (" + Network.text(address) + ") does not answer: it is off, or a firewall blocks it",
                    "ping " + Network.text(address)
                            + "; RoCE needs UDP port 4791 open: sudo iptables -I INPUT -p udp"
                            + " --dport 4791 -j ACCEPT");
        }
        return Diagnosis.ok(host + " (" + Network.text(address) + ") answers");
    }

    private static String text(List<InetAddress> addresses) {
        return String.join(", ", addresses.stream().map(Network::text).toList());
    }
}
