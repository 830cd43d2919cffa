// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.MemoryEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The files of a cluster: only their owner may read them, and none stays. */
@Tag("machine")
@Timeout(120)
class ShmFilesTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final FileAttribute<?> OWNER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final ShmFabric fabric = new ShmFabric();
    private final ClusterConfig config = config(16);
    private final ClusterDirectory directory = new ClusterDirectory(config.cluster());
    private final Path folder = directory.memoryNode(0).getParent();

    static ClusterConfig config(int segmentSizeLog2) {
        return ClusterConfig.builder()
                .cluster("files-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet())
                .memoryNodes(0, 1)
                .computeNodes(1, 4)
                .segmentSizeLog2(segmentSizeLog2)
                .segmentsPerNode(2)
                .build();
    }

    @Test
    void filesAndFoldersAreForTheirOwnerAlone() throws IOException {
        try (MemoryEndpoint memory = fabric.openMemory(config, 0);
                ComputeEndpoint compute = fabric.openCompute(config, 1);
                ComputeEndpoint finished = fabric.openCompute(config, 2)) {
            memory.publish();
            compute.connect(0, 1, PATIENCE);
            finished.close();
            assertThat(mode(folder)).isEqualTo("rwx------");
            assertThat(mode(folder.getParent())).isEqualTo("rwx------");
            List<Path> files = list(folder);
            assertThat(files)
                    .contains(
                            directory.memoryNode(0),
                            directory.segment(0, 0),
                            directory.segment(0, 1),
                            directory.computeNode(1));
            for (Path file : files) {
                assertThat(mode(file)).as(file.toString()).isEqualTo("rw-------");
            }
            assertThat(mode(folder.resolveSibling(".lock"))).isEqualTo("rw-------");
        }
    }

    @Test
    void nothingIsLeftWhenTheLastNodeHasClosed() {
        MemoryEndpoint memory = fabric.openMemory(config, 0);
        memory.publish();
        ComputeEndpoint compute = fabric.openCompute(config, 1);
        compute.connect(0, 2, PATIENCE);
        compute.close();
        assertThat(directory.isGone()).isFalse();
        memory.close();
        assertThat(directory.isGone()).isTrue();
        assertThat(folder).doesNotExist();
    }

    @Test
    void nothingIsLeftWhenTheMemoryNodeClosesFirst() throws IOException {
        MemoryEndpoint memory = fabric.openMemory(config, 0);
        memory.publish();
        try (ComputeEndpoint compute = fabric.openCompute(config, 1)) {
            compute.connect(0, 1, PATIENCE);
            memory.close();
            assertThat(list(folder)).containsExactly(directory.computeNode(1));
        }
        assertThat(folder).doesNotExist();
    }

    @Test
    void aStartThatFailsLeavesNothing() {
        ClusterConfig tooLarge = config(36).toBuilder().segmentsPerNode(64).build();
        ClusterDirectory itsDirectory = new ClusterDirectory(tooLarge.cluster());
        assertThatThrownBy(() -> fabric.openMemory(tooLarge, 0))
                .isInstanceOf(FabricException.class)
                .hasMessageContaining("Memory Node 0")
                .hasMessageContaining("--seg-size")
                .hasMessageContaining("--segs-per-mn")
                .hasMessageContaining("bytes are free");
        assertThat(itsDirectory.isGone()).isTrue();
        assertThatThrownBy(() -> fabric.openMemory(tooLarge, 0)).hasMessageContaining("--seg-size");
    }

    @Test
    void aRefusedSecondNodeLeavesTheFirstOnesFilesAlone() throws IOException {
        try (MemoryEndpoint memory = fabric.openMemory(config, 0)) {
            memory.set(0, 64, 5);
            List<Path> before = list(folder);
            assertThatThrownBy(() -> fabric.openMemory(config, 0)).isInstanceOf(FabricException.class);
            assertThat(list(folder)).isEqualTo(before);
            memory.publish();
            try (ComputeEndpoint compute = fabric.openCompute(config, 1)) {
                assertThat(compute.connect(0, 1, PATIENCE).segments()).isEqualTo(2);
            }
        }
    }

    @Test
    void aFolderThatOthersCanEnterIsRefused(@TempDir Path base) throws IOException {
        Path user = base.resolve(folder.getParent().getFileName());
        Files.createDirectory(user, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
        withBase(
                base,
                () -> assertThatThrownBy(() -> fabric.openMemory(config, 0))
                        .isInstanceOf(FabricException.class)
                        .hasMessageContaining(user.toString()));
        assertThat(list(user)).isEmpty();
    }

    @Test
    void aLinkInThePlaceOfTheFolderIsRefused(@TempDir Path base) throws IOException {
        Path elsewhere = Files.createDirectory(base.resolve("elsewhere"), OWNER);
        Path user = base.resolve(folder.getParent().getFileName());
        Files.createSymbolicLink(user, elsewhere);
        withBase(
                base,
                () -> assertThatThrownBy(() -> fabric.openCompute(config, 1))
                        .isInstanceOf(FabricException.class)
                        .hasMessageContaining(user.toString()));
        assertThat(list(elsewhere)).isEmpty();
    }

    @Test
    void theFolderCanBeChosen(@TempDir Path base) throws IOException {
        withBase(base, () -> {
            try (MemoryEndpoint memory = fabric.openMemory(config, 0)) {
                Path there = base.resolve(folder.getParent().getFileName()).resolve(config.cluster());
                assertThat(there.resolve("memory-0.seg-1")).hasSize(memory.segmentBytes());
                assertThat(folder).doesNotExist();
            }
        });
        assertThat(base.resolve(folder.getParent().getFileName()).resolve(config.cluster()))
                .doesNotExist();
    }

    private static void withBase(Path base, Runnable action) {
        String before = System.getProperty("remus.shm.dir");
        System.setProperty("remus.shm.dir", base.toString());
        try {
            action.run();
        } finally {
            if (before == null) {
                System.clearProperty("remus.shm.dir");
            } else {
                System.setProperty("remus.shm.dir", before);
            }
        }
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }
}
