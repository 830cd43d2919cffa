// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.Reclamation;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class ThreadMetricsTest {
    private record Counts(long reads, long readBytes, long writes, long writeBytes, long swaps, long adds, long trips) {
        static Counts of(ComputeThread ct) {
            ThreadMetrics m = ct.metrics();
            assertThat(m.operations()).isEqualTo(m.reads() + m.writes() + m.compareAndSwaps() + m.fetchAndAdds());
            return new Counts(
                    m.reads(),
                    m.readBytes(),
                    m.writes(),
                    m.writeBytes(),
                    m.compareAndSwaps(),
                    m.fetchAndAdds(),
                    m.roundTrips());
        }

        Counts since(Counts b) {
            return new Counts(
                    reads - b.reads,
                    readBytes - b.readBytes,
                    writes - b.writes,
                    writeBytes - b.writeBytes,
                    swaps - b.swaps,
                    adds - b.adds,
                    trips - b.trips);
        }
    }

    private static Counts counts(ComputeThread ct, Runnable work) {
        Counts before = Counts.of(ct);
        work.run();
        return Counts.of(ct).since(before);
    }

    @ParameterizedTest
    @EnumSource
    void eachOperationCountsOnceWithItsBytesAndRoundTrips(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).threadBufferLog2(12).build(), ct -> {
            long block = ct.allocate(10_000);
            assertThat(counts(ct, () -> ct.read(block))).isEqualTo(new Counts(1, 8, 0, 0, 0, 0, 1));
            assertThat(counts(ct, () -> ct.write(block, 1))).isEqualTo(new Counts(0, 0, 1, 8, 0, 0, 1));
            assertThat(counts(ct, () -> ct.compareAndSwap(block, 1, 2))).isEqualTo(new Counts(0, 0, 0, 0, 1, 0, 1));
            assertThat(counts(ct, () -> ct.compareAndSwap(block, 1, 2))).isEqualTo(new Counts(0, 0, 0, 0, 1, 0, 1));
            assertThat(counts(ct, () -> ct.fetchAndAdd(block, 1))).isEqualTo(new Counts(0, 0, 0, 0, 0, 1, 1));
            assertThat(counts(ct, () -> ct.read(block, ByteBuffer.allocate(10_000))))
                    .isEqualTo(new Counts(3, 10_000, 0, 0, 0, 0, 3));
            assertThat(counts(ct, () -> ct.write(block, ByteBuffer.allocate(4_096))))
                    .isEqualTo(new Counts(0, 0, 1, 4_096, 0, 0, 1));
            assertThat(counts(ct, ct::pause)).isEqualTo(new Counts(0, 0, 0, 0, 0, 0, 0));
            assertThat(ct.metrics().toString())
                    .contains("round trips " + ct.metrics().roundTrips());
        });
    }

    @ParameterizedTest
    @EnumSource
    void postedWritesCostARoundTripForEachLaneWhenTheyArePlaced(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).lanes(1).build(), ct -> {
            long block = ct.allocate(64);
            assertThat(counts(ct, () -> ct.post(block, 1)).trips()).isZero();
            assertThat(counts(ct, () -> ct.post(block, 2))).isEqualTo(new Counts(0, 0, 1, 8, 0, 0, 0));
            assertThat(counts(ct, ct::place).trips()).isEqualTo(kind == FabricKind.DIRECT ? 0 : 1);
            assertThat(counts(ct, ct::place).trips()).isZero();
        });
    }

    @ParameterizedTest
    @EnumSource
    void withEpochsABarrierTakesThreeMoreRoundTripsSinceTheThreadIsOfflineMeanwhile(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).reclaim(Reclamation.EPOCHS).build(), ct -> {
            assertThat(counts(ct, ct::barrier)).isEqualTo(new Counts(1, 16, 2, 16, 0, 2, 5));
            assertThat(ct.metrics().barriers()).isOne();
        });
    }

    @ParameterizedTest
    @EnumSource
    void theFrameworksOwnOperationsCountToo(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            assertThat(counts(ct, () -> ct.allocate(64))).isEqualTo(new Counts(0, 0, 0, 0, 0, 1, 1));
            long block = ct.allocate(64);
            assertThat(counts(ct, () -> ct.free(block, 64)).trips()).isLessThanOrEqualTo(1);
            assertThat(counts(ct, () -> ct.allocate(64)).trips()).isZero();
            assertThat(counts(ct, ct::barrier)).isEqualTo(new Counts(0, 0, 0, 0, 0, 2, 2));
            assertThat(counts(ct, ct.root()::get)).isEqualTo(new Counts(1, 8, 0, 0, 0, 0, 1));
            assertThat(counts(ct, () -> ct.root().set(dev.remus.memory.RdmaPtr.nullPointer())))
                    .isEqualTo(new Counts(1, 8, 0, 0, 1, 0, 2));
        });
    }
}
