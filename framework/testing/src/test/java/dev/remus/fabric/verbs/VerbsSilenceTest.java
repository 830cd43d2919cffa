// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Completions;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.RemoteSegment;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** A lane whose other end does not answer any more, although neither end has closed the connection. */
@Tag("verbs")
@Timeout(180)
@EnabledIf(value = "dev.remus.fabric.verbs.RdmaMachine#isThere", disabledReason = RdmaMachine.MISSING)
class VerbsSilenceTest {
    private static final Duration NOTICE = Duration.ofSeconds(100);

    private VerbsCluster cluster;
    private SilentPeer peer;
    private Reservation own;
    private VerbsLane lane;
    private LocalBuffer local;
    private RemoteSegment segment;

    @BeforeEach
    void connectALaneToASilentPeer() throws Exception {
        cluster = new VerbsCluster(0);
        Place place = Place.ofComputeNode(cluster.config, 4);
        peer = new SilentPeer(cluster.config, place);
        own = Reservation.of(Place.ofComputeNode(cluster.config, 3), DeviceChoice.of(cluster.config));
        VerbsLink link = (VerbsLink) cluster.compute.connect(0, 1, VerbsCluster.PATIENCE);
        DeviceLimits limits = own.domain().limits();
        lane = new VerbsLane(link, 7, 0, peer.connect(own, place, limits.depth()), limits);
        local = cluster.compute.allocateLocal(64);
        segment = link.segment(0);
        lane.post(new Chain(2)
                .read(segment, 64, local, 0, 8)
                .signalled(1)
                .read(segment, 64, local, 8, 8)
                .signalled(2));
    }

    @AfterEach
    void close() throws Exception {
        lane.close();
        own.close();
        peer.close();
        cluster.close();
    }

    private void assertGivenUp() {
        Completions one = new Completions(1);
        assertThat(lane.poll(one)).isOne();
        assertThat(one.id(0)).isEqualTo(2);
        assertThat(one.status(0)).isEqualTo(CompletionStatus.FLUSHED);
        assertThat(lane.isBroken()).isTrue();
    }

    @Test
    void theDeviceGivesUpAndTheOperationEndsAsNotAnswered() throws Exception {
        Completions one = new Completions(1);
        long deadline = System.nanoTime() + NOTICE.toNanos();
        while (lane.poll(one) == 0) {
            assertThat(System.nanoTime() - deadline).as("time over").isNegative();
            Thread.sleep(20); // this takes the device about 17 s
        }
        assertThat(one.id(0)).isEqualTo(1);
        assertThat(one.status(0)).isEqualTo(CompletionStatus.RETRY_EXCEEDED);
        assertGivenUp();
    }

    @Test
    void aDeviceThatNeverGivesUpIsNotWaitedForForEver() {
        long now = System.nanoTime();
        lane.watch(now + VerbsLane.STUCK_NANOS / 2);
        assertThat(lane.isBroken()).isFalse();
        lane.watch(now + VerbsLane.STUCK_NANOS + 1);
        assertThat(lane.isBroken()).isTrue();
        assertThat(VerbsCluster.await(lane)).isEqualTo(CompletionStatus.RETRY_EXCEEDED);
        assertGivenUp();
    }

    @Test
    void aLaneOnWhichNothingIsOutstandingIsNotStuck() {
        VerbsLane idle =
                (VerbsLane) cluster.compute.connect(0, 1, VerbsCluster.PATIENCE).lane(0);
        long now = System.nanoTime();
        idle.watch(now);
        idle.watch(now + VerbsLane.STUCK_NANOS * 2);
        assertThat(idle.isBroken()).isFalse();
        assertThat(VerbsCluster.execute(
                        idle, new Chain(1).read(segment, 64, local, 0, 8).signalled(1)))
                .isEqualTo(CompletionStatus.SUCCESS);
    }
}
