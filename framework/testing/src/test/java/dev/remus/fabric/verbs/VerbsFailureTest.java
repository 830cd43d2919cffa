// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Completions;
import dev.remus.fabric.Lane;
import dev.remus.fabric.LaneFullException;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.NodeProcesses;
import dev.remus.fabric.OtherNode;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** A Memory Node that is killed while operations are in flight. */
@Tag("verbs")
@Tag("processes")
@Tag("programs")
@Timeout(180)
@EnabledIf(value = "dev.remus.fabric.verbs.RdmaMachine#isThere", disabledReason = RdmaMachine.MISSING)
class VerbsFailureTest {
    private static final Duration NOTICE = Duration.ofSeconds(60);

    @Test
    void outstandingOperationsOfAKilledMemoryNodeEndAndOtherLanesGoOn() {
        try (VerbsCluster cluster = new VerbsCluster(1);
                OtherNode doomed = new NodeProcesses(VerbsFabric.class).startMemory(cluster.config, 0)) {
            LocalBuffer local = cluster.compute.allocateLocal(64);
            Link sound = cluster.compute.connect(1, 1, VerbsCluster.PATIENCE);
            Link broken = cluster.compute.connect(0, 2, VerbsCluster.PATIENCE);
            Lane lane = broken.lane(0);
            Lane idle = broken.lane(1);
            Chain chain = new Chain(1);

            fill(lane, chain, broken, local);
            doomed.kill();
            long killed = System.nanoTime();
            Set<CompletionStatus> seen = EnumSet.noneOf(CompletionStatus.class);
            Completions batch = new Completions(16);
            while (!lane.isBroken()) {
                try {
                    fill(lane, chain, broken, local);
                } catch (LaneFullException e) {
                    // polled below
                }
                lane.poll(batch);
                for (int i = 0; i < batch.size(); i++) {
                    seen.add(batch.status(i));
                }
                assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(NOTICE);
            }
            while (lane.poll(batch) > 0) {
                for (int i = 0; i < batch.size(); i++) {
                    seen.add(batch.status(i));
                }
            }
            // All may have completed before the end was noticed; then this is the first that fails.
            chain.clear().read(broken.segment(0), 64, local, 0, 8).signalled(1);
            seen.add(VerbsCluster.execute(lane, chain));
            assertThat(seen)
                    .contains(CompletionStatus.PEER_LOST)
                    .isSubsetOf(CompletionStatus.SUCCESS, CompletionStatus.PEER_LOST, CompletionStatus.FLUSHED);
            assertThat(broken.isLost()).isTrue();
            assertThatThrownBy(lane::reconnect)
                    .isInstanceOf(NodeLostException.class)
                    .hasMessageContaining("lane 0")
                    .hasMessageContaining("Memory Node 0");

            chain.clear().read(broken.segment(0), 64, local, 0, 8).signalled(1);
            assertThat(VerbsCluster.execute(idle, chain)).isEqualTo(CompletionStatus.PEER_LOST);
            chain.clear().fetchAndAdd(sound.segment(0), 64, 1, local, 0).signalled(1);
            assertThat(VerbsCluster.execute(sound.lane(0), chain)).isEqualTo(CompletionStatus.SUCCESS);
            assertThat(sound.isLost()).isFalse();
        }
    }

    private static void fill(Lane lane, Chain chain, Link link, LocalBuffer local) {
        for (int i = 0; i < lane.depth() / 2; i++) {
            chain.clear().fetchAndAdd(link.segment(0), 64, 1, local, 0).signalled(i);
            lane.post(chain);
        }
    }
}
