// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("oldest-jdk")
@Timeout(120)
class LatencyExchangeTest {
    private enum Kind {
        A,
        B,
        C,
        D
    }

    private final AtomicReference<Latencies<Kind>> collected = new AtomicReference<>();

    private void run(int threads, int latenciesPerThread) throws Exception {
        ClusterConfig config = TestCluster.config(1, 1, threads)
                .segmentSizeLog2(12)
                .segmentsPerNode(1)
                .build();
        TestCluster.of(config).run(ct -> exchange(ct, latenciesPerThread));
    }

    private void exchange(ComputeThread ct, int latenciesPerThread) {
        LatencyExchange<Kind> exchange = new LatencyExchange<>(Kind.class);
        if (ct.id() == 0) {
            exchange.create(ct);
            ct.root().set(new RdmaPtr<>(exchange.pointer()));
        }
        ct.barrier();
        exchange.at(ct.root().get());
        Latencies<Kind> own = new Latencies<>(Kind.class);
        own.begin(1_000L * ct.id());
        record(ct.id(), latenciesPerThread, own);
        exchange.collect(own, ct);
        if (ct.id() == 0) {
            collected.set(own);
        }
    }

    private static void record(int thread, int count, Latencies<Kind> latencies) {
        for (int i = 0; i < count; i++) {
            long end = 1_000L * thread + 50_000_000L * i * (thread + 1); // 250 to 1000 s: intervals of several lengths
            latencies.record(Kind.values()[i % 4], 1_000L * (thread + 1) + 37L * i * i, end);
        }
    }

    private void assertAllArrived(int threads, int latenciesPerThread) {
        Latencies<Kind> expected = new Latencies<>(Kind.class);
        for (int thread = 0; thread < threads; thread++) {
            expected.begin(1_000L * thread);
            record(thread, latenciesPerThread, expected);
        }
        assertThat(collected.get().overTime()).isEqualTo(expected.overTime());
        for (Kind kind : Kind.values()) {
            assertThat(collected.get().summary(kind)).isEqualTo(expected.summary(kind));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 61, 62, 63, 5_000})
    void allRecordedLatenciesArriveHoweverMany(int latenciesPerThread) throws Exception {
        run(4, latenciesPerThread);
        assertAllArrived(4, latenciesPerThread);
    }

    private enum NineKinds {
        A,
        B,
        C,
        D,
        E,
        F,
        G,
        H,
        I
    }

    @Test
    void moreKindsThanAnEntryCanNameAreRefused() {
        assertThatThrownBy(() -> new LatencyExchange<>(NineKinds.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has 9 kinds of operations; at most 8 fit");
    }

    @Test
    void aSingleThreadWaitsForNoOther() throws Exception {
        run(1, 100);
        assertAllArrived(1, 100);
    }
}
