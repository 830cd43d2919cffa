// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.await.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compute Nodes that are lost, or declared lost, are cut off. */
interface ConformanceOfFence extends FabricUnderTest {
    /** Whether a Compute Node that is alive can be cut off. Otherwise only the end of its process does. */
    default boolean cutsOffTheLiving() {
        return true;
    }

    @Test
    default void aComputeNodeHasAnotherIncarnationEachTimeItStarts() {
        MemoryEndpoint memory = cluster().memory();
        assertThat(memory.incarnation(1)).isZero();
        long first = joinAndLeave(memory);
        long second = joinAndLeave(memory);
        assertThat(first).isNotZero().isNotEqualTo(second);
    }

    private long joinAndLeave(MemoryEndpoint memory) {
        TestClient client = cluster().client(1);
        Await.until("it has joined", () -> memory.peer(1) == PeerState.JOINED && memory.incarnation(1) != 0);
        long incarnation = memory.incarnation(1);
        client.endpoint().close();
        Await.until("it has left", () -> memory.peer(1) == PeerState.FINISHED);
        assertThat(memory.incarnation(1)).isEqualTo(incarnation);
        return incarnation;
    }

    @Test
    default void nothingOfAComputeNodeThatIsCutOffArrivesAndItLearnsTheReason() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        Caller caller = client.caller(0);
        caller.write(0, 64, 1);
        Await.until("it has joined", () -> memory.peer(1) == PeerState.JOINED && memory.incarnation(1) != 0);
        long incarnation = memory.incarnation(1);
        if (!cutsOffTheLiving()) {
            assertThat(memory.fence(1, incarnation)).isFalse();
            caller.write(0, 64, 2);
            assertThat(memory.get(0, 64)).isEqualTo(2);
            return;
        }
        assertThat(client.link().isCutOff()).isFalse();
        Await.until("it is cut off", () -> memory.fence(1, incarnation));
        LocalBuffer local = client.endpoint().allocateLocal(8);
        local.putLong(0, 2);
        Lane lane = client.lane(0);
        lane.post(new Chain(1).write(client.segment(0), 64, local, 0, 8).signalled(1));
        assertThat(Completion.await(lane, 1).get(0).status()).isNotEqualTo(CompletionStatus.SUCCESS);
        assertThat(lane.isBroken()).isTrue();
        assertThatThrownBy(lane::reconnect).isInstanceOf(NodeLostException.class);
        assertThat(client.link().isCutOff()).isTrue();
        assertThat(client.link().isLost()).isTrue();
        assertThat(memory.get(0, 64)).isEqualTo(1);
    }

    @Test
    default void otherIncarnationsAndOtherNodesAreNotCutOff() {
        MemoryEndpoint memory = cluster().memory();
        Caller caller = cluster().client(1).caller(0);
        Caller other = cluster().client(2).caller(0);
        Await.until("both have joined", () -> memory.incarnation(1) != 0 && memory.incarnation(2) != 0);
        long unknown = memory.incarnation(1) + memory.incarnation(2);
        Await.until("it is cut off", () -> memory.fence(1, unknown));
        caller.write(0, 64, 1);
        other.write(0, 72, 2);
        assertThat(memory.get(0, 64)).isEqualTo(1);
        assertThat(memory.get(0, 72)).isEqualTo(2);
    }

    @Test
    @Tag("processes")
    default void aComputeNodeThatWasKilledIsCutOffAndItsNextIncarnationIsNot() {
        MemoryEndpoint memory = cluster().memory();
        long incarnation;
        try (OtherNode compute = otherNodes().startCompute(cluster().config(), 1)) {
            Await.until("it has joined", () -> memory.peer(1) == PeerState.JOINED && memory.incarnation(1) != 0);
            incarnation = memory.incarnation(1);
            compute.kill();
            Await.until("it is lost", () -> memory.peer(1) == PeerState.LOST);
            Await.until("it is cut off", () -> memory.fence(1, incarnation));
        }
        Caller next = cluster().caller(1);
        assertThat(memory.fence(1, incarnation)).isTrue();
        next.write(0, 64, 3);
        assertThat(memory.get(0, 64)).isEqualTo(3);
    }
}
