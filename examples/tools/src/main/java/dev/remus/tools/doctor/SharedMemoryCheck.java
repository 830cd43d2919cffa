package dev.remus.tools.doctor;

import java.nio.file.Files;
import java.util.List;

/** Whether a Memory Node's segments fit into the folder that is shared memory. */
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
    public List<Diagnosis> look(ExaminedMachine machine, RequestedCluster wish) {
        if (!Files.isWritable(machine.path("dev/shm"))) {
            return List.of(Diagnosis.problem(
                    "/dev/shm is missing or cannot be written to", "sudo mount -t tmpfs -o mode=1777 tmpfs /dev/shm"));
        }
        // Not asked of its FileStore: Java looks for the mount point, and in a chroot there may be none.
        long free = machine.path("dev/shm").toFile().getUsableSpace();
        String text = "/dev/shm has " + ExaminedMachine.size(free) + " left; a Memory Node takes "
                + ExaminedMachine.size(wish.memoryNodeBytes());
        return List.of(
                free >= wish.memoryNodeBytes()
                        ? Diagnosis.ok(text)
                        : Diagnosis.problem(
                                text,
                                "sudo mount -o remount,size=" + 2 * (wish.memoryNodeBytes() >> 20)
                                        + "m /dev/shm (or a smaller --seg-size or --segs-per-mn; of a container:"
                                        + " its --shm-size)"));
    }
}
