// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import java.util.ArrayList;
import java.util.List;

/**
 * Checks for RDMA devices that are nearer to some processors than to others: each access from another NUMA node passes
 * between the nodes. All fabrics work from any processor.
 */
final class ProcessorsCheck implements Check {
    @Override
    public String subject() {
        return "processors";
    }

    @Override
    public boolean isNeededBy(String fabric) {
        return false;
    }

    @Override
    public List<Diagnosis> examine(ExaminedMachine machine, RequestedCluster requested) {
        long numaNodes = machine.list("sys/devices/system/node").stream()
                .filter(name -> name.matches("node\\d+"))
                .count();
        if (numaNodes <= 1) {
            return List.of(Diagnosis.ok("all belong to one NUMA node"));
        }
        List<Diagnosis> findings = new ArrayList<>();
        for (String device : machine.list(SysfsRdmaPort.DEVICES)) {
            String folder = SysfsRdmaPort.DEVICES + "/" + device + "/device/";
            String near = machine.read(folder + "numa_node").orElse("-1");
            if (!near.startsWith("-")) { // of a device in software, or of one without that information, it is -1
                findings.add(examine(
                        machine,
                        device,
                        near,
                        machine.read(folder + "local_cpulist").orElse("")));
            }
        }
        return findings.isEmpty()
                ? List.of(Diagnosis.ok(numaNodes + " NUMA nodes, and no RDMA device that belongs to one"))
                : findings;
    }

    private static Diagnosis examine(ExaminedMachine machine, String device, String near, String processors) {
        String text = device + " belongs to NUMA node " + near + ", with the processors " + processors;
        return processors.equals(allowed(machine))
                ? Diagnosis.ok(text + ", where this process runs")
                : Diagnosis.note(
                        text + "; others are slower",
                        "start nodes with: numactl --cpunodebind=" + near + " --membind=" + near + " ./remus ...");
    }

    /** The processors on which this process may run. */
    private static String allowed(ExaminedMachine machine) {
        return machine.read("proc/self/status")
                .flatMap(status -> status.lines()
                        .filter(line -> line.startsWith("Cpus_allowed_list:"))
                        .map(line -> line.substring(line.indexOf(':') + 1).strip())
                        .findFirst())
                .orElse("");
    }
}
