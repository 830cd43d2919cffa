// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutcomeTest {
    private static Measurement takes(double nanos) {
        return new Measurement(nanos, 0.1, 0.001);
    }

    private static Outcome cas(Measurement reference, Measurement thread, Measurement field) {
        return new Outcome(
                Subject.CAS,
                Map.of(
                        Subject.CAS.reference(), reference,
                        Subject.CAS.thread(), thread,
                        Subject.CAS.field().orElseThrow(), field));
    }

    @Test
    void aMetTargetIsOk() {
        Outcome outcome = cas(takes(5), takes(5.5), takes(6.5));
        assertThat(outcome.verdict(0)).isEqualTo("ok");
        assertThat(outcome.misses()).isEmpty();
    }

    @Test
    void aMissNamesTheFormOfTheOperation() {
        Outcome outcome = cas(takes(5), takes(6), takes(7));
        assertThat(outcome.verdict(0)).isEqualTo("MISS");
        assertThat(outcome.misses())
                .containsExactly("1.20x (+1.0 ns), target <= 1.1x", "1.40x (+2.0 ns) as a field, target <= 1.3x");
    }

    @Test
    void longerReadsMayTakeSomeNanosecondsMore() {
        assertThat(Subject.READ_64.target().isMetBy(2.3, 0.8)).isTrue();
        assertThat(Subject.READ_64.target().isMetBy(2.31, 0.8)).isFalse();
        assertThat(Subject.CONTAINS.target().isMetBy(1800, 1000)).isTrue();
    }

    @Test
    void onABusyMachineThereIsNoVerdictOnTimes() {
        Outcome outcome = cas(takes(5), takes(9), takes(9));
        assertThat(outcome.verdict(0.5)).isEqualTo("too busy to judge");
        JdkOutcome jdk = new JdkOutcome(new Jdk(Path.of("/jdk"), "17.0.1"), List.of(outcome), Map.of());
        assertThat(new OutcomeTable(jdk, 0.5).toString())
                .endsWith("  too busy to judge\n")
                .doesNotContain("MISS");
    }

    @Test
    void anAllocationIsAMiss() {
        Outcome outcome = cas(takes(5), new Measurement(5, 0.1, 24), takes(5));
        assertThat(outcome.misses()).containsExactly("24.0 B/op, target 0");
        assertThat(outcome.isTooSlow()).isFalse();
    }

    @Test
    void allocationByJmhDuringALongOperationDoesNotCount() {
        assertThat(new Measurement(9_000, 1, 3.3).allocatesNothing()).isTrue();
        assertThat(new Measurement(9_000, 1, 16).allocatesNothing()).isFalse();
        assertThat(new Measurement(6, 1, 0.006).allocatesNothing()).isTrue();
        assertThat(new Measurement(6, 1, 0.16).allocatesNothing()).isFalse();
    }

    @Test
    void aMissingMeasurementIsNeitherOkNorAMiss() {
        Outcome outcome = new Outcome(Subject.CAS, Map.of(Subject.CAS.reference(), takes(5)));
        assertThat(outcome.isComplete()).isFalse();
        assertThat(outcome.verdict(0)).isEqualTo("did not run");
        assertThat(outcome.misses()).isEmpty();
    }

    @Test
    void theTableHasALinePerOperationAndOnePerMiss() {
        JdkOutcome jdk = new JdkOutcome(
                new Jdk(Path.of("/jdk"), "17.0.1"), List.of(cas(takes(5), takes(5.5), takes(10))), Map.of());
        assertThat(new OutcomeTable(jdk, 0).toString())
                .startsWith("""
                        Java 17.0.1 (/jdk), ns per operation
                        operation   reference  ComputeThread  ratio        field  ratio  B/op  target                  verdict
                        CAS        5.00 ±0.10     5.50 ±0.10   1.10  10.00 ±0.10   2.00  0.00  <= 1.1x, field <= 1.3x  MISS
                        MISS CAS: 2.00x (+5.0 ns) as a field, target <= 1.3x""")
                .contains(KnownMisses.reason(Subject.CAS).orElse(""))
                .hasLineCount(4);
    }
}
