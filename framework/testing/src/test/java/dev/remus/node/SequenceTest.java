// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.LanePolicy;
import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.InvalidPointerException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several operations with a single wait. */
@Timeout(120)
class SequenceTest {
    private static void run(FabricKind kind, ComputeNode.Body body) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).lanes(2).build(), body);
    }

    @ParameterizedTest
    @EnumSource
    void operationsAreExecutedInTheOrderInWhichTheyWereAdded(FabricKind kind) throws Exception {
        run(kind, ct -> {
            long block = ct.allocate(64);
            LocalBuffer local = ct.allocateLocal(128);
            for (long i = 0; i < 20; i++) {
                local.putLong(0, i);
                local.putLong(8, -i);
                ct.sequence()
                        .write(block, local, 0, 16)
                        .read(block + 8, local, 64, 8)
                        .fetchAndAdd(block + 16, 1, local, 72)
                        .compareAndSwap(block + 16, i + 1, i + 1, local, 80)
                        .execute();
                assertThat(local.getLong(64)).isEqualTo(-i);
                assertThat(local.getLong(72)).isEqualTo(i);
                assertThat(local.getLong(80)).isEqualTo(i + 1);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void itsWritesArePlacedOnceItWasExecutedWhateverItsLastOperation(FabricKind kind) throws Exception {
        run(kind, ct -> {
            long block = ct.allocate(64);
            LocalBuffer local = ct.allocateLocal(64);
            for (long i = 1; i < 20; i++) {
                local.putLong(0, i);
                ct.sequence()
                        .write(block, local, 0, 8)
                        .write(block + 8, local, 0, 8)
                        .execute();
                assertThat(ct.read(block)).isEqualTo(i);
                assertThat(ct.read(block + 8)).isEqualTo(i);
                ct.sequence()
                        .write(block + 16, local, 0, 8)
                        .read(block, local, 8, 8)
                        .execute();
                assertThat(ct.read(block + 16)).isEqualTo(i);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aPostedSequenceHasTakenEffectOncePlacedOnAnyLane(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).lanes(3).lanePolicy(LanePolicy.RR).build(), ct -> {
            long block = ct.allocate(64);
            ct.write(block + 16, 0);
            LocalBuffer local = ct.allocateLocal(64);
            for (long i = 1; i < 50; i++) {
                local.putLong(0, i);
                ct.sequence()
                        .write(block, local, 0, 8)
                        .write(block + 8, local, 0, 8)
                        .post();
                ct.postFetchAndAdd(block + 16, 2);
                ct.postFetchAndAdd(block + 16, -1);
                ct.place();
                assertThat(ct.read(block)).isEqualTo(i);
                assertThat(ct.read(block + 8)).isEqualTo(i);
                assertThat(ct.read(block + 16)).isEqualTo(i);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void anExecutedSequenceCostsOneRoundTripAndAPostedOneNone(FabricKind kind) throws Exception {
        run(kind, ct -> {
            long block = ct.allocate(64);
            LocalBuffer local = ct.allocateLocal(64);
            ThreadMetrics metrics = ct.metrics();
            long trips = metrics.roundTrips();
            long reads = metrics.reads();
            long writes = metrics.writes();
            long written = metrics.writeBytes();
            long atomics = metrics.compareAndSwaps() + metrics.fetchAndAdds();

            ct.sequence()
                    .write(block, local, 0, 24)
                    .write(block, local, 0, 8)
                    .read(block, local, 0, 8)
                    .compareAndSwap(block + 32, 0, 0, local, 0)
                    .execute();
            assertThat(metrics.roundTrips() - trips).isEqualTo(1);
            assertThat(metrics.reads() - reads).isEqualTo(1);
            assertThat(metrics.writes() - writes).isEqualTo(2);
            assertThat(metrics.writeBytes() - written).isEqualTo(32);

            ct.sequence()
                    .write(block, local, 0, 8)
                    .fetchAndAdd(block + 32, 1, local, 0)
                    .post();
            ct.postFetchAndAdd(block + 32, 1);
            assertThat(metrics.roundTrips() - trips).isEqualTo(1);
            assertThat(metrics.compareAndSwaps() + metrics.fetchAndAdds() - atomics)
                    .isEqualTo(3);

            ct.sequence().execute();
            ct.sequence().post();
            assertThat(metrics.roundTrips() - trips).isEqualTo(1);
        });
    }

    @ParameterizedTest
    @EnumSource
    void anInvalidOperationIsRefusedAndLeavesTheThreadUsable(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(2, 1, 1).build(), ct -> {
            long block = ct.allocate(64);
            long elsewhere = ct.allocate(64);
            LocalBuffer local = ct.allocateLocal(64);
            assertThatThrownBy(() -> ct.sequence().read(block, local, 0, 8).read(elsewhere, local, 8, 8))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("one Memory Node");
            assertThatThrownBy(() -> ct.sequence().read(0, local, 0, 8)).isInstanceOf(InvalidPointerException.class);
            assertThatThrownBy(() -> ct.sequence().read(block, local, 64, 8))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> {
                        Sequence sequence = ct.sequence();
                        for (int i = 0; i <= Sequence.capacity(); i++) {
                            sequence.read(block, local, 0, 8);
                        }
                    })
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("more than " + Sequence.capacity());
            ct.write(elsewhere, 5);
            ct.sequence().read(elsewhere, local, 0, 8).execute();
            assertThat(local.getLong(0)).isEqualTo(5);
        });
    }
}
