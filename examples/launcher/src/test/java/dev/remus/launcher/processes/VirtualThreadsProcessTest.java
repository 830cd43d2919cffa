// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.tools.torture.TortureSet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs whose Compute Threads are virtual, on one processor, at an emulated latency. */
@Tag("processes")
@Timeout(400)
class VirtualThreadsProcessTest {
    private static final String ABSENT = "virtual threads exist from Java 21 on";

    @TempDir
    private Path folder;

    private Started start(String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--cn-thread-kind=virtual", "--cn-cores=1", "--cn-threads=8", "--latency=2"));
        return Started.of(Files.createDirectory(folder.resolve("shm")), all.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "intset --set=cached --num-ops=200 --key-ub=50",
                "intset --set=lockfree --num-ops=200 --key-ub=50",
                "queue --queue=bd --num-ops=50 --capacity=500",
                "queue --queue=buffered --num-ops=50",
                "queue --queue=nd-published --num-ops=50",
                "queue --queue=scalable --num-ops=50",
                "kv --map=tree --workload=e --num-ops=100 --records=100"
            })
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = ABSENT)
    void otherExperimentsRun(String words) throws Exception {
        try (Started run = start(words.split(" "))) {
            assertThat(run.await()).as(run.err()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hello", "shared-object"})
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = ABSENT)
    void theOutputOfAProgramWithoutResultsStatesItOnce(String words) throws Exception {
        try (Started run = start(words)) {
            assertThat(run.await()).as(run.err()).isZero();
            assertThat(run.out()).containsOnlyOnce("The times of operations are emulated: 2 µs\n");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "intset --num-ops=20 --key-ub=50",
                "queue --queue=nd --num-ops=20",
                "kv --num-ops=20 --records=20"
            })
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = ABSENT)
    void everyResultStatesThatTheLatencyIsEmulated(String words) throws Exception {
        try (Started run = start(words.split(" "))) {
            assertThat(run.await()).as(run.err()).isZero();
            assertThat(run.out()).containsPattern("latency +emulated: 2 µs\n");
        }
        try (Stream<Path> results = Files.list(folder.resolve("results"))) {
            Path result = results.findFirst().orElseThrow();
            assertThat(result.resolve("metrics.json")).content(UTF_8).contains("\"emulated_latency\" : \"2 µs\"");
            assertThat(result.resolve("provenance.json")).content(UTF_8).contains("--latency=2");
            assertThat(result.resolve("report.html")).content(UTF_8).contains("emulated (2 µs)");
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = ABSENT)
    void ctrlCEndsThem() throws Exception {
        try (Started intset = start("intset", "--num-ops=1000000000", "--set=" + TortureSet.class.getName())) {
            intset.awaitOut("torture: create");
            Thread.sleep(600);
            assertThat(intset.endsByInterrupt()).as("%s", intset).isTrue();
            intset.awaitNoChild();
            assertThat(intset.err()).doesNotContain("remus: ");
        }
    }

    @Test
    @EnabledForJreRange(max = JRE.JAVA_20)
    void beforeJava21TheyAreAUsageError() throws Exception {
        try (Started intset = start("intset")) {
            assertThat(intset.await()).isEqualTo(2);
            assertThat(intset.err()).contains("--cn-thread-kind: got 'virtual', needs platform on this Java ");
        }
    }
}
