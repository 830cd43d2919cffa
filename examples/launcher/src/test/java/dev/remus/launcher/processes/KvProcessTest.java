// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("processes")
@Tag("any-jdk")
@Timeout(400)
class KvProcessTest {
    @TempDir
    private Path folder;

    @Test
    void kvRunsAClusterBalancesAndLeavesItsResults() throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        String[] args = {"kv", "--num-ops", "500", "--records", "200", "--workload", "f", "--baseline", "heap"};
        try (Started kv = Started.of(shm, args)) {
            assertThat(kv.await()).as(kv.err()).isZero();
            assertThat(kv.out())
                    .contains("operations     2,000", "on the heap", "200 loaded + 0 added - 0 removed = 200 found")
                    .contains("their values add up: balanced", "results: results/kv-", "report: results/");
        }
        try (Stream<Path> files = Files.walk(folder.resolve("results"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .contains("metrics.txt", "metrics.json", "latency.csv", "provenance.json", "report.html");
        }
    }

    @Test
    void kvJudgesTheOperationsOfSeveralProcesses() throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        String[] args = {"kv", "--num-ops", "500", "--records", "5", "--update", "30", "--remove", "30", "--verify"};
        try (Started kv = Started.of(shm, args)) {
            assertThat(kv.await()).as(kv.err()).isZero();
            assertThat(kv.out()).contains("balanced\nverified 2,000 operations: linearizable\n");
        }
    }

    @Test
    void kvScansAnOrderedMapThatSeveralProcessesShare() throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        String[] args = {"kv", "--map", "tree", "--workload", "e", "--num-ops", "500", "--records", "5000"};
        try (Started kv = Started.of(shm, args)) {
            assertThat(kv.await()).as(kv.err()).isZero();
            assertThat(kv.out())
                    .contains("LongLongTree, 5,000 records", "95 % scan", " entries each")
                    .contains("their values add up: balanced");
        }
    }

    @Test
    void aScanOfAHashMapIsAUsageError() throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        try (Started kv = Started.of(shm, "kv", "--workload", "e")) {
            assertThat(kv.await()).isEqualTo(2);
            assertThat(kv.err()).contains("--workload: got 'e', needs --map tree");
        }
    }

    @Test
    void recordsThatDoNotFitAreAUsageError() throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        try (Started kv = Started.of(shm, "kv", "--records", "1000000")) {
            assertThat(kv.await()).isEqualTo(2);
            assertThat(kv.err()).contains("--records: got '1000000'", "raise --seg-size");
        }
    }
}
