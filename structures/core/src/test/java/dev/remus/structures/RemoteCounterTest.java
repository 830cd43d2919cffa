// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.InvalidFreeException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.RemoteFuture;
import dev.remus.node.TestCluster;
import dev.remus.record.RemoteLongArray;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class RemoteCounterTest {
    private static void run(int threads, ComputeNode.Body body) throws Exception {
        TestCluster.of(TestCluster.config(2, 1, threads).checkMemory(true).build())
                .run(body);
    }

    private static RemoteCounter counter(int stripes, ComputeThread ct) {
        return new RemoteCounter(RemoteCounter.create(stripes, ct), ct);
    }

    @Test
    void itCostsTheRoundTripsOfTheClassComment() throws Exception {
        run(1, ct -> {
            RemoteCounter counter = counter(4, ct);
            long before = ct.metrics().roundTrips();
            long reads = ct.metrics().reads();
            counter.add(1, ct);
            assertThat(ct.metrics().roundTrips() - before).isEqualTo(1);
            counter.post(1, ct);
            assertThat(ct.metrics().roundTrips() - before).isEqualTo(1);
            before = ct.metrics().roundTrips();
            assertThat(counter.sum(ct)).isEqualTo(2);
            assertThat(ct.metrics().reads() - reads).isEqualTo(4);
            assertThat(ct.metrics().roundTrips() - before).isLessThanOrEqualTo(1);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void additionsOfManyThreadsAreNotLostWhateverTheNumberOfStripes(int stripes) throws Exception {
        run(4, ct -> {
            if (ct.id() == 0) {
                ct.root().set(RemoteCounter.create(stripes, ct));
            }
            ct.barrier();
            RemoteCounter counter = new RemoteCounter(ct.root().get(), ct);
            long last = 0;
            for (int i = 1; i <= 500; i++) {
                counter.add(i, ct);
                long sum = counter.sum(ct);
                assertThat(sum).isGreaterThanOrEqualTo(last + i);
                last = sum;
            }
            ct.barrier();
            assertThat(counter.sum(ct)).isEqualTo(4 * 500 * 501 / 2);
            ct.barrier();
            counter.add(-1_000, ct);
            counter.post(-1, ct);
            ct.barrier();
            assertThat(counter.sum(ct)).isEqualTo(4 * 500 * 501 / 2 - 4 * 1_001);
        });
    }

    @Test
    void itsStripesLieOnTheMemoryNodesInTurnEachInABlockOfItsOwn() throws Exception {
        run(1, ct -> {
            RdmaPtr<RemoteCounter> shared = RemoteCounter.create(6, ct);
            RemoteLongArray stripes = RemoteLongArray.open(new RdmaPtr<>(shared.raw()), ct);
            List<Long> lines = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                long stripe = stripes.load(i, ct);
                assertThat(RdmaPtr.node(stripe)).isEqualTo(ct.config().firstMemoryNode() + i % 2);
                lines.add(stripe / 64);
            }
            assertThat(lines).doesNotHaveDuplicates();
        });
    }

    @Test
    void aNumberOfStripesThatIsOutOfRangeIsReported() throws Exception {
        run(1, ct -> {
            for (int stripes : new int[] {-1, 0, RemoteCounter.MOST_STRIPES + 1}) {
                assertThatThrownBy(() -> RemoteCounter.create(stripes, ct))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("1 to 4096 stripes");
            }
        });
    }

    @Test
    void aSumTakesAnyNumberOfStripesAndLeavesNothingOutstandingWhenItFails() throws Exception {
        ClusterConfig config = TestCluster.config(1, 1, 1).opsPerThread(3).build();
        TestCluster.of(config).run(ct -> {
            RemoteCounter counter = counter(8, ct);
            counter.add(5, ct);
            assertThat(counter.stripes()).isEqualTo(8);
            assertThat(counter.sum(ct)).isEqualTo(5);
            long word = ct.allocate(Long.BYTES);
            RemoteFuture other = ct.async().read(word);
            assertThatThrownBy(() -> counter.sum(ct)).isInstanceOf(IllegalStateException.class);
            other.await();
            assertThat(counter.sum(ct)).isEqualTo(5);
        });
    }

    @Test
    void destroyingItFreesItsBlocks() throws Exception {
        run(1, ct -> {
            RemoteCounter counter = counter(3, ct);
            counter.destroy(ct);
            assertThatThrownBy(() -> counter.destroy(ct)).isInstanceOf(InvalidFreeException.class);
        });
    }
}
