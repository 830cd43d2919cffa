package dev.remus.fabric.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
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
        List<Long> nanos = new ArrayList<>();
        ClusterConfig config =
                SimulatedCluster.small(threads).checkMemory(false).build();
        Schedule schedule = new Schedule(1, new RandomScheduler(1), Set.of(), Set.of())
                .observedBy(simulator -> simulator.costs(MODEL).maxSteps(10_000_000));
        new SimulatedCluster(config, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        long word = ct.allocate(Long.BYTES);
                        ct.write(word, 0);
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
        // 16 threads want one each in 4000 ns, and the word lets one through every 500 ns
        assertThat(measure(16, (word, ct) -> ct.fetchAndAdd(word, 1)))
                .allSatisfy(nanos -> assertThat(nanos).isBetween(7_000L, 8_100L));
    }

    @Test
    void theModelsThatComeWithItCanBeRead() throws Exception {
        assertThat(CostModel.read("infiniband-fdr").addressGap()).isEqualTo(446);
        assertThat(CostModel.read("soft-roce").read()).isEqualTo(25_000);
    }

    @Test
    void aFigureWithoutASourceIsRefused() throws Exception {
        Path file = folder.resolve("mine.properties");
        Files.writeString(file, "latency.read = 5\n");
        assertThatThrownBy(() -> CostModel.read(file.toString()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("latency.read.source");
    }
}
