package dev.remus.examples.doctor;

import java.io.IOException;
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
        return fabric.equals(Wish.SHM);
    }

    @Override
    public List<Finding> look(Machine machine, Wish wish) {
        if (!Files.isWritable(machine.path("dev/shm"))) {
            return List.of(Finding.problem(
                    "/dev/shm is missing or cannot be written to", "sudo mount -t tmpfs -o mode=1777 tmpfs /dev/shm"));
        }
        try {
            long free = Files.getFileStore(machine.path("dev/shm")).getUsableSpace();
            String text = "/dev/shm has " + Machine.size(free) + " left; a Memory Node takes "
                    + Machine.size(wish.memoryNodeBytes());
            return List.of(
                    free >= wish.memoryNodeBytes()
                            ? Finding.ok(text)
                            : Finding.problem(
                                    text,
                                    "sudo mount -o remount,size=" + 2 * (wish.memoryNodeBytes() >> 20)
                                            + "m /dev/shm (or a smaller --seg-size or --segs-per-mn; of a container:"
                                            + " its --shm-size)"));
        } catch (IOException e) {
            return List.of(Finding.problem("/dev/shm cannot be asked for its size: " + e, "ls -ld /dev/shm"));
        }
    }
}
