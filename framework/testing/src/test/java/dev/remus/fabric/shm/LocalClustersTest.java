// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.fabric.LossKind;
import dev.remus.lock.LockState;
import dev.remus.lock.QueueLockState;
import dev.remus.lock.RemoteLock;
import dev.remus.lock.RemoteQueueLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.MemoryNode;
import dev.remus.node.SegmentUse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("machine")
@Timeout(120)
class LocalClustersTest {
    private final ClusterConfig config = ClusterConfig.builder()
            .cluster("watched-" + ProcessHandle.current().pid())
            .memoryNodes(0, 0)
            .computeNodes(1, 1)
            .threadsPerNode(1)
            .segmentsPerNode(2)
            .build();

    private LocalClusters.Look look() throws Exception {
        return LocalClusters.look(config.cluster()).orElseThrow();
    }

    private static Map<String, String> notice(LocalClusters.Look look) {
        return look.nodes().get(1).notice();
    }

    /** Nodes renew their notices every second. */
    private LocalClusters.Look await(Predicate<LocalClusters.Look> condition) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        LocalClusters.Look look = look();
        while (!condition.test(look)) {
            assertThat(System.nanoTime() - deadline).as("time over; %s", look).isNegative();
            Thread.sleep(20);
            look = look();
        }
        return look;
    }

    @Test
    void aMemoryNodeShowsItsSegmentsTheEpochWithTheAnnouncementsAndTheStatesOfComputeNodes() throws Exception {
        try (MemoryNode memory = MemoryNode.start(config, 0);
                ComputeNode compute = ComputeNode.connect(config, 1);
                ComputeThread ct = compute.openThread(0)) {
            LocalClusters.Look look =
                    await(l -> "joined".equals(l.nodes().get(0).notice().get("peer.1")));
            Map<String, String> notice = look.nodes().get(0).notice();
            assertThat(notice).doesNotContainKey("lost.1");
            for (LocalClusters.Segment segment : look.segments()) {
                assertThat(notice)
                        .hasEntrySatisfying(
                                "segment." + segment.segment(),
                                words -> assertThat(words).endsWith(" " + segment.bytes()));
            }
            assertThat(config.reclaim()).isEqualTo(Reclamation.EPOCHS);
            String online = await(l -> !l.nodes()
                            .get(0)
                            .notice()
                            .getOrDefault("epochs", " 0")
                            .endsWith(" 0"))
                    .nodes()
                    .get(0)
                    .notice()
                    .get("epochs");
            assertThat(online).matches("\\d+ [1-9]\\d*"); // of its only thread
            compute.abort("a test");
            compute.close();
            await(l -> "failed".equals(l.nodes().get(0).notice().get("lost.1")));
        }
    }

    @Test
    void theKindOfALockThatIsNoTicketLockFollowsItsPointerAndItsWordsShowTheHolder() throws Exception {
        try (MemoryNode memory = MemoryNode.start(config, 0);
                ComputeNode compute = ComputeNode.connect(config, 1);
                ClusterWatch watch = new ClusterWatch(config.cluster());
                ComputeThread ct = compute.openThread(0)) {
            RemoteQueueLock lock = new RemoteQueueLock(ct.threads());
            lock.allocate(ct);
            lock.init(ct);
            lock.acquire(ct);
            await(l -> (lock.pointer() + ":queue").equals(notice(l).get("holds.0")));
            long[] words = watch.words(
                            RdmaPtr.node(lock.pointer()),
                            RdmaPtr.segment(lock.pointer()),
                            RdmaPtr.offset(lock.pointer()),
                            RemoteQueueLock.bytes(ct.threads()) / Long.BYTES)
                    .orElseThrow();
            assertThat(QueueLockState.of(words)).contains(new LockState(OptionalInt.of(ct.id()), List.of(), 0));
            lock.release(ct);
        }
    }

    @Test
    void aLookFromOutsideShowsNodesSegmentsFiguresAndTheHolderOfALock() throws Exception {
        try (MemoryNode memory = MemoryNode.start(config, 0);
                ComputeNode compute = ComputeNode.connect(config, 1);
                ClusterWatch watch = new ClusterWatch(config.cluster())) {
            assertThat(LocalClusters.names()).contains(config.cluster());
            try (ComputeThread ct = compute.openThread(0)) {
                RemoteLock lock = new RemoteLock(ct.threads());
                lock.allocate(ct);
                lock.init(ct);
                lock.acquire(ct);
                String pointer = Long.toString(lock.pointer());
                LocalClusters.Look held = await(l -> pointer.equals(notice(l).get("holds.0")));
                assertThat(notice(held)).containsEntry("holds.0", pointer).doesNotContainKey("awaits.0");
                assertThat(held.nodes())
                        .extracting(LocalClusters.Node::id, LocalClusters.Node::isMemoryNode)
                        .containsExactly(tuple(0, true), tuple(1, false));
                assertThat(held.nodes()).allMatch(n -> n.state() == LocalClusters.State.RUNNING);
                assertThat(held.segments()).hasSize(2);
                assertThat(held.segments().stream()
                                .mapToLong(LocalClusters.Segment::used)
                                .sum())
                        .isEqualTo(SegmentUse.of(ct).stream()
                                .mapToLong(s -> s.used())
                                .sum());
                assertThat(held.lost()).isEmpty();
                assertThat(watch.words(
                                        RdmaPtr.node(lock.pointer()),
                                        RdmaPtr.segment(lock.pointer()),
                                        RdmaPtr.offset(lock.pointer()),
                                        RemoteLock.bytes(ct.threads()) / Long.BYTES)
                                .flatMap(RemoteLock::state))
                        .hasValue(new LockState(OptionalInt.of(ct.id()), List.of(), 0));

                lock.release(ct);
                String[] counts = notice(await(l -> !notice(l).containsKey("holds.0")))
                        .get("thread.0")
                        .split(" ");
                assertThat(Long.parseLong(counts[2]))
                        .as("compare-and-swaps")
                        .isEqualTo(compute.metrics(0).orElseThrow().compareAndSwaps());
            }
            compute.close();
            assertThat(look().nodes().get(1).state()).isEqualTo(LocalClusters.State.FINISHED);
            memory.awaitFinished();
        }
        assertThat(LocalClusters.look(config.cluster())).isEqualTo(Optional.empty());
        assertThat(LocalClusters.names()).doesNotContain(config.cluster());
    }

    @Test
    void aWatchReportsTheLostNodeAfterTheEndOfARun() throws Exception {
        try (ClusterWatch watch = new ClusterWatch(config.cluster())) {
            assertThat(watch.look()).isEmpty();
            assertThat(watch.hasEnded()).as("it has not begun").isFalse();
            try (MemoryNode memory = MemoryNode.start(config, 0)) {
                ComputeNode compute = ComputeNode.connect(config, 1);
                assertThat(watch.look()).isPresent();
                assertThat(watch.lost()).isEmpty();
                compute.abort("a test");
                compute.close();
            }
            assertThat(LocalClusters.look(config.cluster())).isEmpty();
            assertThat(watch.look()).isEmpty();
            assertThat(watch.hasEnded()).isTrue();
            assertThat(watch.lost()).hasValue(new LocalClusters.Lost(1, LossKind.FAILED));
            assertThat(watch.last()).isPresent();
        }
    }

    @Test
    void aRunThatEndsInGoodOrderHasNoLossAndAnotherRunOfThatNameIsNotConfusedWithIt() throws Exception {
        try (ClusterWatch watch = new ClusterWatch(config.cluster())) {
            try (MemoryNode memory = MemoryNode.start(config, 0);
                    ComputeNode compute = ComputeNode.connect(config, 1)) {
                assertThat(watch.look()).isPresent();
            }
            assertThat(watch.look()).isEmpty();
            assertThat(watch.lost()).isEmpty();
            try (MemoryNode memory = MemoryNode.start(config, 0)) {
                assertThat(watch.look()).isEmpty();
                assertThat(watch.hasEnded()).isTrue();
            }
        }
    }

    /** Exclusively, because a node of another test would remove the file of a Memory Node that does not run. */
    @Test
    void aRunGoesOnWhileAMemoryNodeWritesItsFile() {
        ClusterDirectory directory = new ClusterDirectory(config.cluster());
        Path file = directory.memoryNode(0);
        directory.exclusively(() -> {
            Files.createDirectories(file.getParent());
            try (ClusterWatch watch = new ClusterWatch(config.cluster())) {
                for (String contents : List.of("end=true\n", "pid=1\nend=true\n", "end=true\n", "pid=1\nend=true\n")) {
                    Files.writeString(file, contents);
                    assertThat(watch.look()).isPresent();
                    assertThat(watch.hasEnded()).isFalse();
                }
                Files.writeString(file, "pid=2\nend=true\n");
                assertThat(watch.look()).as("another run").isEmpty();
                assertThat(watch.hasEnded()).isTrue();
            } finally {
                Files.delete(file);
                Files.delete(file.getParent());
            }
        });
    }

    @Test
    void aNodeThatGaveUpIsShownAsLost() throws Exception {
        try (MemoryNode memory = MemoryNode.start(config, 0)) {
            ComputeNode compute = ComputeNode.connect(config, 1);
            compute.abort("a test");
            compute.close();
            LocalClusters.Look look = look();
            assertThat(List.of(look.nodes().get(1).state(), look.nodes().get(0).state()))
                    .containsExactly(LocalClusters.State.LOST, LocalClusters.State.RUNNING);
            assertThat(look.lost()).hasValue(new LocalClusters.Lost(1, LossKind.FAILED));
            assertThat(notice(look)).containsEntry("failed", "a test");
        }
    }
}
