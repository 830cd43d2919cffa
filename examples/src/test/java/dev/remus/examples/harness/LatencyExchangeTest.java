package dev.remus.examples.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.MemoryNode;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class LatencyExchangeTest {
    private final AtomicReference<Latencies> collected = new AtomicReference<>();

    private void run(int threads, int latenciesPerThread) throws Exception {
        ClusterConfig config = OneJvm.cluster()
                .computeNodes(1, 1)
                .threadsPerNode(threads)
                .segmentSizeLog2(12)
                .segmentsPerNode(1)
                .build();
        try (MemoryNode memory = MemoryNode.start(config, 0)) {
            try (ComputeNode node = ComputeNode.connect(config, 1)) {
                node.runThreads(ct -> exchange(ct, latenciesPerThread));
            }
            memory.awaitFinished();
        }
    }

    private void exchange(ComputeThread ct, int latenciesPerThread) {
        LatencyExchange exchange = new LatencyExchange();
        if (ct.id() == 0) {
            exchange.create(ct);
            ct.setRoot(new RdmaPtr<>(exchange.pointer()));
        }
        ct.barrier();
        exchange.at(ct.getRoot());
        Latencies own = new Latencies();
        record(ct.id(), latenciesPerThread, own);
        exchange.collect(own, ct);
        if (ct.id() == 0) {
            collected.set(own);
        }
    }

    private static void record(int thread, int count, Latencies latencies) {
        for (int i = 0; i < count; i++) {
            latencies.record(OperationKind.values()[i % 3], 1_000L * (thread + 1) + 37L * i * i);
        }
    }

    private void assertAllAreThere(int threads, int latenciesPerThread) {
        Latencies expected = new Latencies();
        for (int thread = 0; thread < threads; thread++) {
            record(thread, latenciesPerThread, expected);
        }
        for (OperationKind kind : OperationKind.values()) {
            assertThat(collected.get().summary(kind)).isEqualTo(expected.summary(kind));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 61, 62, 63, 5_000})
    void allThatTheThreadsRecordedArrivesHoweverMuchItIs(int latenciesPerThread) throws Exception {
        run(4, latenciesPerThread);
        assertAllAreThere(4, latenciesPerThread);
    }

    @Test
    void oneThreadHasNobodyToWaitFor() throws Exception {
        run(1, 100);
        assertAllAreThere(1, 100);
    }
}
