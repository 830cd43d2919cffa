// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.cli.progress.Progress;
import dev.remus.node.TestCluster;
import dev.remus.options.Arguments;
import dev.remus.tools.harness.RunLength;
import dev.remus.tools.kv.KeyChoice.Distribution;
import dev.remus.tools.verify.Verification;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code --verify} of the experiment with maps. */
@Timeout(120)
@Tag("any-jdk")
class VerifiedMapTest {
    private static final int THREADS = 4;
    private static final KvMix ALL = new KvMix(20, 10, 20, 20);

    @TempDir
    private Path folder;

    private static KvWorkload workload(RunLength length, int records, int valueBytes, KvMix mix) {
        return workload(KvMap.HASH, length, records, valueBytes, mix);
    }

    private static KvWorkload workload(KvMap map, RunLength length, int records, int valueBytes, KvMix mix) {
        KeyChoice choice = new KeyChoice(Distribution.ZIPFIAN, 0.99, 20, 80);
        return new KvWorkload(length, 0, map, records, valueBytes, mix, 100, choice, 0, 7, true);
    }

    private static KvResult run(KvWorkload workload, UnaryOperator<KvStore> usage) throws Exception {
        KvExperiment experiment = new KvExperiment(workload, new Progress(), true, usage);
        AtomicReference<KvResult> result = new AtomicReference<>();
        TestCluster.of(TestCluster.config(1, 2, THREADS / 2).build())
                .run(ct -> experiment.run(ct).ifPresent(result::set));
        return result.get();
    }

    @ParameterizedTest
    @CsvSource({
        "HASH, 8, 3",
        "HASH, 8, 100",
        "HASH, 100, 20",
        "TREE, 8, 3",
        "TREE, 8, 100",
        "TREE, 100, 20",
        "LIST, 8, 3",
        "LIST, 100, 20"
    })
    void theMapsAreLinearizable(KvMap map, int valueBytes, int records) throws Exception {
        KvResult result =
                run(workload(map, RunLength.ofOperations(2_000), records, valueBytes, ALL), UnaryOperator.identity());
        assertThat(result.isBalanced()).as(result.books()).isTrue();
        Verification verification = result.verification().orElseThrow();
        assertThat(verification.line()).matches("verified [0-9,]+ operations: linearizable");
        assertThat(verification.write(folder)).isEmpty();
        assertThat(verification.verdict().operations()).isGreaterThanOrEqualTo(THREADS * 2_000);
    }

    @Test
    void aLogHasRoomForAllOperationsOfARun() throws Exception {
        KvMix mix = new KvMix(30, 0, 0, 30);
        KvResult result = run(workload(RunLength.ofOperations(500), 5, Long.BYTES, mix), UnaryOperator.identity());
        assertThat(result.isRight()).as(result.toTable()).isTrue();
        assertThat(result.toTable())
                .contains("verified 2,000 operations: linearizable")
                .doesNotContain("full");
    }

    /** A map as a thread uses it that believes each third time that nobody else changes a key. */
    private static KvStore stale(KvStore map) {
        return new KvStore() {
            private final Map<Long, Long> known = new HashMap<>();
            private int gets;

            private long know(long key, long value) {
                known.put(key, value);
                return value;
            }

            @Override
            public long get(long key) {
                Long before = known.get(key);
                return ++gets % 3 == 0 && before != null ? before : know(key, map.get(key));
            }

            @Override
            public long put(long key, long value) {
                know(key, value);
                return map.put(key, value);
            }

            @Override
            public boolean replace(long key, long expected, long value) {
                return map.replace(key, expected, value);
            }

            @Override
            public long remove(long key) {
                know(key, MISSING);
                return map.remove(key);
            }
        };
    }

    @Test
    void aMapThatAnswersFromAStaleCopyBalancesItsBooksAndIsFound() throws Exception {
        KvResult result = run(workload(RunLength.ofOperations(2_000), 3, Long.BYTES, ALL), VerifiedMapTest::stale);
        assertThat(result.isBalanced()).as(result.books()).isTrue();
        assertThat(result.isRight()).isFalse();
        Verification verification = result.verification().orElseThrow();
        assertThat(verification.line()).endsWith(" operations: NOT LINEARIZABLE");
        assertThat(verification.write(folder).orElseThrow())
                .hasFileName("history.txt")
                .content(UTF_8)
                .contains("thread ", "(", "\u25c4", "not linearizable");
        assertThat(folder.resolve("history.csv"))
                .content(UTF_8)
                .startsWith("thread,operation,result,called_ns,returned_ns\n");
        assertThat(verification.verdict().evidence().orElseThrow().smallest().size())
                .isLessThan(10);
    }

    /** A map as a thread uses it that takes few operations, like a log, and where replacing fails every other time. */
    private static KvStore ofFew(KvStore map, int operations) {
        return new KvStore() {
            private int done;

            @Override
            public int room() {
                return operations - done;
            }

            @Override
            public long get(long key) {
                done++;
                return map.get(key);
            }

            @Override
            public long put(long key, long value) {
                return map.put(key, value); // loads the records only
            }

            @Override
            public boolean replace(long key, long expected, long value) {
                return ++done % 4 == 0 && map.replace(key, expected, value);
            }

            @Override
            public long remove(long key) {
                throw new AssertionError();
            }
        };
    }

    @ParameterizedTest
    @CsvSource({"1000000000000, 3600000000000", "1000, 0"})
    void aRunEndsWhenItsLogsAreFull(long operations, long nanos) throws Exception {
        RunLength length = new RunLength(operations, nanos);
        KvWorkload workload = workload(length, THREADS, Long.BYTES, new KvMix(0, 0, 100, 0));
        KvResult result = run(workload, map -> ofFew(map, 1001));
        assertThat(result.isBalanced()).as(result.toTable()).isTrue();
        assertThat(result.verification().orElseThrow().verdict().operations()).isEqualTo(THREADS * 1000);
        assertThat(result.toTable()).contains(": the logs of the operations are full\n");
    }

    @Test
    void moreOperationsThanFitIntoMemoryAreRejected() {
        assertThat(verifies("--verify", "--num-ops", "500000")).isTrue();
        assertThat(verifies("--verify", "--run-time", "100", "--workload", "f")).isTrue();
        assertThat(verifies("--num-ops", "500001")).isFalse();
        assertThatThrownBy(() -> verifies("--verify", "--num-ops", "500001"))
                .hasMessageContaining("all threads together may record 2,000,000 operations, and might make 2,000,004");
        assertThatThrownBy(() -> verifies("--verify", "--num-ops", "250001", "--workload", "f"))
                .hasMessageContaining("might make 2,000,008");
        assertThatThrownBy(() -> verifies("--verify", "--warm-up", "1"))
                .hasMessageContaining("--warm-up: got '1', needs a run without --verify, which judges all operations");
        assertThat(verifies("--verify", "--map", "tree")).isTrue();
        assertThatThrownBy(() -> verifies("--verify", "--map", "tree", "--workload", "e"))
                .hasMessageContaining("--verify: needs a mix without scans, since it judges each key by itself");
    }

    private static boolean verifies(String... words) {
        Arguments arguments = KvOptionsTest.parse(words);
        return KvOptions.verifies(arguments, KvOptions.workload(arguments));
    }
}
