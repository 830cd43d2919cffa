// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.LanePolicy;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Asynchronous operations over lanes of shared memory. The conformance test of each fabric has them too. */
@Timeout(120)
class AsyncOperationsTest {
    private static void run(FabricKind kind, int operations, ComputeNode.Body body) throws Exception {
        kind.run(
                TestCluster.config(2, 1, 1)
                        .lanes(3)
                        .lanePolicy(LanePolicy.RR)
                        .opsPerThread(operations)
                        .build(),
                body);
    }

    @Nested
    class OverLanes implements ConformanceOfAsyncOperations {
        @Override
        public void runOneThread(int operations, ComputeNode.Body body) throws Exception {
            run(FabricKind.LANES, operations, body);
        }
    }

    @Nested
    class OverWeakLanes implements ConformanceOfAsyncOperations {
        @Override
        public void runOneThread(int operations, ComputeNode.Body body) throws Exception {
            run(FabricKind.WEAK_LANES, operations, body);
        }
    }

    @ParameterizedTest
    @EnumSource
    void closingAThreadPlacesItsOutstandingOperations(FabricKind kind) throws Exception {
        try (TestCluster cluster =
                kind.cluster(TestCluster.config(1, 1, 2).lanes(2).build()).start()) {
            ComputeNode node = cluster.computeNode(1);
            ComputeThread other = node.openThread(0);
            long word = other.allocate(64);
            ComputeThread ct = node.openThread(1);
            ct.async().write(word, 5).detach();
            RemoteFuture left = ct.async().write(word + 8, 6);
            ct.close();
            assertThat(other.read(word)).isEqualTo(5);
            assertThat(other.read(word + 8)).isEqualTo(6);
            assertThatThrownBy(left::await)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            assertThatThrownBy(() -> ct.async().read(word)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> ct.async().barrier(0).completed(CompletionGrade.LOCAL))
                    .isInstanceOf(IllegalStateException.class);
            other.close();
        }
    }
}
