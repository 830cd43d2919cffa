// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeProcesses;
import dev.remus.fabric.OtherNode;
import dev.remus.fuzz.Fuzz;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The files of a Memory Node are overwritten with random contents. */
@Tag("processes")
@Timeout(300)
class DamagedNodeFileTest {
    private static final Duration AT_ONCE = Duration.ofMillis(1);

    private final ShmFabric fabric = new ShmFabric();
    private final NodeProcesses processes = new NodeProcesses(ShmFabric.class);
    private final ClusterConfig config = ShmFilesTest.config(16);
    private final ClusterDirectory directory = new ClusterDirectory(config.cluster());

    @Test
    void damagedNodeFilesAndSegmentSizesAreRefusedByNameOrHarmless() throws IOException {
        SplittableRandom random = Fuzz.random(3);
        try (OtherNode memory = processes.startMemory(config, 0);
                ComputeEndpoint compute = fabric.openCompute(config, 1)) {
            String sound = Files.readString(directory.memoryNode(0));
            for (int i = Fuzz.times(3_000); i > 0; i--) {
                byte[] damaged = damage(sound, random);
                overwrite(damaged);
                if (random.nextInt(4) == 0) {
                    resize(directory.segment(0, random.nextInt(2)), random);
                }
                connect(compute, new String(damaged, StandardCharsets.ISO_8859_1));
            }
            memory.kill();
        }
        fabric.openCompute(ShmFilesTest.config(16), 1).close();
        assertThat(directory.isGone()).isTrue();
    }

    private static void connect(ComputeEndpoint compute, String damaged) {
        try {
            compute.connect(0, 1, AT_ONCE).close();
        } catch (FabricException e) {
            assertThat(e.getMessage()).contains("Memory Node 0");
        } catch (RuntimeException | Error e) {
            throw new AssertionError("node file " + damaged, e);
        }
    }

    private static byte[] damage(String sound, SplittableRandom random) {
        List<String> lines = new ArrayList<>(List.of(sound.split("\n")));
        int line = random.nextInt(lines.size());
        String name = lines.get(line).replaceAll("=.*", "");
        switch (random.nextInt(7)) {
            case 0 -> lines.remove(line);
            case 1 -> lines.add(lines.get(line));
            case 2 -> lines.set(line, name + "=" + Fuzz.weird(random));
            case 3 ->
                lines.set(line, name + "=" + Long.toHexString(Fuzz.weird(random)) + " ".repeat(random.nextInt(3)));
            case 4 -> lines.set(line, name + "=１２");
            case 5 -> lines.set(line, name + "=" + "1 ".repeat(random.nextInt(100)));
            default -> lines.add(0, "x=" + "y".repeat(random.nextInt(1 << 17)));
        }
        byte[] bytes = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
        if (random.nextInt(3) == 0) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
    }

    /** To the size in the node file, or to any other. */
    private static void resize(Path segment, SplittableRandom random) throws IOException {
        long[] sizes = {0, 1, 7, 63, 64, 100, 4095, 4096, 65_536, 65_537, 1L << 30};
        try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
            file.setLength(sizes[random.nextInt(sizes.length)]);
        }
    }

    /** Keeps the inode, and with it the lock of the other process. */
    private void overwrite(byte[] contents) throws IOException {
        try (RandomAccessFile file =
                new RandomAccessFile(directory.memoryNode(0).toFile(), "rw")) {
            file.setLength(0);
            file.write(contents);
        }
    }
}
