// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.structures.LongLazyListSet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class MetricsFilesTest {
    @TempDir
    private Path folder;

    @Test
    void metricsTxtHasTheKeysOfTheCppRemusInItsOrderAndThenOurs() throws Exception {
        write();
        assertThat(Files.readAllLines(folder.resolve("metrics.txt")).stream()
                        .map(line -> line.replaceAll(": -?\\d+$", "")))
                .containsExactly(
                        "duration",
                        "get_t",
                        "get_f",
                        "ins_t",
                        "ins_f",
                        "rmv_t",
                        "rmv_f",
                        "op_count",
                        "write",
                        "bytes_write",
                        "read",
                        "bytes_read",
                        "faa",
                        "cas",
                        "prefilled",
                        "round_trips",
                        "cache_hits",
                        "cache_misses",
                        "epochs",
                        "retirements",
                        "retired_most",
                        "retired_in_epoch_most",
                        "reclamation_round_trips",
                        "stalls",
                        "size",
                        "insert_p50_ns",
                        "insert_p99_ns",
                        "insert_p999_ns",
                        "insert_max_ns",
                        "remove_p50_ns",
                        "remove_p99_ns",
                        "remove_p999_ns",
                        "remove_max_ns");
    }

    @Test
    void metricsJsonHasTheFiguresTheOptionsAndTheSeed() throws Exception {
        write();
        assertThat(Files.readString(folder.resolve("metrics.json")))
                .contains("\"seed\" : 5", "\"op_count\" : 40", "\"--some-option\" : \"its \\\"value\\\"\"")
                .contains("\"balanced\" : true", "\"throughput\" : ")
                .doesNotContain("reclaim_every");
    }

    @Test
    void metricsJsonHasTheOperationsBetweenBarriersIfThereAreBarriers() throws Exception {
        write(OneJvm.cluster().reclaim(Reclamation.BARRIER).build());
        assertThat(Files.readString(folder.resolve("metrics.json"))).contains("\"reclaim_every\" : 2048");
    }

    private void write() throws Exception {
        write(OneJvm.cluster().build());
    }

    private void write(ClusterConfig cluster) throws Exception {
        IntSetResult result = OneJvm.run(
                cluster,
                IntSetFactory.of("list", LongLazyListSet::create, LongLazyListSet::new),
                IntSetWorkload.defaults().withOperations(10).withKeys(0, 9).withSeed(5));
        new MetricsFiles(result).writeTo(folder, Map.of("--some-option", "its \"value\""));
    }
}
