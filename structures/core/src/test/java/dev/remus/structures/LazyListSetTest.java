// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import org.junit.jupiter.api.Test;

/** The cost of the lazy list of the tutorial; {@link ListSetTest} tests its results. */
class LazyListSetTest {
    @Test
    void itCostsTheRoundTripsOfTheClassComment() throws Exception {
        ClusterConfig withoutRuns =
                TestCluster.config(1, 1, 1).segmentSizeLog2(14).build(); // each new block costs a round trip
        TestCluster.of(withoutRuns).run(ct -> {
            RemoteLongSet set = new LongLazyListSet(LongLazyListSet.create(ct));
            for (long key = 10; key <= 100; key += 10) {
                set.insert(key, ct);
            }
            long visited = 5; // keys 10 to 50
            assertThat(roundTrips(ct, () -> set.contains(45, ct))).isEqualTo(3 + 2 * visited - 1);
            assertThat(roundTrips(ct, () -> set.contains(50, ct))).isEqualTo(3 + 2 * visited - 1 + 1);
            assertThat(roundTrips(ct, () -> set.insert(50, ct))).isEqualTo(9 + 2 * visited - 1);
            assertThat(roundTrips(ct, () -> set.insert(45, ct))).isEqualTo(9 + 2 * visited - 1 + 5);
            assertThat(roundTrips(ct, () -> set.remove(44, ct))).isEqualTo(9 + 2 * visited - 1);
            assertThat(roundTrips(ct, () -> set.remove(45, ct))).isEqualTo(9 + 2 * visited - 1 + 3);
            ct.reclaimDeferred();
            assertThat(roundTrips(ct, () -> set.insert(45, ct)))
                    .as("with a block that this thread has freed")
                    .isEqualTo(9 + 2 * visited - 1 + 4);
        });
    }

    private static long roundTrips(ComputeThread ct, Runnable operation) {
        long before = ct.metrics().roundTrips();
        operation.run();
        return ct.metrics().roundTrips() - before;
    }
}
