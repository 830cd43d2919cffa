// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.memory.RdmaPtr;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class ThreadRulesTest {
    private static List<ThrowingCallable> everything(ComputeThread ct) {
        long pointer = RdmaPtr.raw(0, 0, 64);
        return List.of(
                () -> ct.read(pointer),
                () -> ct.write(pointer, 1),
                () -> ct.post(pointer, 1),
                () -> ct.compareAndSwap(pointer, 0, 1),
                () -> ct.fetchAndAdd(pointer, 1),
                () -> ct.allocate(8),
                () -> ct.free(pointer, 8),
                () -> ct.schedReclaim(pointer, 8),
                ct::barrier,
                ct.root()::get,
                () -> ct.root().set(RdmaPtr.nullPointer()));
    }

    @ParameterizedTest
    @EnumSource
    void aClosedThreadRefusesEverythingAndMayBeClosedAgain(FabricKind kind) throws Exception {
        try (TestCluster cluster =
                kind.cluster(TestCluster.config(1, 1, 2).build()).start()) {
            ComputeThread ct = cluster.computeNode(1).openThread(0);
            ct.close();
            ct.close();
            assertThat(everything(ct))
                    .allSatisfy(use -> assertThatThrownBy(use)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("closed"));
            assertThatThrownBy(ct::reclaimDeferred).isInstanceOf(IllegalStateException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void afterItsNodeWasClosedAThreadRefusesEverything(FabricKind kind) throws Exception {
        try (TestCluster cluster =
                kind.cluster(TestCluster.config(1, 1, 1).build()).start()) {
            ComputeNode node = cluster.computeNode(1);
            ComputeThread ct = node.openThread(0);
            node.close();
            node.close();
            assertThat(everything(ct))
                    .allSatisfy(use -> assertThatThrownBy(use).isInstanceOf(IllegalStateException.class));
            assertThatThrownBy(() -> node.openThread(0)).isInstanceOf(IllegalStateException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anotherThreadIsRefused(FabricKind kind) throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
                long block = ct.allocate(64);
                List<ThrowingCallable> checked = List.of(
                        () -> ct.allocate(8),
                        () -> ct.free(block, 64),
                        () -> ct.schedReclaim(block, 64),
                        ct::reclaimDeferred,
                        ct::barrier,
                        ct::close);
                Future<?> done = other.submit(() -> assertThat(checked)
                        .allSatisfy(use -> assertThatThrownBy(use)
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("belongs to another thread")));
                done.get(60, TimeUnit.SECONDS);
                ct.free(block, 64);
            });
        } finally {
            other.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void threadsAreNumberedAndOpenAtMostOnceAtATime(FabricKind kind) throws Exception {
        try (TestCluster cluster =
                kind.cluster(TestCluster.config(1, 2, 3).build()).start()) {
            ComputeNode node = cluster.computeNode(2);
            try (ComputeThread ct = node.openThread(2)) {
                assertThat(ct.index()).isEqualTo(2);
                assertThat(ct.id()).isEqualTo(5);
                assertThat(ct.threads()).isEqualTo(6);
                assertThat(ct.nodeId()).isEqualTo(node.id());
                assertThat(ct.config()).isSameAs(node.config());
                assertThat(ct).hasToString("Compute Thread 2 of Compute Node 2");
                assertThatThrownBy(() -> node.openThread(2)).hasMessageContaining("open already");
            }
            for (int index : new int[] {-1, 3}) {
                assertThatThrownBy(() -> node.openThread(index))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("threadsPerNode (--cn-threads) 3");
            }
        }
    }
}
