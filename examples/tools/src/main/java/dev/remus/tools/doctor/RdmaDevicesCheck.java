// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Checks that an RDMA device with atomics has a port that is up and has an address. */
final class RdmaDevicesCheck implements Check {
    private final Function<String, String> atomics;

    /** @param atomics describes the atomics of a device; empty if it has no usable ones */
    RdmaDevicesCheck(Function<String, String> atomics) {
        this.atomics = atomics;
    }

    @Override
    public String subject() {
        return "RDMA devices";
    }

    @Override
    public boolean isNeededBy(String fabric) {
        return fabric.equals(RequestedCluster.VERBS);
    }

    @Override
    public List<Diagnosis> examine(ExaminedMachine machine, RequestedCluster requested) {
        List<SysfsRdmaPort> ports = SysfsRdmaPort.all(machine);
        if (ports.isEmpty()) {
            return List.of(Diagnosis.problem(
                    "none: /sys/class/infiniband is empty",
                    "a card needs its driver; in software: sudo modprobe rdma_rxe && sudo rdma link add rxe0 type rxe"
                            + " netdev NETWORK-DEVICE; or in a virtual machine: ./remus rxe-vm -- COMMAND"));
        }
        List<Diagnosis> findings =
                ports.stream().map(port -> examine(machine, port)).toList();
        if (findings.stream().noneMatch(finding -> finding.grade() == Diagnosis.Grade.OK)) {
            return findings;
        }
        // One usable port is enough: problems of the others are notes.
        return findings.stream()
                .map(f -> f.grade() == Diagnosis.Grade.OK ? f : Diagnosis.note(f.text(), f.remedy()))
                .toList();
    }

    private Diagnosis examine(ExaminedMachine machine, SysfsRdmaPort port) {
        String face = port.interfaces().isEmpty()
                ? "NETWORK-DEVICE"
                : port.interfaces().get(0);
        String text = port + ": " + port.state() + ", " + port.linkLayer() + ", network device "
                + (port.interfaces().isEmpty() ? "unknown" : String.join(", ", port.interfaces()));
        if (!port.isActive()) {
            return Diagnosis.problem(
                    text,
                    port.linkLayer().equals("InfiniBand")
                            ? "check the cable, and that a subnet manager runs: sudo systemctl start opensm"
                            : "sudo ip link set " + face + " up");
        }
        List<String> addresses = addresses(machine, port);
        if (addresses.isEmpty()) {
            return Diagnosis.problem(text + ", no address", "sudo ip addr add ADDRESS/24 dev " + face);
        }
        text += ", " + String.join(", ", addresses) + "; GID " + String.join(", ", port.gids());
        String can = atomics.apply(port.device());
        return can.isEmpty()
                ? Diagnosis.problem(
                        text + "; no usable atomics", "choose another device: --hosts names the address of its port")
                : Diagnosis.ok(text + "; atomics: " + can);
    }

    private static List<String> addresses(ExaminedMachine machine, SysfsRdmaPort port) {
        List<String> found = new ArrayList<>();
        try {
            for (Network.Local local : machine.network().addresses()) {
                if (port.interfaces().contains(local.device())) {
                    found.add(Network.text(local.address()));
                }
            }
        } catch (IOException e) {
            return List.of(); // treated as none
        }
        return found;
    }
}
