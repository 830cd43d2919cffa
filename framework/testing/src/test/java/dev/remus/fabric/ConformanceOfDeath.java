// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static dev.remus.fabric.ConformanceOfPeers.awaitPeer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.await.Await;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes that die, and nodes that only seem to have died. */
interface ConformanceOfDeath extends FabricUnderTest {
    @Test
    @Tag("processes")
    default void nodesInDifferentProcessesShareTheMemory() {
        try (OtherNode memory = otherNodes().startMemory(cluster().config(), 0)) {
            Caller caller = cluster().caller(1);
            caller.write(1, 64, 21);
            assertThat(memory.ask("get 1 64")).isEqualTo("21");
            memory.ask("set 0 128 -3");
            assertThat(caller.read(0, 128)).isEqualTo(-3);
            cluster().close();
            memory.finish();
        }
    }

    @Test
    @Tag("processes")
    default void atomicsOfTwoProcessesCountExactly() {
        MemoryEndpoint memory = cluster().memory();
        int times = repetitions(10_000);
        try (OtherNode other = otherNodes().startCompute(cluster().config(), 1)) {
            Caller caller = cluster().caller(2);
            runThreads(2, thread -> {
                if (thread == 0) {
                    other.ask("count 0 64 " + times);
                } else {
                    NodeMain.count(caller, 0, 64, times);
                }
            });
            other.finish();
        }
        assertThat(memory.get(0, 64)).isEqualTo(2L * times);
        assertThat(memory.get(0, 72)).isEqualTo(2L * times);
    }

    @Test
    @Tag("processes")
    default void aMemoryNodeThatIsKilledIsLostSoonAndStaysLost() {
        try (OtherNode memory = otherNodes().startMemory(cluster().config(), 0)) {
            TestClient client = cluster().client(1);
            assertThat(client.link().isLost()).isFalse();
            memory.kill();
            Await.until("the link is lost", () -> client.link().isLost());
            try (OtherNode next = otherNodes().startMemory(cluster().config(), 0)) {
                assertThat(client.link().isLost()).isTrue();
                next.finish();
            }
        }
    }

    @Test
    @Tag("processes")
    default void operationsOnAMemoryNodeThatIsKilledEnd() {
        try (OtherNode memory = otherNodes().startMemory(cluster().config(), 0)) {
            TestClient client = cluster().client(1);
            runThreads(3, thread -> {
                if (thread == 0) {
                    Await.sleep(100);
                    memory.kill();
                    return;
                }
                Caller caller = client.caller(thread);
                LocalBuffer local = client.endpoint().allocateLocal(8);
                long end = System.nanoTime() + 1_000_000_000L;
                while (System.nanoTime() - end < 0 && !caller.lane().isBroken()) {
                    caller.attempt(new Chain(1).fetchAndAdd(client.segment(0), 64, 1, local, 0));
                }
            });
        }
    }

    @Test
    @Tag("processes")
    default void aLaneToALostMemoryNodeBreaksAndCannotBeReconnected() {
        try (OtherNode memory = otherNodes().startMemory(cluster().config(), 0)) {
            TestClient client = cluster().client(1);
            LocalBuffer local = client.endpoint().allocateLocal(8);
            memory.kill();
            Await.until("the link is lost", () -> client.link().isLost());
            Lane lane = client.lane(0);
            lane.post(new Chain(1).read(client.segment(0), 64, local, 0, 8));
            Completion completion = Completion.await(lane, 1).get(0);
            assertThat(completion.id()).isZero();
            assertThat(completion.status()).isIn(CompletionStatus.PEER_LOST, CompletionStatus.FLUSHED);
            assertThat(lane.isBroken()).isTrue();
            assertThatThrownBy(lane::reconnect)
                    .isInstanceOf(NodeLostException.class)
                    .hasMessageContaining("Memory Node 0");
            assertThat(lane.isBroken()).isTrue();
        }
    }

    @Test
    @Tag("processes")
    default void aComputeNodeCanConnectToTheNextRunOfAMemoryNodeThatWasKilled() {
        try (OtherNode memory = otherNodes().startMemory(cluster().config(), 0)) {
            TestClient client = cluster().client(1);
            client.caller(0).write(0, 64, 1);
            memory.kill();
            Await.until("the link is lost", () -> client.link().isLost());
            MemoryEndpoint next = cluster().memory();
            Link link = client.endpoint().connect(0, 1, TestEndpoints.PATIENCE);
            Caller caller = new TestClient(client.endpoint(), link).caller(0);
            assertThat(caller.read(0, 64)).isZero();
            caller.write(0, 64, 2);
            assertThat(next.get(0, 64)).isEqualTo(2);
        }
    }

