// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.remus.cli.progress.ProgressLog;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RatesTest {
    private static ProgressLog.Entry entry(double seconds, int node, String phase, long done) {
        return new ProgressLog.Entry(seconds, node, phase, done);
    }

    @Test
    void nodesOfConstantSpeedHaveThatSpeedInAllIntervalsAndTheSumIsThatOfBoth() {
        List<ProgressLog.Entry> log = new ArrayList<>();
        log.add(entry(1, 1, "prefill", 500));
        for (int i = 0; i <= 16; i++) {
            log.add(entry(1 + i * 0.25, 1, "run", i * 25L));
            log.add(entry(1 + i * 0.25, 2, "run", i * 50L));
        }
        List<Rates.Rate> rates = Rates.of(log, "run");
        assertThat(rates.stream().filter(r -> r.node() == 1))
                .isNotEmpty()
                .allSatisfy(r -> assertThat(r.perSecond()).isCloseTo(100, within(12.0)));
        assertThat(rates.stream().filter(r -> r.node() == 2 && r.seconds() > 0.5))
                .isNotEmpty()
                .allSatisfy(r -> assertThat(r.perSecond()).isCloseTo(200, within(0.01)));
        assertThat(Rates.sum(rates).get(2).perSecond()).isCloseTo(300, within(0.01));
    }

    @Test
    void theRatesAddUpToAllOperations() {
        List<ProgressLog.Entry> log =
                List.of(entry(0.1, 1, "run", 10), entry(0.4, 1, "run", 700), entry(2.1, 1, "run", 1000));
        List<Rates.Rate> rates = Rates.of(log, "run");
        double width = rates.get(1).seconds() - rates.get(0).seconds();
        assertThat(rates.stream().mapToDouble(r -> r.perSecond() * width).sum()).isCloseTo(1000, within(0.01));
    }

    @Test
    void aRunThatEndsAtOnceHasNoRates() {
        assertThat(Rates.of(List.of(), "run")).isEmpty();
        assertThat(Rates.of(List.of(entry(0.2, 1, "run", 40)), "run")).isEmpty();
    }
}
