// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.PeerState;
import dev.remus.node.ComputeNode;
import dev.remus.node.MemoryNode;
import dev.remus.node.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Foreign entries in the folder for shared memory are skipped or refused, never awaited and never deleted. */
@Tag("machine")
@Timeout(
        value = 60,
        threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // opening a pipe waits for ever, even if interrupted
class OddFilesTest {
    private static final FileAttribute<?> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static final int NOBODY = 65_534;

    /** The entry in the place of a file. */
    enum Odd {
        PIPE,
        EMPTY_FOLDER,
        FULL_FOLDER,
        LINK_TO_A_FILE,
        DANGLING_LINK;

        void make(Path path) throws IOException, InterruptedException {
            switch (this) {
                case PIPE ->
                    assertThat(new ProcessBuilder("mkfifo", path.toString())
                                    .start()
                                    .waitFor())
                            .isZero();
                case EMPTY_FOLDER -> Files.createDirectory(path);
                case FULL_FOLDER -> Files.createFile(Files.createDirectory(path).resolve("memory-0"));
                case LINK_TO_A_FILE -> Files.createSymbolicLink(path, Files.writeString(elsewhere(path), "precious"));
                case DANGLING_LINK -> Files.createSymbolicLink(path, path.resolveSibling("nothing"));
            }
        }

        /** Checks that the target is unchanged. */
        void assertUntouched(Path path) throws IOException {
            assertThat(Files.exists(path, LinkOption.NOFOLLOW_LINKS)).isTrue();
            if (this == LINK_TO_A_FILE) {
                assertThat(elsewhere(path)).hasContent("precious");
            }
            assertThat(path.resolveSibling("nothing")).doesNotExist();
        }

        private static Path elsewhere(Path path) {
            return path.resolveSibling("elsewhere");
        }
    }

    @TempDir
    private Path base;

    private final ShmFabric fabric = new ShmFabric();
    private final ClusterConfig config = ShmFilesTest.config(16);
    private String before;
    private Path user;
    private Path cluster;

    @BeforeEach
    void chooseTheFolder() {
        before = System.getProperty("remus.shm.dir");
        System.setProperty("remus.shm.dir", base.toString());
        cluster = new ClusterDirectory(config.cluster()).path();
        user = cluster.getParent();
    }

    @AfterEach
    void chooseTheOldOne() {
        if (before == null) {
            System.clearProperty("remus.shm.dir");
        } else {
            System.setProperty("remus.shm.dir", before);
        }
    }

    private Path folder(Path path) throws IOException {
        if (!Files.exists(user)) {
            Files.createDirectory(user, PRIVATE);
        }
        return Files.exists(path) ? path : Files.createDirectory(path, PRIVATE);
    }

    private void startAndEnd() {
        try (MemoryEndpoint memory = fabric.openMemory(config, 0);
                ComputeEndpoint compute = fabric.openCompute(config, 1)) {
            memory.publish();
            assertThat(compute.connect(0, 1, Duration.ofSeconds(60)).segments()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void inAnotherClustersFolderAnOddEntryIsSkippedAndStays(Odd odd) throws Exception {
        Path other = folder(user.resolve("other"));
        Path there = other.resolve("memory-0");
        odd.make(there);
        Files.createFile(other.resolve("notes.txt"));
        startAndEnd();
        odd.assertUntouched(there);
        assertThat(other.resolve("notes.txt")).exists();
        assertThat(cluster).doesNotExist();
    }

    @ParameterizedTest
    @EnumSource
    void inTheOwnClustersFolderAnOddEntryThatIsNotInTheWayIsSkippedAndStays(Odd odd) throws Exception {
        Path there = folder(cluster).resolve("memory-7");
        odd.make(there);
        Path notes = Files.createFile(cluster.resolve("memory-0.notes"));
        startAndEnd();
        odd.assertUntouched(there);
        assertThat(notes).exists();
        assertThat(LocalClusters.look(config.cluster())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void inThePlaceOfANodeFileAnOddEntryIsRefusedWithTheRemedy(Odd odd) throws Exception {
        Path there = folder(cluster).resolve("memory-0");
        odd.make(there);
        assertThatThrownBy(() -> fabric.openMemory(config, 0))
                .isInstanceOf(FabricException.class)
                .hasMessageContaining("rm -r " + there)
                .hasMessageContaining("REMUS_SHM_DIR");
        if (odd != Odd.DANGLING_LINK) { // to a node that waits for the Memory Node, it does not exist
            try (ComputeEndpoint compute = fabric.openCompute(config, 1)) {
                assertThatThrownBy(() -> compute.connect(0, 1, Duration.ofSeconds(60)))
                        .isInstanceOf(FabricException.class)
                        .hasMessageContaining("rm -r " + there);
            }
        }
        odd.assertUntouched(there);
    }

    @ParameterizedTest
    @ValueSource(strings = {"compute-1", "compute-1.notice", "compute-1.notice.next", "finished.compute-1"})
    void aPipeInThePlaceOfAFileOfAComputeNodeIsRefusedWithTheRemedy(String name) throws Exception {
        Path there = folder(cluster).resolve(name);
        Odd.PIPE.make(there);
        assertThatThrownBy(() -> fabric.openCompute(config, 1))
                .isInstanceOf(FabricException.class)
                .hasMessageContaining(there + " is a pipe, socket or device")
                .hasMessageContaining("rm -r " + there);
        Odd.PIPE.assertUntouched(there);
    }

    @Test
    void aMemoryNodeThatChecksAComputeNodeRefusesAPipe() throws Exception {
        folder(cluster);
        try (MemoryEndpoint memory = fabric.openMemory(config, 0)) {
            memory.publish();
            Path there = cluster.resolve("compute-1");
            Odd.PIPE.make(there);
            assertThatThrownBy(() -> memory.peer(1)).hasMessageContaining("rm -r " + there);
            assertThat(memory.peer(2)).isEqualTo(PeerState.ABSENT);
        }
    }

    @Test
    void aMemoryNodeThatCanNoLongerWatchReportsThatAndNotATolerableLoss() throws Exception {
        ClusterConfig three =
                TestCluster.config(1, 2, 1).onNodeLoss(OnNodeLoss.CONTINUE).build();
        try (MemoryNode memory = MemoryNode.start(three, 0)) {
            ComputeNode compute = ComputeNode.connect(three, 1);
            compute.abort("a test");
            compute.close();
            while (memory.losses().isEmpty()) {
                Thread.sleep(5);
            }
            Path there = user.resolve(three.cluster()).resolve("compute-2");
            Odd.EMPTY_FOLDER.make(there);
            assertThatThrownBy(memory::awaitFinished)
                    .isInstanceOf(NodeLostException.class)
                    .hasMessageContaining("Memory Node 0 failed")
                    .hasMessageContaining("rm -r " + there);
        }
    }

    @ParameterizedTest
    @EnumSource
    void inThePlaceOfANoticeAnOddEntryIsNotShown(Odd odd) throws Exception {
        try (ComputeEndpoint compute = fabric.openCompute(config, 1)) {
            Path there = cluster.resolve("compute-1.notice");
            odd.make(there);
            assertThat(LocalClusters.look(config.cluster()).orElseThrow().nodes())
                    .singleElement()
                    .satisfies(node -> assertThat(node.notice()).isEmpty());
            odd.assertUntouched(there);
        }
    }

    @ParameterizedTest
    @EnumSource
    void inThePlaceOfTheLockAnOddEntryIsRefusedWithTheRemedy(Odd odd) throws Exception {
        Path there = folder(user).resolve(".lock");
        odd.make(there);
        assertThatThrownBy(() -> fabric.openMemory(config, 0))
                .isInstanceOf(FabricException.class)
                .hasMessageContaining("rm -r " + there)
                .hasMessageContaining("REMUS_SHM_DIR");
        odd.assertUntouched(there);
    }

    @ParameterizedTest
    @EnumSource(names = {"PIPE", "LINK_TO_A_FILE", "DANGLING_LINK"})
    void inThePlaceOfAFolderAnOddEntryIsRefusedWithTheRemedy(Odd odd) throws Exception {
        odd.make(user);
        assertThatThrownBy(() -> fabric.openMemory(config, 0))
                .isInstanceOf(FabricException.class)
                .hasMessageContaining("rm -r " + user)
                .hasMessageContaining("REMUS_SHM_DIR");
        Files.delete(user);
        Files.deleteIfExists(base.resolve("elsewhere"));
        folder(user);
        odd.make(cluster);
        assertThatThrownBy(() -> fabric.openMemory(config, 0))
                .isInstanceOf(FabricException.class)
                .hasMessageContaining("rm -r " + cluster);
        odd.assertUntouched(cluster);
    }

    @ParameterizedTest
    @EnumSource
    void aListOfClustersSkipsAnOddEntry(Odd odd) throws Exception {
        folder(cluster);
        try (MemoryEndpoint memory = fabric.openMemory(config, 0)) {
            memory.publish();
            for (String name :
                    new String[] {"memory-1", "memory-1.seg-0", "compute-3.notice", "memory-x", "memory-1.seg-"}) {
                Files.deleteIfExists(cluster.resolve("elsewhere"));
                odd.make(cluster.resolve(name));
            }
            Files.createFile(cluster.resolve("memory-"));
            assertThat(LocalClusters.look(config.cluster()).orElseThrow().nodes())
                    .hasSize(1);
            odd.make(user.resolve("no-cluster"));
            assertThat(LocalClusters.names()).contains(config.cluster());
        }
    }

    @Test
    void aSegmentThatOthersCanOpenIsRefusedWithTheRemedy() throws IOException {
        try (MemoryEndpoint memory = fabric.openMemory(config, 0);
                ComputeEndpoint compute = fabric.openCompute(config, 1)) {
            memory.publish();
            Path segment = cluster.resolve("memory-0.seg-1");
            Files.setPosixFilePermissions(segment, PosixFilePermissions.fromString("rw----r--"));
            assertThatThrownBy(() -> compute.connect(0, 1, Duration.ofSeconds(60)))
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining(segment + " is open to other users: chmod 600 " + segment);
        }
    }

    @Test
    void aFolderThatOthersCanEnterIsRefusedWithTheRemedy() throws IOException {
        Files.createDirectory(user, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
        assertThatThrownBy(() -> fabric.openMemory(config, 0))
                .isInstanceOf(FabricException.class)
                .hasMessageContaining("chmod 700 " + user)
                .hasMessageContaining("REMUS_SHM_DIR");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFolderOfAnotherUserIsRefusedAndOnlyRemusShmDirIsNamed(boolean ofTheUser) throws IOException {
        Path there = folder(ofTheUser ? user : cluster);
        giveAway(there);
        assertThatThrownBy(() -> fabric.openMemory(config, 0))
                .isInstanceOf(FabricException.class)
                .hasMessageContaining(there + " belongs to another user")
                .hasMessageContaining("REMUS_SHM_DIR")
                .hasMessageNotContaining("rm -r");
        assertThat(there).exists();
    }

    @Test
    void filesAndFoldersOfAnotherUserAreSkippedAndStay() throws IOException {
        Path folder = folder(user.resolve("theirs"));
        Path file = Files.createFile(folder(user.resolve("mixed")).resolve("memory-0"));
        giveAway(folder);
        giveAway(file);
        startAndEnd();
        assertThat(folder).exists();
        assertThat(file).exists();
    }

    private static void giveAway(Path path) throws IOException {
        assumeThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))
                .as("only root can give files away")
                .isEqualTo(0);
        Files.setAttribute(path, "unix:uid", NOBODY);
    }
}
