// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.remus.await.Await;
import dev.remus.config.ClusterConfig;
import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Link;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.NodeProcesses;
import dev.remus.fabric.OtherNode;
import dev.remus.fabric.PeerState;
import dev.remus.fabric.Version;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Effects of other processes, alive and dead, on the files of a cluster. */
@Tag("processes")
@Timeout(180)
class ShmProcessesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration SOON = Duration.ofMillis(300);

    private static final String FOLDER = "remus.shm.dir";

    /** Replaces the machine's shared memory, where any new cluster removes the files of dead ones. */
    @TempDir
    private static Path ownFolder;

    private static String usualFolder;

    private final ShmFabric fabric = new ShmFabric();
    private final NodeProcesses processes = new NodeProcesses(ShmFabric.class);
    private final ClusterConfig config = ShmFilesTest.config(16);
    private final ClusterDirectory directory = new ClusterDirectory(config.cluster());
    private final Path nodeFile = directory.memoryNode(0);

    @BeforeAll
    static void useOwnFolder() {
        usualFolder = System.getProperty(FOLDER);
        System.setProperty(FOLDER, ownFolder.toString());
    }

    @AfterAll
    static void useUsualFolder() {
        if (usualFolder == null) {
            System.clearProperty(FOLDER);
        } else {
            System.setProperty(FOLDER, usualFolder);
        }
    }

    @Test
    void filesOfARunThatWasKilledAreReplacedAndNeverUsed() throws IOException {
        leaveFilesOfAKilledRun(config);
        byte[] old = new byte[1 << 16];
        new SplittableRandom(1).nextBytes(old);
        Files.write(directory.segment(0, 1), old);
        try (ComputeEndpoint compute = fabric.openCompute(config, 1)) {
            assertThatThrownBy(() -> compute.connect(0, 1, SOON)).isInstanceOf(NodeLostException.class);
            try (MemoryEndpoint memory = fabric.openMemory(config, 0)) {
                memory.publish();
                Link link = compute.connect(0, 1, PATIENCE);
                BlockingOperations direct =
                        compute.directOperations(List.of(link)).orElseThrow();
                for (long offset = 0; offset < memory.segmentBytes(); offset += 8) {
                    assertThat(memory.get(1, offset)).isZero();
                    assertThat(direct.read(1L << 48 | offset)).isZero();
                }
            }
        }
        assertThat(directory.isGone()).isTrue();
    }

    @Test
    void filesOfADeadClusterGoWhenAnotherClusterStarts() {
        leaveFilesOfAKilledRun(config);
        try (ComputeEndpoint other = fabric.openCompute(ShmFilesTest.config(16), 1)) {
            assertThat(other.node()).isEqualTo(1);
            assertThat(directory.isGone()).isTrue();
        }
    }

    @Test
    void filesOfALiveClusterStayWhenAnotherClusterStartsAndEnds() {
        try (OtherNode memory = processes.startMemory(config, 0)) {
            fabric.openCompute(ShmFilesTest.config(16), 1).close();
            assertThat(directory.segment(0, 0)).exists();
            memory.pause();
            fabric.openCompute(ShmFilesTest.config(16), 1).close();
            assertThat(directory.segment(0, 0)).exists();
            memory.resume();
            memory.finish();
        }
        assertThat(directory.isGone()).isTrue();
    }

    private void leaveFilesOfAKilledRun(ClusterConfig config) {
        try (OtherNode memory = processes.startMemory(config, 0)) {
            memory.ask("set 0 64 1");
            memory.kill();
        }
        assertThat(directory.segment(0, 0)).exists();
    }

    /** The beginning of a node file, with a version. */
    private static String nodeFile(int protocol, int layout) {
        return "published=true\nsoftware=" + Version.PRESENT.software() + "\nprotocol=" + protocol + "\nlayout="
                + layout + "\n";
    }

    private static String nodeFile() {
        return nodeFile(Version.PRESENT.protocol(), Version.PRESENT.layout());
    }

    @Test
    void aMemoryNodeWithAnotherLayoutVersionIsRefused() {
        refused(nodeFile(Version.PRESENT.protocol(), 777) + "run=1\nsegment-bytes=65536\nrkeys=1 2\nend=true\n")
                .hasMessageContaining("layout 777")
                .hasMessageContaining("layout " + Version.PRESENT.layout());
    }

    @Test
    void anIncompleteNodeFileIsRefused() {
        refused(nodeFile() + "end=true\n").hasMessageContaining("damaged");
        refused(nodeFile() + "run=x\nsegment-bytes=65536\nrkeys=1 2\nend=true\n")
                .hasMessageContaining("damaged");
        refused(nodeFile() + "run=1\nsegment-bytes=65536\nrkeys=\nend=true\n").hasMessageContaining("damaged");
    }

    @Test
    void aNodeFileOfAnotherSizeThanItsSegmentsIsRefused() {
        refused(nodeFile() + "run=1\nsegment-bytes=4096\nrkeys=1 2\nend=true\n").hasMessageContaining("4096");
    }

    private AbstractThrowableAssert<?, ? extends Throwable> refused(String contents) {
        try (OtherNode memory = processes.startMemory(config, 0);
                ComputeEndpoint compute = fabric.openCompute(config, 1)) {
            overwrite(contents.getBytes(StandardCharsets.UTF_8));
            var refused = assertThatThrownBy(() -> compute.connect(0, 1, SOON))
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining("Memory Node 0");
            memory.kill();
            return refused;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aNodeFileOfRandomBytesNamesTheNodeAndHarmsNoOther() throws IOException {
        try (OtherNode memory = processes.startMemory(config, 0);
                ComputeEndpoint compute = fabric.openCompute(config, 1)) {
            SplittableRandom random = new SplittableRandom(7);
            for (int i = 0; i < 20; i++) {
                byte[] garbage = new byte[1 + random.nextInt(300)];
                random.nextBytes(garbage);
                String text = i % 2 == 0 ? "a=\\uZZZZ\n" : "";
                overwrite((text + new String(garbage, StandardCharsets.ISO_8859_1)).getBytes(StandardCharsets.UTF_8));
                assertThatThrownBy(() -> compute.connect(0, 1, Duration.ofMillis(10)))
                        .isInstanceOf(FabricException.class)
                        .hasMessageContaining("Memory Node 0");
                fabric.openCompute(ShmFilesTest.config(16), 1).close();
            }
            memory.kill();
        }
    }

    @Test
    void aSegmentFileOfAnotherSizeIsRefused() throws IOException {
        try (OtherNode memory = processes.startMemory(config, 0);
                ComputeEndpoint compute = fabric.openCompute(config, 1)) {
            try (RandomAccessFile segment =
                    new RandomAccessFile(directory.segment(0, 1).toFile(), "rw")) {
                segment.setLength(1 << 17);
            }
            assertThatThrownBy(() -> compute.connect(0, 1, PATIENCE))
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining("Memory Node 0")
                    .hasMessageContaining("memory-0.seg-1")
                    .hasMessageContaining("131072");
            memory.finish();
        }
    }

    /** Keeps the inode, and with it the lock of the other process. */
    private void overwrite(byte[] contents) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(nodeFile.toFile(), "rw")) {
            file.setLength(0);
            file.write(contents);
        }
    }

    /**
     * A process loses its lock on a file when it closes any descriptor of the file, so it must not open its own files.
     */
    @Test
    void nodesOfOneProcessKeepTheirLocksWhileTheyLookAtEachOther() {
        try (MemoryEndpoint memory = fabric.openMemory(config, 0);
                ComputeEndpoint compute = fabric.openCompute(config, 2);
                OtherNode witness = processes.startMemory(config, 1)) {
            memory.publish();
            for (int i = 0; i < 10; i++) {
                Link link = compute.connect(0, 1, PATIENCE);
                assertThat(link.isLost()).isFalse();
                assertThat(memory.peer(2)).isEqualTo(PeerState.JOINED);
                assertThatThrownBy(() -> fabric.openCompute(config, 2)).isInstanceOf(FabricException.class);
                assertThatThrownBy(() -> fabric.openMemory(config, 0)).isInstanceOf(FabricException.class);
                fabric.openCompute(config, 3).close();
                System.gc();
                link.close();
            }
            assertThat(witness.ask("peer 2")).isEqualTo("JOINED");
            assertThat(witness.ask("peer 3")).isEqualTo("FINISHED");
            assertThat(witness.ask("peer 4")).isEqualTo("ABSENT");
            try (OtherNode stranger = processes.startCompute(config, 4)) { // finds Memory Node 0 alive
                stranger.finish();
            }
            compute.close();
            assertThat(witness.ask("peer 2")).isEqualTo("FINISHED");
            witness.finish();
        }
    }

    /** Takes a fraction of the time to open the file and read it. */
    @Test
    void lookingAgainWhetherANodeOfAnotherProcessIsAliveReadsNoFile() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        try (MemoryEndpoint here = fabric.openMemory(config, 1);
                OtherNode memory = processes.startMemory(config, 0);
                OtherNode other = processes.startCompute(config, 3);
                ComputeEndpoint compute = fabric.openCompute(config, 2)) {
            here.publish();
            Link link = compute.connect(0, 1, PATIENCE);
            assertThat(here.peer(3)).isEqualTo(PeerState.JOINED);
            int looks = 1_000;
            long before = threads.getThreadAllocatedBytes(self);
            for (int i = 0; i < looks; i++) {
                if (link.isLost() || here.peer(3) != PeerState.JOINED) {
                    throw new AssertionError("look " + i + " finds a node lost");
                }
            }
            long bytes = threads.getThreadAllocatedBytes(self) - before;
            assertThat(bytes / (2L * looks)).as("bytes for each look").isLessThan(600);
            other.finish();
            memory.finish();
        }
    }

    @Test
    void directOperationsOfTwoProcessesCountExactly() {
        int times = 50_000;
        try (MemoryEndpoint memory = fabric.openMemory(config, 0);
                ComputeEndpoint compute = fabric.openCompute(config, 1)) {
            memory.publish();
            BlockingOperations direct = compute.directOperations(List.of(compute.connect(0, 1, PATIENCE)))
                    .orElseThrow();
            try (OtherNode other = processes.startCompute(config, 2)) {
                Thread asking = new Thread(() -> other.ask("count 0 64 " + times));
                asking.start();
                for (int i = 0; i < times; i++) {
                    direct.fetchAndAdd(64, 1);
                    long seen = direct.read(72);
                    long old;
                    while ((old = direct.compareAndSwap(72, seen, seen + 1)) != seen) {
                        seen = old;
                    }
                }
                join(asking);
                other.finish();
            }
            assertThat(memory.get(0, 64)).isEqualTo(2L * times);
            assertThat(memory.get(0, 72)).isEqualTo(2L * times);
        }
    }

    @Test
    void aStoppedProcessIsNeitherLostNorCutOffUntilItIsKilled() {
        try (MemoryEndpoint memory = fabric.openMemory(config, 0)) {
            memory.publish();
            try (OtherNode compute = processes.startCompute(config, 1)) {
                Await.until("it has joined", () -> memory.peer(1) == PeerState.JOINED && memory.incarnation(1) != 0);
                long incarnation = memory.incarnation(1);
                compute.pause();
                for (int i = 0; i < 20; i++) {
                    assertThat(memory.peer(1)).isEqualTo(PeerState.JOINED);
                    assertThat(memory.fence(1, incarnation)).isFalse();
                    Await.sleep(50);
                }
                assertThat(memory.kill(1)).isTrue();
                Await.until("it is lost", () -> memory.peer(1) == PeerState.LOST);
                Await.until("it is cut off", () -> memory.fence(1, incarnation));
                assertThat(memory.kill(1)).isFalse();
            }
        }
    }

    @Test
    void aProcessThatHasAbandonedTheClusterIsCutOffOnlyWhenItEnds() {
        try (MemoryEndpoint memory = fabric.openMemory(config, 0)) {
            memory.publish();
            try (OtherNode compute = processes.startCompute(config, 1)) {
                Await.until("it has joined", () -> memory.peer(1) == PeerState.JOINED && memory.incarnation(1) != 0);
                compute.ask("abandon");
                Await.until("it is lost", () -> memory.peer(1) == PeerState.LOST);
                assertThat(memory.fence(1, memory.incarnation(1)))
                        .as("one of its threads may still be about to store")
                        .isFalse();
                assertThatThrownBy(() -> fabric.openCompute(config, 1))
                        .isInstanceOf(FabricException.class)
                        .hasMessageContaining("has given up, but its process")
                        .hasMessageContaining("has not ended yet");
                compute.kill();
                Await.until("it is cut off", () -> memory.fence(1, memory.incarnation(1)));
                fabric.openCompute(config, 1).close();
            }
        }
    }

    @Test
    void aNodeDoesNotKillItsOwnProcess() {
        try (MemoryEndpoint memory = fabric.openMemory(config, 0);
                ComputeEndpoint compute = fabric.openCompute(config, 1)) {
            assertThat(memory.peer(compute.node())).isEqualTo(PeerState.JOINED);
            assertThat(memory.kill(1)).isFalse();
            assertThat(memory.kill(2)).as("there is none").isFalse();
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(PATIENCE.toMillis());
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
        assertThat(thread.isAlive()).isFalse();
    }
}
