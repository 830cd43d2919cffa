// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.sun.management.ThreadMXBean;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.FabricKind;
import dev.remus.node.TestCluster;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The costs of the ordered map, with nodes of the default size and three levels of them. */
@Tag("any-jdk")
@Timeout(120)
class LongLongTreeCostTest {
    private static final int KEYS = 20_000;
    private static final int SAMPLES = 2_000;
    private static final int MANY_KEYS = 200_000;
    private static final long TARGET_KEYS = 10_000_000;
    private static final long TARGET_BYTES = 8_000_000;
    private static final long MISSING = -1;

    private interface Operation {
        void on(LongLongTree tree, long key);
    }

    /** The average number of round trips of an operation on random keys, which are odd. */
    private static double average(LongLongTree tree, SplittableRandom random, ComputeThread ct, Operation operation) {
        long before = ct.metrics().roundTrips();
        for (int i = 0; i < SAMPLES; i++) {
            operation.on(tree, 2L * random.nextInt(KEYS) + 1);
        }
        return (double) (ct.metrics().roundTrips() - before) / SAMPLES;
    }

    @ParameterizedTest
    @CsvSource({"DIRECT, 1", "DIRECT, 2", "LANES, 1", "LANES, 2"})
    void operationsTakeTheRoundTripsThatTheirClassPromises(FabricKind fabric, int memoryNodes) throws Exception {
        fabric.run(TestCluster.config(memoryNodes, 1, 1).segmentSizeLog2(23).build(), ct -> {
            RdmaPtr<TreeTable> This = LongLongTree.create(ct);
            LongLongTree tree = new LongLongTree(This, MISSING, ct);
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < KEYS; i++) {
                tree.put(2L * random.nextInt(KEYS) + 1, i, ct);
            }
            tree.size(ct); // so that all inner nodes are remembered
            assertThat(average(tree, random, ct, (t, key) -> t.get(key, ct)))
                    .as("get")
                    .isEqualTo(1.0);
            assertThat(average(tree, random, ct, (t, key) -> t.get(key - 1, ct)))
                    .as("get of a missing key")
                    .isEqualTo(1.0);
            assertThat(average(tree, random, ct, (t, key) -> t.putIfAbsent(key - 1, 1, ct)))
                    .as("put of a new key, with all splits")
                    .isBetween(2.0, 2.3);
            assertThat(average(tree, random, ct, (t, key) -> t.replace(key, 1, 2, ct)))
                    .as("replace")
                    .isBetween(1.0, 2.0);
            assertThat(average(tree, random, ct, (t, key) -> t.remove(key - 1, ct)))
                    .as("remove")
                    .isBetween(1.0, 2.0);
            assertThat(average(tree, random, ct, (t, key) -> t.scan(key, Long.MAX_VALUE, 100, (k, v) -> {}, ct)))
                    .as("scan of 100")
                    .isBetween(1.0, 3.0);
            assertThat(average(tree, random, ct, (t, key) -> t.scanDown(key, 0, 100, (k, v) -> {}, ct)))
                    .as("descending scan of 100")
                    .isBetween(1.0, 3.0);
            assertThat(average(
                            tree, random, ct, (t, key) -> t.scanSnapshot(key, Long.MAX_VALUE, 100, (k, v) -> {}, ct)))
                    .as("snapshot of 100")
                    .isBetween(2.0, 4.0);
            LongLongTree late = new LongLongTree(This, MISSING, 0, ct);
            assertThat(average(late, random, ct, (t, key) -> t.get(key, ct)))
                    .as("get of a handle that remembers nothing")
                    .isEqualTo(3.0);
            assertThat(tree.unnamedNodes(ct)).isZero();
        });
    }

    /** Keys that grow, as those of a log: full nodes stay behind, and the insertions of a handle are no dearer. */
    @ParameterizedTest
    @CsvSource({"LANES, 1", "LANES, 2"})
    void ascendingKeysFillTheirLeaves(FabricKind fabric, int memoryNodes) throws Exception {
        fabric.run(TestCluster.config(memoryNodes, 1, 1).segmentSizeLog2(23).build(), ct -> {
            LongLongTree tree = new LongLongTree(LongLongTree.create(ct), MISSING, ct);
            long before = ct.metrics().roundTrips();
            for (long key = 0; key < KEYS; key++) {
                tree.put(key, key, ct);
            }
            assertThat((double) (ct.metrics().roundTrips() - before) / KEYS).isBetween(2.0, 2.3);
            before = ct.metrics().roundTrips();
            assertThat(tree.size(ct)).isEqualTo(KEYS);
            assertThat(ct.metrics().roundTrips() - before)
                    .as("a round trip for 8 leaves")
                    .isLessThan(KEYS / 40 / 8 + 60);
        });
    }

    /**
     * With what the table outgrows. In random order, leaves and inner nodes are about two thirds full. The threads of a
     * node share that, and 10^7 entries need no more than 8 MB.
     */
    @ParameterizedTest
    @CsvSource({"random, 770, 570", "ascending, 1540, 770", "loaded, 1240, 690"})
    void aNodeRemembersAnInnerNodeForSoManyEntriesInSoManyBytes(String order, int entries, long most) throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        TestCluster.of(TestCluster.config(1, 1, 1).segmentSizeLog2(24).build()).run(ct -> {
            RdmaPtr<TreeTable> This = LongLongTree.create(ct);
            LongLongTree tree = new LongLongTree(This, MISSING, ct);
            LongStream random = new SplittableRandom(1).longs(MANY_KEYS);
            long[] keys = (order.equals("random") ? random : random.sorted()).toArray();
            if (order.equals("loaded")) {
                tree.bulkLoad(load -> Arrays.stream(keys).forEach(key -> load.accept(key, 1)), ct);
            } else {
                Arrays.stream(keys).forEach(key -> tree.put(key, 1, ct));
            }
            LongLongTree late = new LongLongTree(This, MISSING, MANY_KEYS, ct); // with a limit of its own: it is cold
            long self = Thread.currentThread().getId();
            long allocated = threads.getThreadAllocatedBytes(self);
            long before = ct.metrics().roundTrips();
            for (long key : keys) {
                late.get(key, ct);
            }
            long innerNodes = ct.metrics().roundTrips() - before - MANY_KEYS; // each other get is one round trip
            long bytes = (threads.getThreadAllocatedBytes(self) - allocated) / innerNodes;
            assertThat(bytes).as("bytes of each").isBetween(most - 100, most);
            assertThat((double) MANY_KEYS / innerNodes)
                    .as("entries for each")
                    .isCloseTo(entries, withinPercentage(5.0));
            assertThat(bytes * innerNodes * (TARGET_KEYS / MANY_KEYS))
                    .as("bytes for 10^7 entries")
                    .isLessThan(TARGET_BYTES);
        });
    }
}
