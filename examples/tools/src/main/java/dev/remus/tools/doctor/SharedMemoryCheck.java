// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import java.nio.file.Files;
import java.util.List;

/** Checks that the segments of a Memory Node fit into shared memory. */
final class SharedMemoryCheck implements Check {
    @Override
    public String subject() {
        return "shared memory";
    }

    @Override
    public boolean isNeededBy(String fabric) {
        return fabric.equals(RequestedCluster.SHM);
    }

    @Override
    public List<Diagnosis> examine(ExaminedMachine machine, RequestedCluster requested) {
        if (!Files.isWritable(machine.path("dev/shm"))) {
            return List.of(Diagnosis.problem(
                    "/dev/shm is missing or cannot be written to", "sudo mount -t tmpfs -o mode=1777 tmpfs /dev/shm"));
        }
        // A FileStore needs the mount point, which may be missing in a chroot.
        long free = machine.path("dev/shm").toFile().getUsableSpace();
        String text = "/dev/shm has " + ExaminedMachine.size(free) + " left; a Memory Node takes "
                + ExaminedMachine.size(requested.memoryNodeBytes());
        return List.of(
                free >= requested.memoryNodeBytes()
                        ? Diagnosis.ok(text)
                        : Diagnosis.problem(
                                text,
                                "sudo mount -o remount,size=" + 2 * (requested.memoryNodeBytes() >> 20)
                                        + "m /dev/shm (or a smaller --seg-size or --segs-per-mn; in a container:"
                                        + " a larger --shm-size)"));
    }
}
