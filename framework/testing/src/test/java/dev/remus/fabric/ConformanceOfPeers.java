// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.await.Await;
import org.junit.jupiter.api.Test;

/** The states of Compute Nodes that connect and close in good order, from a Memory Node's view. */
interface ConformanceOfPeers extends FabricUnderTest {
    @Test
    default void aComputeNodeIsAbsentBeforeItConnects() {
        MemoryEndpoint memory = cluster().memory();
        assertThat(memory.peer(1)).isEqualTo(PeerState.ABSENT);
        cluster().client(2);
        assertThat(memory.peer(1)).isEqualTo(PeerState.ABSENT);
        assertThat(memory.peer(1023)).isEqualTo(PeerState.ABSENT);
    }

    @Test
    default void aComputeNodeIsJoinedOnceItIsConnected() {
        MemoryEndpoint memory = cluster().memory();
        cluster().client(1);
        awaitPeer(memory, 1, PeerState.JOINED);
        cluster().client(2);
        awaitPeer(memory, 2, PeerState.JOINED);
        assertThat(memory.peer(1)).isEqualTo(PeerState.JOINED);
    }

    @Test
    default void aComputeNodeIsFinishedOnceItHasClosed() {
        MemoryEndpoint memory = cluster().memory();
        TestClient staying = cluster().client(1);
        TestClient leaving = cluster().client(2);
        awaitPeer(memory, 2, PeerState.JOINED);
        leaving.endpoint().close();
        awaitPeer(memory, 2, PeerState.FINISHED);
        assertThat(memory.peer(1)).isEqualTo(PeerState.JOINED);
        staying.endpoint().close();
        awaitPeer(memory, 1, PeerState.FINISHED);
        assertThat(memory.peer(2)).isEqualTo(PeerState.FINISHED);
    }

    @Test
    default void aComputeNodeIsLostOnceItHasAbandonedTheCluster() {
        MemoryEndpoint memory = cluster().memory();
        cluster().client(1);
        TestClient leaving = cluster().client(2);
        awaitPeer(memory, 2, PeerState.JOINED);
        leaving.endpoint().abandon();
        awaitPeer(memory, 2, PeerState.LOST);
        leaving.endpoint().close();
        assertThat(memory.peer(2)).isEqualTo(PeerState.LOST);
        assertThat(memory.peer(1)).isEqualTo(PeerState.JOINED);
    }

    /** A short run must not look as if it had never been. */
    @Test
    default void aComputeNodeIsFinishedEvenIfItWasNeverSeenJoined() {
        MemoryEndpoint memory = cluster().memory();
        cluster().client(1).endpoint().close();
        awaitPeer(memory, 1, PeerState.FINISHED);
    }

    @Test
    default void aComputeNodeThatConnectsAgainIsJoinedAgain() {
        MemoryEndpoint memory = cluster().memory();
        cluster().client(1).endpoint().close();
        awaitPeer(memory, 1, PeerState.FINISHED);
        cluster().client(1);
        awaitPeer(memory, 1, PeerState.JOINED);
    }

    @Test
    default void aNodeThatFinishedInAnEarlierRunIsAbsentInTheNext() {
        MemoryEndpoint memory = cluster().memory();
        cluster().client(1).endpoint().close();
        awaitPeer(memory, 1, PeerState.FINISHED);
        memory.close();
        assertThat(cluster().memory().peer(1)).isEqualTo(PeerState.ABSENT);
    }

    @Test
    default void everyMemoryNodeReportsItsComputeNodes() {
        MemoryEndpoint first = cluster().memory(0);
        MemoryEndpoint second = cluster().memory(1);
        ComputeEndpoint compute = cluster().openCompute(1);
        compute.connect(0, 1, TestEndpoints.PATIENCE);
        compute.connect(1, 1, TestEndpoints.PATIENCE);
        awaitPeer(first, 1, PeerState.JOINED);
        awaitPeer(second, 1, PeerState.JOINED);
        compute.close();
        awaitPeer(first, 1, PeerState.FINISHED);
        awaitPeer(second, 1, PeerState.FINISHED);
    }

    @Test
    default void aLinkToALiveMemoryNodeIsNotLost() {
        cluster().memory();
        Link link = cluster().client(1).link();
        for (int i = 0; i < 100; i++) {
            assertThat(link.isLost()).isFalse();
        }
    }

    @Test
    default void manyThreadsMayCheckAtTheSameTimeWhichNodesAreAlive() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        awaitPeer(memory, 1, PeerState.JOINED);
        runThreads(4, thread -> {
            for (int i = 0; i < 500; i++) {
                assertThat(client.link().isLost()).isFalse();
                assertThat(memory.peer(1)).isEqualTo(PeerState.JOINED);
            }
        });
    }

    static void awaitPeer(MemoryEndpoint memory, int node, PeerState state) {
        Await.until("Compute Node " + node + " is " + state, () -> memory.peer(node) == state);
    }
}
