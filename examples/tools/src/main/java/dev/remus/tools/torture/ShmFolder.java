// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder in shared memory only for the clusters of one torture, so every file left in it is theirs. The documentation
 * of the {@code shm} fabric describes the files.
 */
final class ShmFolder implements AutoCloseable {
    private final Path folder;

    ShmFolder() throws IOException {
        String chosen = System.getProperty("remus.shm.dir", System.getenv("REMUS_SHM_DIR"));
        Path shm = chosen == null || chosen.isEmpty() ? Path.of("/dev/shm") : Path.of(chosen);
        folder = Files.isDirectory(shm)
                ? Files.createTempDirectory(shm, "remus-torture-")
                : Files.createTempDirectory("remus-torture-");
    }

    /** The option of the Java VM that makes a node use this folder. */
    String flag() {
        return "-Dremus.shm.dir=" + folder;
    }

    /** The files left by clusters, except the lock that all of them share. */
    List<String> leftovers() throws IOException {
        return list().filter(path -> path.getNameCount() > folder.getNameCount() + 1)
                .filter(path -> !path.endsWith(".lock"))
                .map(path -> folder.relativize(path).toString())
                .toList();
    }

    /** Whether the file exists by which a node of a cluster shows that it has not left. */
    boolean has(String cluster, String nodeFile) throws IOException {
        return list().anyMatch(path -> path.endsWith(Path.of(cluster, nodeFile)));
    }

    private Stream<Path> list() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.toList().stream();
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof NoSuchFileException) {
                return list(); // a node has removed a file meanwhile
            }
            throw e;
        }
    }

    /** Removes the folder and its files. */
    @Override
    public void close() throws IOException {
        for (Path path : list().sorted(Comparator.reverseOrder()).toList()) {
            Files.deleteIfExists(path);
        }
    }
}
