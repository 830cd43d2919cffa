// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Optional;

/** The user of this process, as the owner of files. */
public final class ThisUser {
    /** Unknown where there is no {@code /proc}. */
    private static final Optional<Object> OWNER = owner();

    private ThisUser() {}

    /**
     * The folder for shared memory: that of the property {@code remus.shm.dir} or of {@code REMUS_SHM_DIR}, else {@code
     * /dev/shm}, else that of temporary files.
     */
    public static Path sharedMemory() {
        String chosen = System.getProperty("remus.shm.dir", System.getenv("REMUS_SHM_DIR"));
        if (chosen != null && !chosen.isEmpty()) {
            return Path.of(chosen);
        }
        Path shm = Path.of("/dev/shm");
        return Files.isDirectory(shm) ? shm : Path.of(System.getProperty("java.io.tmpdir"));
    }

    /** The folder of this user in shared memory. It may not exist yet. */
    public static Path folder() {
        return sharedMemory().resolve("remus-" + System.getProperty("user.name").replaceAll("[^A-Za-z0-9._-]", "_"));
    }

    private static Optional<Object> owner() {
        try {
            return Optional.of(Files.getOwner(Path.of("/proc/self")));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Whether this user owns a file. The kernel answers, since users need not have names. */
    public static boolean owns(PosixFileAttributes file) {
        return OWNER.map(file.owner()::equals).orElse(true);
    }
}
