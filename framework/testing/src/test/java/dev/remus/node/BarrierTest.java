// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.fabric.FabricException;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class BarrierTest {
    private static final long WORD = SegmentLayout.header(0, 0, SegmentHeader.BARRIER);
    private static final long BROKEN = 1L << 54;
    private static final long COUNT = (1L << 23) - 1;

    @ParameterizedTest
    @EnumSource
    void afterEachRoundTheWritesOfAllThreadsAreVisibleToAll(FabricKind kind) throws Exception {
        int rounds = kind == FabricKind.DIRECT ? 300 : 40;
        kind.run(TestCluster.config(2, 4, 2).build(), ct -> {
            int n = ct.threads();
            if (ct.id() == 0) {
                ct.root().set(new RdmaPtr<>(ct.allocate(8L * n)));
            }
            ct.barrier();
            long words = ct.root().get().raw();
            for (long round = 1; round <= rounds; round++) {
                ct.post(words + 8L * ct.id(), round);
                ct.barrier();
                for (int i = 0; i < n; i++) {
                    assertThat(ct.read(words + 8L * i)).isEqualTo(round);
                }
                ct.barrier();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void theGenerationWrapsAround(FabricKind kind) throws Exception {
        long almost = (1L << 31) - 3;
        kind.run(TestCluster.config(1, 2, 2).build(), ct -> {
            ct.barrier();
            if (ct.id() == 0) {
                ct.parts.checked.fetchAndAddHeader(WORD, (almost << 23) - ct.parts.checked.readHeader(WORD));
                ct.root().set(RdmaPtr.of(0, 0, 64));
            }
            while (ct.root().get().isNull()) {
                ct.pause();
            }
            for (int i = 0; i < 6; i++) {
                ct.barrier();
            }
            long now = ct.parts.checked.readHeader(WORD);
            assertThat(now).isEqualTo(3L << 23);
        });
    }

    @ParameterizedTest
    @EnumSource
    void someOfTheThreadsCanPassTheBarrierWithoutTheOthers(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 2, 2).build(), ct -> {
            if (ct.id() < 3) {
                for (int i = 0; i < 20; i++) {
                    ct.barrier(3);
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void impossibleNumbersOfParticipantsAreRefused(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            for (int participants : new int[] {0, -1, 2, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
                assertThatThrownBy(() -> ct.barrier(participants))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(participants + " threads");
            }
            ct.barrier(1);
        });
    }

    @ParameterizedTest
    @EnumSource
    void moreArrivalsThanParticipantsAreReported(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 2).build(), ct -> {
            if (ct.id() == 0) {
                ct.parts.checked.fetchAndAddHeader(WORD, 2); // two have arrived, and the second is about to open it
                assertThatThrownBy(() -> ct.barrier(2))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("the 2 that this one waits for");
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void differentNumbersOfParticipantsAreReportedAndDoNotOpenTheBarrier(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 3).build(), ct -> {
            if (ct.id() == 0) {
                assertThatThrownBy(ct::barrier)
                        .isInstanceOfAny(IllegalStateException.class, FabricException.class)
                        .satisfies(e -> assertThat(e.getMessage()).containsAnyOf("finished already", "broken"));
            } else if (ct.id() == 1) {
                while ((ct.parts.checked.readHeader(WORD) & COUNT) == 0) {
                    ct.pause();
                }
                assertThatThrownBy(() -> ct.barrier(2)) // which would be the second to arrive
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("different numbers of participants: 2 by this thread");
            } else {
                while ((ct.parts.checked.readHeader(WORD) & BROKEN) == 0) {
                    ct.pause();
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aBrokenBarrierStaysBroken(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            ct.parts.checked.fetchAndAddHeader(WORD, BROKEN);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(ct::barrier)
                        .isInstanceOf(FabricException.class)
                        .hasMessageContaining("broken");
            }
            assertThat(ct.parts.checked.readHeader(WORD) & BROKEN).isEqualTo(BROKEN);
        });
    }

    @ParameterizedTest
    @EnumSource
    void waitingForThreadsThatHaveFinishedIsReported(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 2, 2).build(), ct -> {
            if (ct.id() < 2) {
                assertThatThrownBy(ct::barrier)
                        .isInstanceOfAny(IllegalStateException.class, FabricException.class)
                        .satisfies(e -> assertThat(e.getMessage()).containsAnyOf("finished already", "broken"));
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aThreadThatIsInterruptedWhileItWaitsBreaksTheBarrierForTheOthers(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 2).build(), ct -> {
            if (ct.id() == 0) {
                Thread.currentThread().interrupt();
                assertThatThrownBy(ct::barrier)
                        .isInstanceOf(FabricException.class)
                        .hasMessageContaining("interrupted");
                assertThat(Thread.interrupted()).isTrue();
                ct.root().set(RdmaPtr.of(0, 0, 64));
            } else {
                while (ct.root().get().isNull()) {
                    ct.pause();
                }
                assertThatThrownBy(ct::barrier)
                        .isInstanceOf(FabricException.class)
                        .hasMessageContaining("broken");
            }
        });
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT")
    void arrivingPlacesWritesPostedOnOtherLanes(FabricKind kind) throws Exception {
        ClusterConfig config =
                TestCluster.config(1, 1, 1).lanes(4).lanePolicy(LanePolicy.RR).build();
        kind.run(config, ct -> {
            long block = ct.allocate(64);
            ct.post(block, 1);
            ct.post(block + 8, 1);
            long before = ct.metrics().roundTrips();
            ct.barrier();
            // Two lanes are read back; arriving and opening use the other two.
            assertThat(ct.metrics().roundTrips() - before).isEqualTo(4);
        });
    }
}
