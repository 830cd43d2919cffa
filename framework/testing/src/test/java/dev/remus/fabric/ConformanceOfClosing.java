// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.await.Await;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Closing in every order. After each of these tests, the same cluster starts again on zeroed memory. */
interface ConformanceOfClosing extends FabricUnderTest {
    @Test
    default void aComputeNodeMayCloseBeforeItsMemoryNode() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        client.caller(0).write(0, 64, 1);
        client.endpoint().close();
        assertThat(memory.get(0, 64)).isEqualTo(1);
        memory.close();
    }

    @Test
    default void aMemoryNodeMayCloseBeforeItsComputeNode() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        Caller caller = client.caller(0);
        caller.write(0, 64, 1);
        memory.close();
        endsSomehow(caller);
        client.endpoint().close();
    }

    @Test
    default void aLinkMayCloseBeforeItsEndpointAndBeMadeAgain() {
        cluster().memory();
        TestClient client = cluster().client(1);
        client.caller(0).write(0, 64, 1);
        client.link().close();
        Link again = client.endpoint().connect(0, 2, TestEndpoints.PATIENCE);
        assertThat(new TestClient(client.endpoint(), again).caller(1).read(0, 64))
                .isEqualTo(1);
    }

    @Test
    default void aLinkMayCloseAfterItsEndpointAndAfterTheMemoryNode() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        client.endpoint().close();
        client.link().close();
        memory.close();
        client.link().close();
    }

    @Test
    default void everythingMayBeClosedTwice() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        for (int i = 0; i < 2; i++) {
            client.link().close();
        }
        for (int i = 0; i < 2; i++) {
            client.endpoint().close();
        }
        for (int i = 0; i < 2; i++) {
            memory.close();
        }
    }

    @Test
    default void aLateSecondCloseDoesNotHarmTheNextRun() {
        MemoryEndpoint memory = cluster().memory();
        ComputeEndpoint compute = cluster().openCompute(1);
        compute.close();
        memory.close();
        MemoryEndpoint next = cluster().memory();
        Caller caller = cluster().caller(1);
        compute.close();
        memory.close();
        caller.write(0, 64, 5);
        assertThat(cluster().caller(2).read(0, 64)).isEqualTo(5);
        assertThat(next.peer(1)).isEqualTo(PeerState.JOINED);
    }

    @Test
    default void anEndpointThatNeverConnectedAndAMemoryNodeThatNeverPublishedCanClose() {
        cluster().openCompute(1).close();
        cluster().openMemory(0).close();
    }

    @Test
    default void aClosedLinkRefusesWork() {
        cluster().memory();
        TestClient client = cluster().client(1);
        client.link().close();
        refusesWork(client);
    }

    @Test
    default void aClosedComputeNodeRefusesWork() {
        cluster().memory();
        TestClient client = cluster().client(1);
        client.endpoint().close();
        refusesWork(client);
        assertThatThrownBy(() -> client.endpoint().connect(0, 1, TestEndpoints.PATIENCE))
                .isInstanceOf(IllegalStateException.class);
    }

    private static void refusesWork(TestClient client) {
        LocalBuffer local = LocalBuffer.unregistered(8);
        Lane lane = client.lane(0);
        assertThatThrownBy(() -> lane.post(new Chain(1).read(client.segment(0), 0, local, 0, 8)))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> lane.poll(new Completions(1))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(lane::reconnect).isInstanceOf(IllegalStateException.class);
    }

    @Test
    default void aClosedMemoryNodeRefusesItsOwnProcessor() {
        MemoryEndpoint memory = cluster().memory();
        memory.close();
        assertThatThrownBy(() -> memory.get(0, 64)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> memory.set(0, 64, 1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(memory::publish).isInstanceOf(IllegalStateException.class);
    }

    @Test
    default void localMemoryOutlivesItsEndpoint() {
        ComputeEndpoint compute = cluster().openCompute(1);
        LocalBuffer local = compute.allocateLocal(4096);
        compute.close();
        local.putLong(4088, 9);
        assertThat(local.getLong(4088)).isEqualTo(9);
    }

    @Test
    default void closingALinkWithOutstandingRequestsIsAllowed() {
        cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Lane lane = client.lane(0);
        Chain chain =
                new Chain(1).fetchAndAdd(client.segment(0), 64, 1, local, 0).signalled(1);
        for (int i = 0; i < lane.depth(); i++) {
            lane.post(chain);
        }
        client.link().close();
    }

    @Test
    default void closingTheComputeNodeThrowsInThreadsThatUseIt() {
        cluster().memory();
        TestClient client = cluster().client(1);
        runThreads(3, thread -> {
            if (thread == 0) {
                Await.sleep(100);
                client.endpoint().close();
            } else {
                Caller caller = client.caller(thread);
                assertThatThrownBy(() -> useForAMinute(caller)).isInstanceOf(IllegalStateException.class);
            }
        });
    }

    @Test
    default void closingTheLinkThrowsInThreadsThatShareALane() {
        cluster().memory();
        TestClient client = cluster().client(1);
        runThreads(3, thread -> {
            if (thread == 0) {
                Await.sleep(100);
                client.link().close();
            } else {
                Caller caller = client.caller(0);
                assertThatThrownBy(() -> useForAMinute(caller)).isInstanceOf(IllegalStateException.class);
            }
        });
    }

    private static void useForAMinute(Caller caller) {
        long end = System.nanoTime() + 60_000_000_000L;
        while (System.nanoTime() - end < 0) {
            caller.fetchAndAdd(0, 64, 1);
        }
    }

    @Test
    default void closingTheComputeNodeEndsItsWaitForAMemoryNode() {
        ComputeEndpoint compute = cluster().openCompute(1);
        runThreads(2, thread -> {
            if (thread == 0) {
                Await.sleep(100);
                compute.close();
            } else {
                assertThatThrownBy(() -> compute.connect(0, 1, Duration.ofMinutes(5)))
                        .isInstanceOf(IllegalStateException.class);
            }
        });
    }

    @Test
    default void closingTheMemoryNodeThrowsInAThreadThatReadsItsMemory() {
        MemoryEndpoint memory = cluster().memory();
        runThreads(2, thread -> {
            if (thread == 0) {
                Await.sleep(100);
                memory.close();
            } else {
                assertThatThrownBy(() -> {
                            long end = System.nanoTime() + 60_000_000_000L;
                            while (System.nanoTime() - end < 0) {
                                memory.get(0, 64);
                            }
                        })
                        .isInstanceOf(IllegalStateException.class);
            }
        });
    }

    @Test
    default void closingTheMemoryNodeEndsTheOperationsOfItsComputeNodes() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        runThreads(2, thread -> {
            if (thread == 0) {
                Await.sleep(50);
                memory.close();
            } else {
                Caller caller = client.caller(thread);
                for (int i = 0; i < 2_000; i++) {
                    endsSomehow(caller);
                }
            }
        });
    }

    /** An operation may succeed or fail, in either way, but must end. */
    private static void endsSomehow(Caller caller) {
        try {
            assertThat(caller.attemptFetchAndAdd(0, 64, 1)).isNotNull();
        } catch (FabricException | IllegalStateException e) {
            assertThat(e).hasMessageNotContaining("null");
        }
    }

    @Test
    default void closingOnAnInterruptedThreadLeavesNothingBehindAndTheThreadInterrupted() {
        MemoryEndpoint memory = cluster().memory();
        ComputeEndpoint compute = cluster().openCompute(1);
        Thread.currentThread().interrupt();
        boolean interrupted;
        try {
            compute.close();
            memory.close();
        } finally {
            interrupted = Thread.interrupted();
        }
        assertThat(interrupted).isTrue();
        cluster().memory();
        cluster().client(1);
    }

    @Test
    default void aClusterCanRunManyTimesUnderOneName() {
        for (int run = 0; run < 20; run++) {
            MemoryEndpoint memory = cluster().memory();
            TestClient client = cluster().client(1 + run % 2);
            assertThat(client.caller(0).fetchAndAdd(0, 64, 7)).isZero();
            client.endpoint().close();
            memory.close();
        }
    }
}
