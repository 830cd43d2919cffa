// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.InvalidPointerException;
import dev.remus.memory.RdmaPtr;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Elements with stamps. */
@Tag("oldest-jdk")
@Timeout(120)
class StampedArrayTest {
    private static final int LENGTH = 64;
    private static final int BLOCK = 64 * LENGTH;

    /** An array of this stride in a new block, whose stamps are 0. */
    private static StampedArray make(int stride, ComputeThread ct) {
        long block = ct.allocate(BLOCK);
        for (int i = 0; i < LENGTH; i++) {
            ct.write(block + 8L * i, 0);
        }
        return new StampedArray(block, block + 8 * LENGTH, LENGTH, stride, 40, ct);
    }

    private static void fill(LocalBuffer local, StampedArray array, int place, int words, long value) {
        for (int i = 0; i < words; i++) {
            local.putLong(array.at(place) + 8L * i, value + i);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "DIRECT, 8, 1",
        "DIRECT, 8, 3",
        "DIRECT, 8, 40",
        "DIRECT, 24, 1",
        "DIRECT, 24, 33",
        "LANES, 8, 1",
        "LANES, 24, 33",
        "WEAK_LANES, 8, 40",
        "WEAK_LANES, 24, 3"
    })
    void writtenElementsAreReadWithTheirStamps(FabricKind kind, int stride, int count) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            StampedArray array = make(stride, ct);
            int words = count * stride / 8;
            fill(array.local(), array, 0, words, 1000);
            array.write(0, 5, count, 77);
            fill(array.local(), array, 0, words, -1);
            assertThat(array.read(5, count, 77)).isEqualTo(count);
            for (int i = 0; i < words; i++) {
                assertThat(array.local().getLong(array.at(0) + 8L * i)).isEqualTo(1000 + i);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void theFirstElementWhoseStampIsAnotherEndsARead(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            StampedArray array = make(8, ct);
            array.write(0, 0, 3, 10);
            array.write(0, 4, 3, 14);
            assertThat(array.read(0, 8, 10)).isEqualTo(3);
            assertThat(array.read(0, 8, 9)).isZero();
            assertThat(array.read(3, 1, 13)).isZero();
            assertThat(array.read(4, 2, 14)).isEqualTo(2);
            array.post(0, 3, 1, 13);
            ct.place();
            assertThat(array.read(0, 8, 10)).isEqualTo(7);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aWriteAndAReadCostOneRoundTripAndAPostNone(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            StampedArray array = make(16, ct);
            ThreadMetrics metrics = ct.metrics();
            long trips = metrics.roundTrips();
            long writes = metrics.writes();
            long written = metrics.writeBytes();
            long reads = metrics.reads();
            array.write(0, 0, 3, 1);
            assertThat(metrics.roundTrips() - trips).isEqualTo(1);
            array.post(0, 0, 3, 1);
            assertThat(metrics.roundTrips() - trips).isEqualTo(1);
            array.read(0, 4, 1);
            assertThat(metrics.roundTrips() - trips).isEqualTo(2);
            assertThat(metrics.writes() - writes).isEqualTo(4);
            assertThat(metrics.writeBytes() - written).isEqualTo(2 * 3 * (8 + 16));
            assertThat(metrics.reads() - reads).isEqualTo(2);
            ct.place();
        });
    }

    @ParameterizedTest
    @EnumSource
    void elementsThatAreNotInsideAreRefused(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(2, 1, 1).build(), ct -> {
            StampedArray array = make(8, ct);
            for (int[] wrong : new int[][] {{-1, 0, 1}, {0, -1, 1}, {0, 0, 0}, {38, 0, 3}, {0, 62, 3}, {0, 0, -1}}) {
                assertThatThrownBy(() -> array.write(wrong[0], wrong[1], wrong[2], 1))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContaining("of " + LENGTH);
            }
            assertThatThrownBy(() -> array.read(60, 5, 1)).isInstanceOf(IndexOutOfBoundsException.class);
            long here = ct.allocate(64);
            long elsewhere = RdmaPtr.raw(1 - RdmaPtr.node(here), 0, RdmaPtr.offset(here));
            assertThatThrownBy(() -> new StampedArray(here, elsewhere, 1, 8, 1, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("one segment");
            assertThatThrownBy(() -> new StampedArray(here, here + 64, 1 << 28, 8, 1, ct))
                    .isInstanceOf(InvalidPointerException.class);
            assertThatThrownBy(() -> new StampedArray(0, 64, 1, 8, 1, ct)).isInstanceOf(InvalidPointerException.class);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aClosedThreadReadsAndWritesNothing(FabricKind kind) throws Exception {
        try (TestCluster cluster =
                kind.cluster(TestCluster.config(1, 1, 1).build()).start()) {
            cluster.runThreads(ct -> {
                StampedArray array = make(8, ct);
                ct.close();
                assertThatThrownBy(() -> array.write(0, 0, 1, 1)).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> array.read(0, 1, 1)).isInstanceOf(IllegalStateException.class);
            });
        }
    }
}
