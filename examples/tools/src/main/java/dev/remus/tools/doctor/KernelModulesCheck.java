// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;

/** Checks the kernel modules through which programs use RDMA devices, and their device files. */
final class KernelModulesCheck implements Check {
    private static final List<String> MODULES = List.of("ib_core", "ib_uverbs", "rdma_cm", "rdma_ucm");
    private static final String CONNECTIONS = "dev/infiniband/rdma_cm";

    @Override
    public String subject() {
        return "kernel modules";
    }

    @Override
    public boolean isNeededBy(String fabric) {
        return fabric.equals(RequestedCluster.VERBS);
    }

    @Override
    public List<Diagnosis> examine(ExaminedMachine machine, RequestedCluster requested) {
        List<String> missing = MODULES.stream()
                .filter(module -> !machine.exists("sys/module/" + module))
                .toList();
        if (!missing.isEmpty()) {
            return List.of(Diagnosis.problem(
                    "not loaded: " + String.join(", ", missing), "sudo modprobe -a " + String.join(" ", missing)));
        }
        List<String> closed = Stream.concat(
                        Stream.of(CONNECTIONS),
                        machine.list("dev/infiniband").stream()
                                .filter(name -> name.startsWith("uverbs"))
                                .map(name -> "dev/infiniband/" + name))
                .filter(file -> !Files.isWritable(machine.path(file)))
                .map(file -> "/" + file)
                .toList();
        return List.of(
                closed.isEmpty()
                        ? Diagnosis.ok("loaded: " + String.join(", ", MODULES)
                                + (machine.exists("sys/module/rdma_rxe") ? ", rdma_rxe (RDMA in software)" : ""))
                        : Diagnosis.problem(
                                "no permission to use " + String.join(", ", closed),
                                "sudo chmod a+rw " + String.join(" ", closed)));
    }
}
