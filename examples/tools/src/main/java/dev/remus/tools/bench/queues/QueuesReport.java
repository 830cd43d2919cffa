// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.queues;

import dev.remus.tools.bench.suite.OtherLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The results as a table, and as {@code queues.csv} with a line for each race, queue and round.
 *
 * @param throughputs the measurements
 * @param subjects the queues
 * @param rounds the number of measurements of each queue
 * @param items the items of each producer in a round
 * @param capacity the capacity of each queue in items
 * @param otherLoad the share of the processors that other processes used meanwhile
 */
record QueuesReport(
        Throughputs throughputs,
        List<QueueUnderTest> subjects,
        int rounds,
        long items,
        int capacity,
        double otherLoad) {
    private static final String LINE = "%-27s  %-26s  %22s  %5s  %-6s  %s";

    String toText() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "Java %s, %d rounds of %,d items a producer, room for %,d; million items/s: minimum / median / maximum;"
                        + " %s%n",
                Runtime.version().feature(),
                rounds,
                items,
                capacity,
                OtherLoad.describe(otherLoad)));
        append(text, "", "queue", "throughput", "ratio", "target", "verdict");
        for (Race race : Race.ALL) {
            for (QueueUnderTest subject : subjects) {
                append(text, race, subject);
            }
        }
        return text.toString();
    }

    private void append(StringBuilder text, Race race, QueueUnderTest subject) {
        List<Double> values = throughputs.of(race, subject);
        double ratio = throughputs.ratio(race, subject);
        Optional<Double> target = race.target(subject);
        boolean compared = subject != QueueUnderTest.AGRONA && !Double.isNaN(ratio);
        append(
                text,
                subject == subjects.get(0) ? race.toString() : "",
                subject.title(),
                String.format(
                        Locale.ROOT,
                        "%.1f / %.1f / %.1f",
                        Collections.min(values) / 1e6,
                        Throughputs.median(values) / 1e6,
                        Collections.max(values) / 1e6),
                compared ? String.format(Locale.ROOT, "%.2f", ratio) : "",
                compared
                        ? target.map(t -> String.format(Locale.ROOT, ">= %.1f", t))
                                .orElse("")
                        : "",
                compared
                        ? target.map(t -> OtherLoad.verdict(ratio >= t, otherLoad))
                                .orElse("")
                        : "");
    }

    private static void append(StringBuilder text, Object... columns) {
        text.append(String.format(Locale.ROOT, LINE, columns).stripTrailing()).append('\n');
    }

    void writeTo(Path folder) throws IOException {
        StringBuilder csv = new StringBuilder("producers,batch,queue,round,items_per_second\n");
        for (Race race : Race.ALL) {
            for (QueueUnderTest subject : subjects) {
                List<Double> values = throughputs.of(race, subject);
                for (int round = 0; round < values.size(); round++) {
                    csv.append(String.format(
                            Locale.ROOT,
                            "%d,%d,%s,%d,%.0f%n",
                            race.producers(),
                            race.batch(),
                            subject.title(),
                            round + 1,
                            values.get(round)));
                }
            }
        }
        Files.writeString(folder.resolve("queues.csv"), csv);
        Files.writeString(folder.resolve("queues.txt"), toText());
    }
}
