// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.CostModel;
import dev.remus.fabric.LocalCost;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CostModelTest {
    private static final CostModel MODEL = new CostModel("test", 1000, 2000, 4000, 10, 0, 500, 1_000_000_000);
    private static final int OPERATIONS = 100;

    @TempDir
    Path folder;

    private interface Work {
        void once(long word, ComputeThread ct);
    }

    /** How long each thread took for one operation, on average. */
    private static List<Long> measure(int threads, Work work) throws Exception {
        return measure(MODEL, SimulatedCluster.small(threads), work);
    }

    private static List<Long> measure(CostModel model, ClusterConfig.Builder cluster, Work work) throws Exception {
        List<Long> nanos = new ArrayList<>();
        ClusterConfig config = cluster.checkMemory(false).build();
        Schedule schedule = new Schedule(1, new RandomScheduler(1), Set.of(), Set.of())
                .observedBy(simulator -> simulator.costs(model).maxSteps(10_000_000));
        new SimulatedCluster(config, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        long word = ct.allocate(2 * Long.BYTES);
                        ct.write(word, 0);
                        ct.write(word + Long.BYTES, 0);
                        ct.root().set(new RdmaPtr<>(word));
                    }
                })
                .run(ct -> {
                    long word = ct.root().get().raw();
                    long start = ct.nanoTime();
                    for (int i = 0; i < OPERATIONS; i++) {
                        work.once(word, ct);
                    }
                    nanos.add((ct.nanoTime() - start) / OPERATIONS);
                });
        return nanos;
    }

    @Test
    void anOperationThatIsAloneTakesItsLatency() throws Exception {
        Work onlyOne = (word, ct) -> {
            if (ct.id() == 0) {
                ct.read(word);
            }
        };
        assertThat(measure(2, onlyOne)).anySatisfy(nanos -> assertThat(nanos).isBetween(1000L, 1010L));
        Work swap = (word, ct) -> {
            if (ct.id() == 0) {
                ct.fetchAndAdd(word, 1);
            }
        };
        assertThat(measure(2, swap)).anySatisfy(nanos -> assertThat(nanos).isBetween(4000L, 4010L));
    }

    @Test
    void atomicsOnOneWordWaitForEachOther() throws Exception {
        // 16 threads post one each in 4000 ns, and the word admits one every 500 ns
        assertThat(measure(16, (word, ct) -> ct.fetchAndAdd(word, 1)))
                .allSatisfy(nanos -> assertThat(nanos).isBetween(7_000L, 8_100L));
    }

    @Test
    void anAtomicThatWaitsForItsWordDoesNotDelayAtomicsOnOtherWords() throws Exception {
        ClusterConfig.Builder oneLaneEach =
                SimulatedCluster.small(16).computeNodes(2, 17).threadsPerNode(1);
        Work ownOfThread0 = (word, ct) -> ct.fetchAndAdd(ct.id() == 0 ? word + Long.BYTES : word, 1);
        List<Long> nanos = measure(MODEL, oneLaneEach, ownOfThread0);
        assertThat(nanos).filteredOn(each -> each < 4_100).hasSize(1);
        assertThat(nanos).filteredOn(each -> each > 6_500).hasSize(15);
    }

    /** One node, which is both a Memory Node and a Compute Node. */
    private static ClusterConfig.Builder oneNode(int threads) {
        return ClusterConfig.builder()
                .cluster("one")
                .memoryNodes(0, 0)
                .computeNodes(0, 0)
                .threadsPerNode(threads)
                .segmentSizeLog2(14);
    }

    @Test
    void anAccessToTheOwnNodeTakesItsLocalLatencyAndOthersWaitForAnAtomic() throws Exception {
        CostModel local = MODEL.withLocal(new LocalCost(30, 40, 70, 20));
        assertThat(measure(local, oneNode(1), (word, ct) -> ct.read(word))).containsExactly(30L);
        assertThat(measure(local, oneNode(1), (word, ct) -> ct.write(word, 1)))
                .allSatisfy(nanos -> assertThat(nanos).isBetween(35L, 40L)); // not each one is signalled
        assertThat(measure(local, oneNode(1), (word, ct) -> ct.fetchAndAdd(word, 1)))
                .containsExactly(70L);
        assertThat(measure(local, oneNode(8), (word, ct) -> ct.fetchAndAdd(word, 1)))
                .allSatisfy(nanos -> assertThat(nanos).isBetween(140L, 165L));
    }

    @Test
    void withALocalLatencyReadingTheClockAddsNextToNothingAndAWaiterSpins() {
        Timing local = new Timing(MODEL.withLocal(new LocalCost(30, 40, 70, 20)));
        assertThat(local.clock()).isEqualTo(1);
        assertThat(List.of(0, 64, 65, 74, 10_000, Integer.MAX_VALUE))
                .extracting(local::pause)
                .containsExactly(30L, 30L, 30L, 300L, 64_000L, 64_000L);
    }

    @Test
    void withoutALocalLatencyReadingTheClockAndWaitingCostWhatTheyDid() {
        Timing card = new Timing(MODEL);
        assertThat(card.clock()).isEqualTo(25);
        assertThat(List.of(0, 1, 7, 10_000)).extracting(card::pause).containsExactly(500L, 1_000L, 64_000L, 64_000L);
    }

    @Test
    void withoutALocalLatencyAnAccessToTheOwnNodeGoesThroughTheCard() throws Exception {
        assertThat(measure(MODEL, oneNode(1), (word, ct) -> ct.read(word)))
                .allSatisfy(nanos -> assertThat(nanos).isBetween(1000L, 1010L));
    }

    @Test
    void aLocalLatencyOutOfRangeIsRejected() {
        assertThatThrownBy(() -> new LocalCost(0, 1, 1, 0)).hasMessageContaining("needs 1 to 1000000 ns");
        assertThatThrownBy(() -> new LocalCost(1, 1, 1_000_001, 0)).hasMessageContaining("1000001 ns");
        assertThatThrownBy(() -> new LocalCost(1, 1, 1, -1)).hasMessageContaining("gap of -1 ns");
    }

    @Test
    void theModelsThatComeWithItCanBeRead() throws Exception {
        assertThat(CostModel.read("infiniband-fdr").addressGap()).isEqualTo(446);
        assertThat(CostModel.read("soft-roce").read()).isEqualTo(25_000);
        assertThat(CostModel.read("soft-roce").local()).isEmpty();
        assertThat(CostModel.read("mpi-on-infiniband").local()).contains(new LocalCost(29, 28, 71, 20));
    }

    @Test
    void aFigureWithoutASourceIsRefused() throws Exception {
        Path file = folder.resolve("mine.properties");
        Files.writeString(file, "latency.read = 5\n");
        assertThatThrownBy(() -> CostModel.read(file.toString()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("latency.read.source");
    }

    @Test
    void aFileWithALocalFigureNeedsAllOfThem() throws Exception {
        StringBuilder text = new StringBuilder();
        for (String name : List.of(
                "latency.read",
                "latency.write",
                "latency.atomic",
                "gap.message",
                "gap.atomic.card",
                "gap.atomic.address",
                "bandwidth.bytes.per.second",
                "latency.local.read")) {
            text.append(name).append(" = 5\n").append(name).append(".source = measured\n");
        }
        Path file = Files.writeString(folder.resolve("mine.properties"), text);
        assertThatThrownBy(() -> CostModel.read(file.toString()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("latency.local.write");
    }
}
