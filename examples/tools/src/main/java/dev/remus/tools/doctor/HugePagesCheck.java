package dev.remus.tools.doctor;

import java.util.List;

/** Huge pages: with them a device has fewer addresses to look up. Nothing fails without. */
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
    public List<Diagnosis> look(ExaminedMachine machine, RequestedCluster wish) {
        long free = machine.memoryInfo("HugePages_Free").orElse(0L);
        long size = machine.memoryInfo("Hugepagesize").orElse(0L);
        if (size > 0 && free * size >= wish.memoryNodeBytes()) {
            return List.of(Diagnosis.ok(free + " of " + ExaminedMachine.size(size) + " are reserved and free"));
        }
        String transparent = machine.read(TRANSPARENT).orElse("");
        if (transparent.contains("[always]") || transparent.contains("[madvise]")) {
            return List.of(Diagnosis.ok("transparent huge pages are on"));
        }
        String enable = "echo madvise | sudo tee /" + TRANSPARENT;
        return List.of(Diagnosis.note(
                "neither reserved nor transparent ones: verbs on large segments are slower",
                size == 0 ? enable : enable + "; or sudo sysctl vm.nr_hugepages=" + wish.memoryNodeBytes() / size));
    }
}
