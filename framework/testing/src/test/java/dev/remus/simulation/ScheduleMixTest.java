// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.PctScheduler;
import dev.remus.fabric.sim.PosScheduler;
import dev.remus.fabric.sim.RandomScheduler;
import dev.remus.fabric.sim.SurwScheduler;
import dev.remus.fabric.sim.Weakness;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ScheduleMixTest {
    private static final int SEEDS = 20_000;
    private static final Map<Class<?>, String> NAMES = Map.of(
            PosScheduler.class, "pos",
            SurwScheduler.class, "surw",
            PctScheduler.class, "pct",
            RandomScheduler.class, "random");

    private static Map<String, Long> counts(Function<Schedule, String> part) {
        return LongStream.range(0, SEEDS)
                .mapToObj(ScheduleMix.DELAYS::schedule)
                .collect(Collectors.groupingBy(part, Collectors.counting()));
    }

    private static String faults(Schedule schedule) {
        if (!schedule.strikes().isEmpty()) {
            return "late-requests again and again";
        }
        return schedule.faults().isEmpty()
                ? "none"
                : schedule.faults().stream()
                        .sorted()
                        .map(fault ->
                                fault.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'))
                        .collect(Collectors.joining(","));
    }

    private static void assertShares(Map<String, Long> counts, String shares) {
        Matcher share = Pattern.compile("(\\d+) % ([^,]+(,late-requests)?)").matcher(shares);
        int sum = 0;
        int parts = 0;
        while (share.find()) {
            int percent = Integer.parseInt(share.group(1));
            sum += percent;
            parts++;
            assertThat(counts).containsKey(share.group(2));
            assertThat(100.0 * counts.get(share.group(2)) / SEEDS).isCloseTo(percent, within(1.5));
        }
        assertThat(sum).isEqualTo(100);
        assertThat(counts).hasSize(parts);
    }

    @Test
    void schedulersAndFaultsHaveTheSharesThatArePrinted() {
        String[] shares = ScheduleMix.DELAYS.shares().split("; faults: ");
        assertShares(counts(s -> NAMES.get(s.scheduler().getClass())), shares[0]);
        assertShares(counts(ScheduleMixTest::faults), shares[1]);
    }

    @Test
    void aSeedStandsForOneSchedule() {
        for (long seed = 0; seed < 1_000; seed++) {
            Schedule one = ScheduleMix.DELAYS.schedule(seed);
            Schedule other = SchedulerKind.MIX.schedule(seed);
            assertThat(other.seed()).isEqualTo(seed);
            assertThat(other.scheduler()).hasSameClassAs(one.scheduler());
            assertThat(other.faults()).isEqualTo(one.faults());
            assertThat(other.strikes()).isEqualTo(one.strikes());
            assertThat(other.weaknesses()).containsExactlyInAnyOrder(Weakness.values());
        }
    }

    @Test
    void faultsCanBeLeftOutOrReplaced() {
        for (long seed = 0; seed < 100; seed++) {
            Schedule plain = ScheduleMix.DELAYS.schedule(seed).withoutFaults();
            assertThat(plain.faults()).isEmpty();
            assertThat(plain.strikes()).isEmpty();
            assertThat(plain.withFaults(Set.of(Fault.SLOW_NODES)).faults()).containsExactly(Fault.SLOW_NODES);
        }
    }
}
