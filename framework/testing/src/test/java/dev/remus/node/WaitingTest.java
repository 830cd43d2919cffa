// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.RealEnvironment;
import dev.remus.memory.RdmaPtr;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class WaitingTest {
    @ParameterizedTest
    @EnumSource
    void sixteenThreadsThatSpinOnOneAnotherMakeProgress(FabricKind kind) throws Exception {
        takeTurns(kind, TestCluster.config(1, 4, 4).build());
    }

    /** Each thread waits for the one before it: with far more threads than cores, all but one are waiting. */
    static void takeTurns(FabricKind kind, ClusterConfig config) throws Exception {
        int rounds = kind == FabricKind.WEAK_LANES ? 2 : 5;
        kind.run(config, ct -> {
            if (ct.id() == 0) {
                long block = ct.allocate(64);
                ct.write(block, 0);
                ct.root().set(new RdmaPtr<>(block));
            }
            ct.barrier();
            long turn = ct.root().get().raw();
            for (int round = 0; round < rounds; round++) {
                while (ct.read(turn) % ct.threads() != ct.id()) {
                    ct.pauseFor(Math.floorMod(ct.id() - 1, ct.threads()));
                }
                ct.fetchAndAdd(turn, 1);
            }
            ct.barrier();
            assertThat(ct.read(turn)).isEqualTo((long) rounds * ct.threads());
        });
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptedThreadStopsWaiting(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> {
                        while (true) {
                            ct.pause();
                        }
                    })
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining("interrupted");
            assertThat(Thread.interrupted()).isTrue();
        });
    }

    @Test
    void pausesGetLongerAndStartShortAfterAReset() {
        Backoff backoff = new Backoff(RealEnvironment.INSTANCE);
        long nanos = 0;
        for (int pause = 0; pause < 100_000 && nanos < 1_000_000; pause++) { // some only yield
            long before = System.nanoTime();
            backoff.pause();
            nanos = System.nanoTime() - before;
        }
        assertThat(nanos).isGreaterThanOrEqualTo(1_000_000);
        backoff.reset();
        Thread.currentThread().interrupt();
        backoff.pause(); // does not park yet, and so does not notice the interrupt
        assertThat(Thread.interrupted()).isTrue();
    }
}
