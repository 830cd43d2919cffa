// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.tools.bench.suite.OtherLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The results on one JDK as a text table. */
final class OutcomeTable {
    private static final String NOTHING = "-";

    private final JdkOutcome outcome;
    private final double otherLoad;

    /** @param otherLoad the share of the processors that others used meanwhile */
    OutcomeTable(JdkOutcome outcome, double otherLoad) {
        this.outcome = outcome;
        this.otherLoad = otherLoad;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(
                "Java " + outcome.jdk().version() + " (" + outcome.jdk().home() + "), ns per operation\n");
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "operation", "reference", "ComputeThread", "ratio", "field", "ratio", "B/op", "target", "verdict"));
        outcome.outcomes().forEach(each -> rows.add(row(each)));
        appendAligned(rows, text);
        if (!OtherLoad.isTooBusy(otherLoad)) {
            outcome.outcomes().forEach(each -> appendMisses(each, text));
        }
        return text.toString();
    }

    private List<String> row(Outcome each) {
        return List.of(
                each.subject().title(),
                text(each.reference()),
                text(each.thread()),
                ratio(each.ratio(each.thread())),
                text(each.field()),
                ratio(each.ratio(each.field())),
                each.bytes()
                        .map(bytes -> String.format(Locale.ROOT, "%.2f", bytes))
                        .orElse(NOTHING),
                each.subject().targets(),
                each.verdict(otherLoad));
    }

    private static String text(Optional<Measurement> measurement) {
        return measurement.map(Measurement::toString).orElse(NOTHING);
    }

    private static String ratio(Optional<Double> ratio) {
        return ratio.map(value -> String.format(Locale.ROOT, "%.2f", value)).orElse(NOTHING);
    }

    /** Aligns the first column and the last two to the left, and figures to the right. */
    private static void appendAligned(List<List<String>> rows, StringBuilder text) {
        int columns = rows.get(0).size();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                int column = i;
                int width = rows.stream()
                        .mapToInt(each -> each.get(column).length())
                        .max()
                        .orElse(0);
                boolean left = i == 0 || i >= columns - 2;
                line.append(i == 0 ? "" : "  ").append(String.format((left ? "%-" : "%") + width + "s", row.get(i)));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
    }

    private static void appendMisses(Outcome each, StringBuilder text) {
        if (!each.misses().isEmpty()) {
            text.append("MISS ")
                    .append(each.subject().title())
                    .append(": ")
                    .append(String.join("; ", each.misses()))
                    .append(Optional.of(each.subject())
                            .filter(subject -> each.isTooSlow())
                            .flatMap(KnownMisses::reason)
                            .map(reason -> ". " + reason)
                            .orElse(""))
                    .append('\n');
        }
    }
}
