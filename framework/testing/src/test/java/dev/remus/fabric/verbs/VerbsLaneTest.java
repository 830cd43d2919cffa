// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Completions;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Lane;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.RemoteSegment;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** Properties of lanes that only this fabric has, and that the conformance suite therefore does not test. */
@Tag("verbs")
@Timeout(180)
@EnabledIf(value = "dev.remus.fabric.verbs.RdmaMachine#isThere", disabledReason = RdmaMachine.MISSING)
class VerbsLaneTest {
    private VerbsCluster cluster;
    private Link link;
    private Lane lane;
    private RemoteSegment segment;
    private LocalBuffer local;

    @BeforeEach
    void connect() {
        cluster = new VerbsCluster(0);
        link = cluster.compute.connect(0, 2, VerbsCluster.PATIENCE);
        lane = link.lane(0);
        segment = link.segment(0);
        local = cluster.compute.allocateLocal(1 << 16);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void postingAndPollingAllocateNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Chain chain = new Chain(5);
        Completions batch = new Completions(5);
        long before = 0;
        for (int i = 0; i < 3_000; i++) {
            if (i == 1_000) {
                before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            }
            chain.clear().write(segment, 64, local, 0, 8).compareAndSwap(segment, 128, i, i + 1, local, 8);
            chain.fetchAndAdd(segment, 136, 1, local, 16).fenced();
            chain.read(segment, 64, local, 24, 8).signalled(i);
            lane.post(chain);
            while (lane.poll(batch) == 0) {
                Thread.onSpinWait();
            }
        }
        long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        assertThat(allocated / 2_000).isZero(); // the measurement itself allocates a little
        assertThat(cluster.memory.get(0, 128)).isEqualTo(3_000);
        assertThat(cluster.memory.get(0, 136)).isEqualTo(3_000);
    }

    @Test
    void chainsThatArePostedToStartTogetherRingOneDoorbell() {
        VerbsLane verbs = (VerbsLane) lane;
        Chain chain = new Chain(1);
        long before = verbs.doorbells();
        for (int i = 1; i <= 16; i++) {
            assertThat(lane.tryPostMore(
                            chain.clear().read(segment, 64, local, 8L * i, 8).signalled(i)))
                    .isTrue();
        }
        assertThat(verbs.doorbells()).isEqualTo(before);
        lane.start();
        for (int i = 1; i <= 16; i++) {
            assertThat(VerbsCluster.await(lane)).isEqualTo(CompletionStatus.SUCCESS);
        }
        assertThat(verbs.doorbells()).isEqualTo(before + 1);
    }

    @Test
    void requestsThatNoThreadStartsAreStartedAllTheSame() {
        lane.tryPostMore(new Chain(1).fetchAndAdd(segment, 64, 1, local, 0));
        VerbsCluster.until("the atomic is seen", () -> cluster.memory.get(0, 64) == 1);
    }

