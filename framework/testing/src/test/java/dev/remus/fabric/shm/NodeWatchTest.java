// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeWatchTest {
    @TempDir
    private Path folder;

    @Test
    void aLookThatFailsLeavesNoFileOpen() throws IOException {
        Path file = Files.createFile(folder.resolve("memory-0"));
        assertThatThrownBy(() -> NodeWatch.of(file, () -> {
                    assertThat(isOpen(file)).isTrue();
                    throw new IllegalStateException("a damaged file");
                }))
                .hasMessage("a damaged file");
        assertThat(isOpen(file)).isFalse();
    }

    @Test
    void aWatchForAnotherRunLeavesNoFileOpen() throws IOException {
        Path file = Files.createFile(folder.resolve("memory-0"));
        assertThat(NodeWatch.of(file, () -> false)).isEmpty();
        assertThat(isOpen(file)).isFalse();
    }

    private static boolean isOpen(Path file) {
        Path real;
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            real = file.toRealPath();
            for (Path descriptor : descriptors) {
                if (Files.isSymbolicLink(descriptor) && real.equals(target(descriptor))) {
                    return true;
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return false;
    }

    private static Path target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor);
        } catch (IOException e) {
            return descriptor; // closed in between
        }
    }
}
