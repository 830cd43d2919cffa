// SPDX-License-Identifier: Apache-2.0
package dev.remus.cloudlab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The experiment of the lock-free queue's paper on six machines, which are addresses of this one. */
@Tag("processes")
@Tag("programs")
@Tag("any-jdk")
@EnabledOnOs(OS.LINUX)
@Timeout(600)
class QueuesExperimentTest {
    private static final List<String> ADDRESSES =
            List.of("127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5", "127.0.0.6", "127.0.0.7");

    @TempDir
    private Path folder;

    /** Queue bd needs most memory. The queue of the warm-up has a capacity of its own. */
    @Test
    void twelveThreadsOnEachOfSixMachinesHaveRoomForTheirItemsAndEachSeriesHasAPicture() throws Exception {
        String missing = Machines.missing().orElse("");
        assumeTrue(missing.isEmpty(), missing);
        try (Machines machines = Machines.start(folder, ADDRESSES)) {
            String experiment = machines.experiment(
                    "few-operations",
                    "source '" + Shell.CLOUDLAB.resolve("experiments/queues.sh") + "'",
                    "experiment_args=${experiment_args/--fabric verbs/--fabric shm}",
                    "experiment_args=${experiment_args/--num-ops 10000/--num-ops 2}",
                    "experiment_args=${experiment_args/--warm-up 1/--warm-up 0.1}",
                    "sweep=(\"queue bd nd\" \"cn-threads 12\")",
                    "repetitions=1");
            Shell.Ended sweep = machines.cl("sweep", experiment);
            assertThat(sweep.status()).as(sweep.output()).isZero();
            assertThat(sweep.output()).doesNotContain("line "); // as in an error of the shell
            Path results = machines.results().resolve("few-operations");
            List<String> table = Files.readAllLines(results.resolve("few-operations.csv"));
            assertThat(table).hasSize(3); // the names of columns, bd and nd
            assertThat(Shell.read(results.resolve("queue=bd,cn-threads=12,repetition=1/arguments.txt")))
                    .contains("--capacity 10001", "--seg-size 27", "--warm-up 0.1", "--num-ops 2 ");
            for (String series : List.of("throughput", "enq_all_mean_ns", "deq_hop_mean_ns", "bcast_all_mean_ns")) {
                assertThat(results.resolve("few-operations-" + series + "-by-threads.png"))
                        .isNotEmptyFile();
            }
        }
    }
}
