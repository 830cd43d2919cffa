package dev.remus.tools.harness;

import static org.assertj.core.api.Assertions.assertThat;

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
                .contains("\"balanced\" : true", "\"throughput\" : ", "\"reclaim_every\" : 2048");
    }

    private void write() throws Exception {
        IntSetResult result = OneJvm.run(
                IntSetFactory.of("list", LongLazyListSet::create, LongLazyListSet::new),
                IntSetWorkload.defaults().withOperations(10).withKeys(0, 9).withSeed(5));
        new MetricsFiles(result).writeTo(folder, Map.of("--some-option", "its \"value\""));
    }
}