    @Test
    void requestsThatWereNotStartedAreFlushedWhenTheLaneBreaks() {
        Chain chain = new Chain(1).read(segment, -8, local, 0, 8).signalled(1);
        lane.tryPostMore(chain);
        lane.tryPostMore(chain.clear().fetchAndAdd(segment, 64, 1, local, 0).signalled(2));
        assertThat(VerbsCluster.await(lane)).isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR);
        lane.tryPostMore(chain.clear().fetchAndAdd(segment, 64, 1, local, 0).signalled(3));
        assertThat(VerbsCluster.await(lane)).isEqualTo(CompletionStatus.FLUSHED);
        assertThat(VerbsCluster.await(lane)).isEqualTo(CompletionStatus.FLUSHED);
        lane.reconnect();
        assertThat(VerbsCluster.execute(
                        lane, chain.clear().read(segment, 64, local, 8, 8).signalled(4)))
                .isEqualTo(CompletionStatus.SUCCESS);
        assertThat(local.getLong(8)).isZero();
    }

    @Test
    void aThreadThatHoldsTheLockPostsAndPollsAndAnotherWaits() throws Exception {
        Chain chain = new Chain(1).fetchAndAdd(segment, 64, 1, local, 0).signalled(1);
        var lock = lane.lock().orElseThrow();
        lock.lock();
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> lane.post(chain));
        try {
            VerbsCluster.until("the other thread waits for the lock", lock::hasQueuedThreads);
            assertThat(VerbsCluster.execute(
                            lane, new Chain(1).read(segment, 64, local, 8, 8).signalled(2)))
                    .isEqualTo(CompletionStatus.SUCCESS);
            assertThat(local.getLong(8)).isZero();
        } finally {
            lock.unlock();
        }
        other.get(60, TimeUnit.SECONDS);
        assertThat(VerbsCluster.await(lane)).isEqualTo(CompletionStatus.SUCCESS);
    }

    @Test
    void aFenceBehindAnEarlierChainHoldsItsRequestBackToo() {
        Chain chain = new Chain(2);
        for (long i = 1; i <= 300; i++) {
            local.putLong(0, i);
            lane.post(chain.clear().read(segment, 64, local, 8, 8));
            chain.clear().write(segment, 64, local, 0, 8).fenced();
            chain.read(segment, 64, local, 16, 8).signalled(i);
            assertThat(VerbsCluster.execute(lane, chain)).isEqualTo(CompletionStatus.SUCCESS);
            assertThat(local.getLong(8)).isEqualTo(i - 1);
            assertThat(local.getLong(16)).isEqualTo(i);
        }
    }

    @Test
    void theDeviceItselfHoldsAFencedWriteBack() {
        ((VerbsLane) lane).useDeviceFences();
        Chain chain = new Chain(4);
        for (long i = 1; i <= 300; i++) {
            local.putLong(0, 10 * i);
            chain.clear().read(segment, 64, local, 8, 8).fetchAndAdd(segment, 64, 1, local, 16);
            chain.write(segment, 64, local, 0, 8).fenced();
            chain.read(segment, 64, local, 24, 8).signalled(i);
            assertThat(VerbsCluster.execute(lane, chain)).isEqualTo(CompletionStatus.SUCCESS);
            assertThat(local.getLong(16)).isEqualTo(10 * (i - 1));
            assertThat(local.getLong(8)).isBetween(10 * (i - 1), 10 * (i - 1) + 1);
            assertThat(local.getLong(24)).isEqualTo(10 * i);
        }
    }

    @Test
    void aFencedRequestIsExecutedEvenIfNoThreadPolls() {
        local.putLong(0, 5);
        lane.post(new Chain(2)
                .read(segment, 64, local, 8, 8)
                .write(segment, 64, local, 0, 8)
                .fenced());
        VerbsCluster.until("the fenced WRITE is seen", () -> cluster.memory.get(0, 64) == 5);
    }

    @Test
    void severalFencesInAChainAreKeptAndItsRequestsStayInOrder() {
        Chain chain = new Chain(lane.depth());
        for (int round = 0; round < 20; round++) {
            chain.clear();
            for (int i = 0; i < 32; i++) {
                chain.fetchAndAdd(segment, 64, 1, local, 8L * i);
                if (i % 5 == 0) {
                    chain.fenced();
                }
            }
            assertThat(VerbsCluster.execute(lane, chain.signalled(1))).isEqualTo(CompletionStatus.SUCCESS);
            for (int i = 0; i < 32; i++) {
                assertThat(local.getLong(8L * i)).isEqualTo(32L * round + i);
            }
        }
    }

    @Test
    void aFencedRequestIsFlushedWhenAnEarlierOneFails() {
        Chain chain = new Chain(3).read(segment, -8, local, 0, 8).signalled(1);
        chain.fetchAndAdd(segment, 64, 1, local, 8).fenced().signalled(2);
        lane.post(chain);
        assertThat(VerbsCluster.await(lane)).isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR);
        assertThat(VerbsCluster.await(lane)).isEqualTo(CompletionStatus.FLUSHED);
        lane.reconnect();
        assertThat(VerbsCluster.execute(
                        lane, chain.clear().read(segment, 64, local, 8, 8).signalled(3)))
                .isEqualTo(CompletionStatus.SUCCESS);
        assertThat(local.getLong(8)).isZero();
    }

    @Test
    void localMemoryThatIsNotRegisteredIsRefusedAndNothingIsPosted() {
        Chain chain = new Chain(2)
                .fetchAndAdd(segment, 64, 1, local, 0)
                .read(segment, 64, LocalBuffer.unregistered(8), 0, 8)
                .signalled(1);
        assertThatThrownBy(() -> lane.post(chain))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lane 0 to Memory Node 0")
                .hasMessageContaining("not registered");
        assertThat(VerbsCluster.execute(
                        lane, chain.clear().read(segment, 64, local, 8, 8).signalled(2)))
                .isEqualTo(CompletionStatus.SUCCESS);
        assertThat(local.getLong(8)).isZero();
    }

    /** The garbage collector may run at any time; what the device still uses must stay registered. */
    @Test
    void unreachableLocalMemoryStaysRegisteredWhileItIsInUse() {
        Chain chain = new Chain(1);
        for (int i = 0; i < 10; i++) {
            for (int k = 0; k < 50; k++) {
                lane.post(chain.clear().fetchAndAdd(segment, 64, 1, cluster.compute.allocateLocal(8), 0));
            }
            chain.clear();
            System.gc();
            assertThat(VerbsCluster.execute(
                            lane, chain.read(segment, 64, local, 0, 8).signalled(i)))
                    .isEqualTo(CompletionStatus.SUCCESS);
            assertThat(local.getLong(0)).isEqualTo(50L * (i + 1));
        }
    }

    @Test
    void aLaneCanBeReconnectedManyTimes() {
        Chain chain = new Chain(1);
        for (int i = 0; i < 50; i++) {
            chain.clear().read(segment, -8, local, 0, 8).signalled(1);
            assertThat(VerbsCluster.execute(lane, chain)).isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR);
            lane.reconnect();
            chain.clear().fetchAndAdd(segment, 64, 1, local, 0).signalled(2);
            assertThat(VerbsCluster.execute(lane, chain)).isEqualTo(CompletionStatus.SUCCESS);
        }
        assertThat(cluster.memory.get(0, 64)).isEqualTo(50);
    }

    @Test
    void aPeerThatSendsAnInvalidGreetingIsRefusedAndHarmsNoOther() throws Exception {
        Reservation own = Reservation.of(Place.ofComputeNode(cluster.config, 3), DeviceChoice.of(cluster.config));
        Place place = Place.ofMemoryNode(cluster.config, 0);
        InetAddress address = InetAddress.getByName(place.host());
        try {
            Connection intruder = Connection.open(
                    own.domain(),
                    PathOptions.of(cluster.config),
                    own.address(),
                    address,
                    place.port(),
                    0,
                    new TenSeconds());
            intruder.page().putLong(0, 0x1234);
            assertThatThrownBy(() -> intruder.exchange(64, new TenSeconds())).isInstanceOf(IOException.class);
            intruder.close();
        } finally {
            own.close();
        }
        assertThat(VerbsCluster.execute(
                        lane, new Chain(1).read(segment, 64, local, 0, 8).signalled(1)))
                .isEqualTo(CompletionStatus.SUCCESS);
        assertThat(link.isLost()).isFalse();
    }

    private static final class TenSeconds implements Connection.TimeLimit {
        private final long end = System.nanoTime() + 10_000_000_000L;

        @Override
        public int millisLeft() {
            return (int) Math.max(1, (end - System.nanoTime()) / 1_000_000);
        }

        @Override
        public void check() throws IOException {
            if (System.nanoTime() - end > 0) {
                throw new IOException("no answer");
            }
        }
    }

    @Test
    void aSegmentThatCannotBeRegisteredInOnePieceIsRefusedBeforeAnythingIsReserved() {
        var large = cluster.config.toBuilder()
                .segmentSizeLog2(33)
                .memoryPort(cluster.config.memoryPort() + 7)
                .build();
        assertThatThrownBy(() -> cluster.fabric.openMemory(large, 0))
                .isInstanceOf(FabricException.class)
                .hasMessageContaining("segmentSizeLog2 (--seg-size) 33")
                .hasMessageContaining("segmentsPerNode (--segs-per-mn)");
    }

    @Test
    void aHostThatIsNotThisMachineIsRefusedAndNamed() {
        var elsewhere = cluster.config.toBuilder()
                .hosts(java.util.Collections.nCopies(5, "192.0.2.1"))
                .build();
        assertThatThrownBy(() -> cluster.fabric.openMemory(elsewhere, 0))
                .isInstanceOf(FabricException.class)
                .hasMessageContaining("192.0.2.1")
                .hasMessageContaining("Memory Node 0")
                .hasMessageContaining("hosts (--hosts)");
    }
}
