// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.InvalidPointerException;
import dev.remus.memory.MixedAccessException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.CompletionBarrier;
import dev.remus.node.CompletionGrade;
import dev.remus.node.TestCluster;
import java.util.Collections;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** Compute Threads over RDMA: completion barriers, IPv6, checked memory, and reads of a node's own memory. */
@Tag("verbs")
@Timeout(120)
@EnabledIf(value = "dev.remus.fabric.verbs.RdmaMachine#isThere", disabledReason = RdmaMachine.MISSING)
class VerbsNodesTest {
    private static int port = 32_100;

    private static ClusterConfig.Builder completed(ClusterConfig.Builder config, int nodes) {
        port += 10;
        return config.fabric("verbs")
                .hosts(RdmaMachine.hosts().subList(0, nodes))
                .memoryPort(port)
                .segmentSizeLog2(16)
                .lanes(3)
                .lanePolicy(LanePolicy.RR)
                .opsPerThread(16);
    }

    /** At most: where the device is software, all may have completed before the thread falls asleep. */
    @Test
    void tenOperationsCostAtMostOneWakeUp() throws Exception {
        ClusterConfig config = completed(TestCluster.config(1, 1, 1), 2).build();
        TestCluster.of(config).run(ct -> {
            long block = ct.allocate(4096);
            LocalBuffer local = ct.allocateLocal(4096);
            CompletionBarrier barrier = ct.async().barrier(0);
            for (int round = 0; round < 20; round++) {
                long before = ct.metrics().wakeUps();
                long last = 0;
                for (int i = 0; i < 10; i++) {
                    last = ct.async().write(block, local, 0, 4096).detach();
                }
                if (barrier.poll(last, CompletionGrade.REMOTE) < last) {
                    assertThat(ct.async().awaitArmed()).isSameAs(barrier);
                    assertThat(ct.metrics().wakeUps() - before).isLessThanOrEqualTo(1);
                }
                assertThat(barrier.completed(CompletionGrade.REMOTE)).isEqualTo(last);
            }
        });
    }

    @Test
    void nodesAtIpv6AddressesShareTheMemory() throws Exception {
        Optional<String> host = RdmaMachine.hostOfIpv6();
        assumeTrue(host.isPresent(), "the RDMA port has no IPv6 address");
        ClusterConfig config = completed(TestCluster.config(1, 2, 1), 3)
                .hosts(Collections.nCopies(3, host.get()))
                .build();
        TestCluster.of(config).run(ct -> {
            if (ct.id() == 0) {
                long block = ct.allocate(64);
                ct.write(block, 0);
                ct.root().set(new RdmaPtr<>(block));
            }
            ct.barrier();
            long word = ct.root().get().raw();
            ct.fetchAndAdd(word, 1);
            ct.barrier();
            assertThat(ct.read(word)).isEqualTo(2);
        });
    }

    @Test
    void checkedMemoryReportsWhatAnotherNodeHasFreedOrChangedByAnAtomic() throws Exception {
        ClusterConfig config =
                completed(TestCluster.configOfBoth(2, 1), 2).checkMemory(true).build();
        TestCluster.of(config).run(ct -> {
            if (ct.id() == 0) {
                long block = ct.allocate(192);
                ct.write(block + 128, 1);
                ct.fetchAndAdd(block + 128, 1);
                ct.root().set(new RdmaPtr<>(block));
            }
            ct.barrier();
            long block = ct.root().get().raw();
            assertThat(ct.read(block + 128)).isEqualTo(2);
            assertThat(catchThrowable(() -> ct.write(block + 128, 1))).isInstanceOf(MixedAccessException.class);
            ct.barrier();
            if (ct.id() == 0) {
                ct.free(block, 192);
            }
            ct.barrier();
            assertThat(catchThrowable(() -> ct.read(block + 128)))
                    .isInstanceOf(InvalidPointerException.class)
                    .hasMessageContaining("192 bytes long, is free: Compute Thread 0 of Compute Node 0 freed it at ");
            ct.barrier();
        });
    }

    @Test
    void aNodeThatIsBothReadsItsOwnWordsByLoadsAndSeesWhatOthersHaveWritten() throws Exception {
        ClusterConfig config = completed(TestCluster.configOfBoth(2, 1), 2).build();
        TestCluster.of(config).run(ct -> {
            if (ct.id() == 0) {
                long block = ct.allocateNear(64);
                ct.write(block, 0);
                ct.write(block + 8, 0);
                ct.root().set(new RdmaPtr<>(block));
            }
            ct.barrier();
            long data = ct.root().get().raw();
            long flag = data + 8;
            long before = ct.metrics().localReads();
            for (long i = 1; i <= 200; i++) {
                if (ct.id() == 1) {
                    ct.write(data, i);
                    ct.write(flag, i);
                } else {
                    while (ct.read(flag) < i) {
                        ct.pause();
                    }
                    assertThat(ct.read(data)).isGreaterThanOrEqualTo(i);
                }
            }
            assertThat(ct.metrics().localReads() > before).isEqualTo(ct.id() == 0);
            ct.barrier();
        });
    }
}
