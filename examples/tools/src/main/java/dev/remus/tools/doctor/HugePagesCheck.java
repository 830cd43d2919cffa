// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import java.util.List;

/** Checks for huge pages, which save a device address translations. All fabrics work without them. */
final class HugePagesCheck implements Check {
    private static final String TRANSPARENT = "sys/kernel/mm/transparent_hugepage/enabled";

    @Override
    public String subject() {
        return "huge pages";
    }

    @Override
    public boolean isNeededBy(String fabric) {
        return false;
    }

    @Override
    public List<Diagnosis> examine(ExaminedMachine machine, RequestedCluster requested) {
        long free = machine.memoryInfo("HugePages_Free").orElse(0L);
        long size = machine.memoryInfo("Hugepagesize").orElse(0L);
        if (size > 0 && free * size >= requested.memoryNodeBytes()) {
            return List.of(Diagnosis.ok(free + " of " + ExaminedMachine.size(size) + " are reserved and free"));
        }
        String transparent = machine.read(TRANSPARENT).orElse("");
        if (transparent.contains("[always]") || transparent.contains("[madvise]")) {
            return List.of(Diagnosis.ok("transparent huge pages are on"));
        }
        String enable = "echo madvise | sudo tee /" + TRANSPARENT;
        return List.of(Diagnosis.note(
                "neither reserved nor transparent: verbs is slower on large segments",
                size == 0
                        ? enable
                        : enable + "; or sudo sysctl vm.nr_hugepages=" + requested.memoryNodeBytes() / size));
    }
}