    @Test
    @Tag("processes")
    default void aMemoryNodeThatIsStoppedIsNotLost() {
        try (OtherNode memory = otherNodes().startMemory(cluster().config(), 0)) {
            TestClient client = cluster().client(1);
            memory.pause();
            for (int i = 0; i < 20; i++) {
                assertThat(client.link().isLost()).isFalse();
                Await.sleep(50);
            }
            memory.resume();
            client.caller(0).write(0, 64, 6);
            assertThat(memory.ask("get 0 64")).isEqualTo("6");
            assertThat(client.link().isLost()).isFalse();
        }
    }

    @Test
    @Tag("processes")
    default void aComputeNodeThatIsKilledIsLostSoon() {
        MemoryEndpoint memory = cluster().memory();
        try (OtherNode compute = otherNodes().startCompute(cluster().config(), 1)) {
            awaitPeer(memory, 1, PeerState.JOINED);
            compute.kill();
            Await.until("Compute Node 1 is lost", () -> memory.peer(1) == PeerState.LOST);
            Caller survivor = cluster().caller(2);
            survivor.write(0, 64, 1);
            awaitPeer(memory, 2, PeerState.JOINED);
            assertThat(memory.peer(1)).isEqualTo(PeerState.LOST);
        }
    }

    @Test
    @Tag("processes")
    default void aComputeNodeThatWasKilledCanComeBack() {
        MemoryEndpoint memory = cluster().memory();
        try (OtherNode compute = otherNodes().startCompute(cluster().config(), 1)) {
            compute.kill();
            Await.until("Compute Node 1 is lost", () -> memory.peer(1) == PeerState.LOST);
            cluster().caller(1).write(0, 64, 1);
            awaitPeer(memory, 1, PeerState.JOINED);
        }
    }

    @Test
    @Tag("processes")
    default void aComputeNodeThatIsStoppedIsStillJoined() {
        MemoryEndpoint memory = cluster().memory();
        try (OtherNode compute = otherNodes().startCompute(cluster().config(), 1)) {
            awaitPeer(memory, 1, PeerState.JOINED);
            compute.pause();
            for (int i = 0; i < 20; i++) {
                assertThat(memory.peer(1)).isEqualTo(PeerState.JOINED);
                Await.sleep(50);
            }
            compute.resume();
            compute.finish();
            awaitPeer(memory, 1, PeerState.FINISHED);
        }
    }

    @Test
    @Tag("processes")
    default void aComputeNodeThatRepeatedlyJoinsAndLeavesInGoodOrderIsNeverReportedLost() {
        MemoryEndpoint memory = cluster().memory();
        try (OtherNode other = otherNodes().startCompute(cluster().config(), 1)) {
            runThreads(2, thread -> {
                if (thread == 0) {
                    other.ask("come-and-go 2 " + repetitions(500));
                    other.finish();
                } else {
                    Await.until("the other process finishes", Duration.ofMinutes(4), () -> {
                        assertThat(memory.peer(2)).isNotEqualTo(PeerState.LOST);
                        PeerState state = memory.peer(1);
                        assertThat(state).isIn(PeerState.JOINED, PeerState.FINISHED);
                        return state == PeerState.FINISHED;
                    });
                }
            });
            awaitPeer(memory, 2, PeerState.FINISHED);
        }
    }

    @Test
    @Tag("processes")
    default void aNodeOfAnotherProcessKeepsItsIdForItself() {
        try (OtherNode memory = otherNodes().startMemory(cluster().config(), 0);
                OtherNode compute = otherNodes().startCompute(cluster().config(), 1)) {
            assertThatThrownBy(() -> cluster().openMemory(0)).isInstanceOf(FabricException.class);
            assertThatThrownBy(() -> cluster().openCompute(1)).isInstanceOf(FabricException.class);
            compute.finish();
            memory.finish();
        }
    }

    @Test
    @Tag("processes")
    default void manyThreadsMayCheckAtTheSameTimeWhetherNodesOfOtherProcessesAreAlive() {
        MemoryEndpoint here = cluster().memory(1);
        try (OtherNode memory = otherNodes().startMemory(cluster().config(), 0);
                OtherNode compute = otherNodes().startCompute(cluster().config(), 1)) {
            TestClient client = cluster().client(2);
            runThreads(4, thread -> {
                for (int i = 0; i < 500; i++) {
                    assertThat(client.link().isLost()).isFalse();
                    assertThat(here.peer(1)).isNotEqualTo(PeerState.LOST);
                }
            });
            compute.finish();
            client.endpoint().close();
            memory.finish();
        }
    }

    @Test
    @Tag("processes")
    default void anInterruptedThreadMayCheckWhetherNodesOfOtherProcessesAreAlive() {
        MemoryEndpoint here = cluster().memory(1);
        try (OtherNode memory = otherNodes().startMemory(cluster().config(), 0);
                OtherNode compute = otherNodes().startCompute(cluster().config(), 1)) {
            Link link = cluster().client(2).link();
            Thread.currentThread().interrupt();
            try {
                assertThat(link.isLost()).isFalse();
                assertThat(here.peer(1)).isNotEqualTo(PeerState.LOST);
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
            } finally {
                Thread.interrupted();
            }
            compute.finish();
            memory.finish();
        }
    }
}
