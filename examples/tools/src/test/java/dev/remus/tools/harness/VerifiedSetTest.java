// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.remus.config.Reclamation;
import dev.remus.tools.verify.Verification;
import dev.remus.tools.verify.VerifyOption;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --verify} of the experiment with sets. */
@Timeout(120)
@Tag("any-jdk")
class VerifiedSetTest {
    private static final IntSetWorkload WORKLOAD = IntSetWorkload.defaults()
            .withKeys(0, 9)
            .withRatios(30, 30)
            .withOperations(2_000)
            .withSeed(42);

    @TempDir
    private Path folder;

    private static IntSetFactory set(String name) {
        return IntSetClass.of(IntSetNames.className(name), ClassPath.none());
    }

    @ParameterizedTest
    @ValueSource(strings = {"lazy", "fast", "cached", "lockfree"})
    void theSetsAreLinearizable(String name) throws Exception {
        IntSetResult result = OneJvm.verify(set(name), WORKLOAD);
        assertThat(new ResultTable(result).toString()).endsWith("\nverified 8,000 operations: linearizable\n");
        assertThat(result.verification().orElseThrow().write(folder)).isEmpty();
    }

    /** Barriers make the threads take turns, however they are scheduled. */
    @Test
    void aSetThatAnswersFromAStaleCopyBalancesItsBooksAndIsFound() throws Exception {
        UnbalancedException e = catchThrowableOfType(
                UnbalancedException.class,
                () -> OneJvm.verify(
                        OneJvm.cluster().reclaim(Reclamation.BARRIER).build(),
                        set(StaleSet.class.getName()),
                        WORKLOAD.withReclaimEvery(16)));
        assertThat(e)
                .hasMessageContaining("the set does not keep its promise: not linearizable: no order of the operations"
                        + " explains that contains(")
                .hasMessageContaining("found: balanced");
        Verification verification = e.result().verification().orElseThrow();
        assertThat(verification.line()).isEqualTo("verified 8,000 operations: NOT LINEARIZABLE");
        assertThat(verification.write(folder).orElseThrow())
                .hasFileName("history.txt")
                .content(UTF_8)
                .contains("thread ", "contains(", "\u25c4", "not linearizable");
        assertThat(folder.resolve("history.csv"))
                .content(UTF_8)
                .startsWith("thread,operation,result,called_ns,returned_ns\n")
                .contains("contains(");
    }

    @Test
    void aRunWithATimeLimitEndsWhenItsLogsAreFull() throws Exception {
        IntSetResult result =
                OneJvm.verify(set("fast"), WORKLOAD.withKeys(0, 0).with(RunLength.ofNanos(3_600_000_000_000L)));
        assertThat(result.verification().orElseThrow().isAccepted()).isTrue();
        assertThat(result.get(Metric.OP_COUNT)).isBetween(VerifyOption.MOST / 4L, (long) VerifyOption.MOST);
    }

    @Test
    void withoutTheOptionNothingIsJudged() throws Exception {
        IntSetResult result = OneJvm.run(set("fast"), WORKLOAD);
        assertThat(result.verification()).isEmpty();
        assertThat(new ResultTable(result).toString()).doesNotContain("verified");
    }

    @Test
    void moreOperationsThanFitIntoMemoryAreRejected() {
        assertThat(verifies("--verify", "--num-ops", "500000")).isTrue();
        assertThat(verifies("--verify", "--num-ops", "500001", "--run-time", "1"))
                .isTrue();
        assertThat(verifies("--num-ops", "500001")).isFalse();
        assertThatThrownBy(() -> verifies("--verify", "--num-ops", "500001"))
                .hasMessageContaining("all threads together may record 2,000,000 operations, and might make 2,000,004");
        assertThatThrownBy(() -> verifies("--verify", "--num-ops", "1000000000000"))
                .hasMessageContaining("--num-ops: got '1000000000000', needs a lower number with --verify");
    }

    private static boolean verifies(String... words) {
        var arguments = IntSetOptionsTest.parse(words);
        return IntSetOptions.verifies(arguments, IntSetOptions.workload(arguments));
    }
}
