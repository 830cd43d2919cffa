// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.remus.await.Await;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Which nodes find each other, and how long it takes. */
interface ConformanceOfConnecting extends FabricUnderTest {
    @Test
    default void connectingToAMemoryNodeThatIsNotThereEndsInTimeAndNamesIt() {
        ComputeEndpoint compute = cluster().openCompute(1);
        timesOut(compute, 0);
    }

    @Test
    default void connectingToAMemoryNodeThatHasNotPublishedEndsInTimeAndNamesIt() {
        cluster().openMemory(0);
        timesOut(cluster().openCompute(1), 0);
    }

    @Test
    default void connectingToAnAbsentMemoryNodeBesideAPresentOneEndsInTimeAndNamesIt() {
        cluster().memory(0);
        timesOut(cluster().openCompute(1), 1);
    }

    @Test
    default void connectingToAMemoryNodeThatHasClosedEndsInTimeAndNamesIt() {
        cluster().memory().close();
        timesOut(cluster().openCompute(1), 0);
    }

    private static void timesOut(ComputeEndpoint compute, int memoryNode) {
        long start = System.nanoTime();
        NodeLostException e = catchThrowableOfType(
                NodeLostException.class, () -> compute.connect(memoryNode, 1, Duration.ofMillis(300)));
        Duration taken = Duration.ofNanos(System.nanoTime() - start);
        assertThat(e).isNotNull().hasMessageContaining("Memory Node " + memoryNode);
        assertThat(e.node()).isEqualTo(memoryNode);
        assertThat(taken).isGreaterThanOrEqualTo(Duration.ofMillis(250));
    }

    @Test
    default void connectWaitsForAMemoryNodeThatStartsLater() {
        ComputeEndpoint compute = cluster().openCompute(1);
        runThreads(2, thread -> {
            if (thread == 0) {
                Await.sleep(200);
                cluster().memory();
            } else {
                assertThat(compute.connect(0, 1, TestEndpoints.PATIENCE).memoryNode())
                        .isZero();
            }
        });
    }

    @Test
    default void connectWaitsUntilTheMemoryNodeIsPublishedAndReadsItsInitialValues() {
        MemoryEndpoint memory = cluster().openMemory(0);
        ComputeEndpoint compute = cluster().openCompute(1);
        runThreads(2, thread -> {
            if (thread == 0) {
                Await.sleep(200);
                memory.set(0, 64, 13);
                memory.publish();
            } else {
                Link link = compute.connect(0, 1, TestEndpoints.PATIENCE);
                assertThat(new TestClient(compute, link).caller(0).read(0, 64)).isEqualTo(13);
            }
        });
    }

    @Test
    default void aLinkNeedsAtLeastOneLane() {
        cluster().memory();
        ComputeEndpoint compute = cluster().openCompute(1);
        assertThatThrownBy(() -> compute.connect(0, 0, TestEndpoints.PATIENCE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    default void aLinkHasAsManyLanesAsRequestedAndAllOfThemWork() {
        cluster().memory();
        ComputeEndpoint compute = cluster().openCompute(1);
        Link link = compute.connect(0, 7, TestEndpoints.PATIENCE);
        assertThat(link.lanes()).isEqualTo(7);
        TestClient client = new TestClient(compute, link);
        for (int i = 0; i < 7; i++) {
            assertThat(client.caller(i).fetchAndAdd(0, 64, 1)).isEqualTo(i);
        }
    }

    @Test
    default void aSecondMemoryNodeWithTheSameIdIsRefusedAndHarmsNothing() {
        cluster().memory().set(0, 64, 3);
        assertThatThrownBy(() -> cluster().openMemory(0))
                .isInstanceOf(FabricException.class)
                .hasMessageContaining("Memory Node 0");
        assertThat(cluster().caller(1).read(0, 64)).isEqualTo(3);
    }

    @Test
    default void aSecondComputeNodeWithTheSameIdIsRefusedAndHarmsNothing() {
        MemoryEndpoint memory = cluster().memory();
        Caller caller = cluster().caller(1);
        assertThatThrownBy(() -> cluster().openCompute(1))
                .isInstanceOf(FabricException.class)
                .hasMessageContaining("Compute Node 1");
        assertThat(memory.peer(1)).isEqualTo(PeerState.JOINED);
        caller.write(0, 64, 4);
        assertThat(memory.get(0, 64)).isEqualTo(4);
    }

    @Test
    default void aNodeMayBeBothAndTalkToItself() {
        MemoryEndpoint memory = cluster().memory(1);
        ComputeEndpoint compute = cluster().openCompute(1);
        assertThat(compute.node()).isEqualTo(memory.node()).isEqualTo(1);
        TestClient client = new TestClient(compute, compute.connect(1, 1, TestEndpoints.PATIENCE));
        client.caller(0).write(0, 64, 8);
        assertThat(memory.get(0, 64)).isEqualTo(8);
        assertThat(memory.peer(1)).isEqualTo(PeerState.JOINED);
    }

    @Test
    default void clustersOfDifferentNamesDoNotSeeEachOther() {
        TestEndpoints other = cluster().withSegmentSize(16);
        MemoryEndpoint here = cluster().memory();
        ComputeEndpoint stranger = other.openCompute(1);
        timesOut(stranger, 0);
        MemoryEndpoint there = other.memory();
        TestClient fromThere = new TestClient(stranger, stranger.connect(0, 1, TestEndpoints.PATIENCE));
        Caller fromHere = cluster().caller(2);
        fromThere.caller(0).write(0, 64, 1);
        fromHere.write(0, 64, 2);
        assertThat(there.get(0, 64)).isEqualTo(1);
        assertThat(here.get(0, 64)).isEqualTo(2);
        assertThat(here.peer(1)).isEqualTo(PeerState.ABSENT);
        assertThat(there.peer(2)).isEqualTo(PeerState.ABSENT);
    }

    @Test
    default void anInterruptedThreadMayOpenAndPublishAMemoryNode() {
        Thread.currentThread().interrupt();
        boolean interrupted;
        try {
            cluster().memory();
        } finally {
            interrupted = Thread.interrupted();
        }
        assertThat(interrupted).isTrue();
        cluster().caller(1).write(0, 64, 1);
    }
}
