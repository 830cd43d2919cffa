// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.MemoryEndpoint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Segments stay mapped while they are reachable, and no longer. */
@Tag("machine")
@Timeout(120)
class ShmMappingTest {
    private static final Path MAPS = Path.of("/proc/self/maps");
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ShmFabric fabric = new ShmFabric();
    private final ClusterConfig config = ShmFilesTest.config(16);

    @BeforeEach
    void needsToSeeItsOwnMappings() {
        assumeTrue(Files.isReadable(MAPS) && Files.isDirectory(DESCRIPTORS), "only on Linux");
    }

    @Test
    void mappingsAndDescriptorsGoOnceNothingRefersToThem() throws Exception {
        runOnce();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while ((mappings() > 0 || descriptors() > 0) && System.nanoTime() - deadline < 0) {
            System.gc();
            Thread.sleep(20);
        }
        assertThat(mappings()).isZero();
        assertThat(descriptors()).isZero();
    }

    private void runOnce() throws IOException {
        try (MemoryEndpoint memory = fabric.openMemory(config, 0);
                ComputeEndpoint compute = fabric.openCompute(config, 1)) {
            memory.publish();
            compute.connect(0, 1, PATIENCE);
            assertThat(mappings()).isEqualTo(4);
        }
    }

    @Test
    void directMemoryKeepsItsSegmentsMappedAfterEverythingHasClosed() throws Exception {
        BlockingOperations direct;
        try (MemoryEndpoint memory = fabric.openMemory(config, 0);
                ComputeEndpoint compute = fabric.openCompute(config, 1)) {
            memory.publish();
            direct = compute.directOperations(List.of(compute.connect(0, 1, PATIENCE)))
                    .orElseThrow();
            direct.write(64, 11);
        }
        for (int i = 0; i < 10; i++) {
            System.gc();
            Thread.sleep(10);
            assertThat(direct.read(64)).isEqualTo(11);
        }
    }

    private long mappings() throws IOException {
        return Files.readString(MAPS, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains("/" + config.cluster() + "/"))
                .count();
    }

    private long descriptors() throws IOException {
        long found = 0;
        try (var all = Files.newDirectoryStream(DESCRIPTORS)) {
            for (Path descriptor : all) {
                if (Files.isSymbolicLink(descriptor)
                        && Files.readSymbolicLink(descriptor).toString().contains("/" + config.cluster() + "/")) {
                    found++;
                }
            }
        }
        return found;
    }
}
