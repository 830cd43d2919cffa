package dev.remus.tools.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The page that compares several runs: their differences in options and in results. */
final class ComparisonPage {
    private static final Set<String> NOT_COMPARED = Set.of("--cluster", "--out", "--node-id", "--report");

    /** A row of the table: a value of each run; {@code better} is 1 if more is better, -1 if less is, else 0. */
    private record Row(String name, Function<Run, Optional<Double>> value, Function<Double, String> text, int better) {}

    private static final List<Row> ROWS = List.of(
            new Row("operations per second", r -> r.metric("throughput"), v -> Text.number(v.doubleValue()), 1),
            new Row("operations", r -> r.metric("op_count"), v -> Text.number(v.doubleValue()), 0),
            new Row("time", r -> r.metric("duration"), v -> Text.number(v / 1e6) + " s", 0),
            new Row(
                    "round trips per operation",
                    r -> Optional.ofNullable(r.remotePerOperation().get("round trips")),
                    v -> Text.number(v.doubleValue()),
                    -1));

    private final Map<String, Run> runs;

    /** @param runs the runs by their names on the page */
    ComparisonPage(Map<String, Run> runs) {
        this.runs = new LinkedHashMap<>(runs);
    }

    String toHtml() {
        Html page = new Html(runs.size() + " runs compared");
        page.text("h1", runs.size() + " runs compared");
        page.raw("<p class=\"soft\">The best value of a row is marked.</p>");
        page.raw("<div class=\"scroll\"><table><tr><th></th>");
        runs.keySet().forEach(name -> page.raw("<th class=\"n\">" + Text.escape(name) + "</th>"));
        page.raw("</tr>");
        differences().forEach((option, values) -> textRow(page, option, values));
        ROWS.forEach(row -> numberRow(page, row));
        percentileRows().forEach(row -> numberRow(page, row));
        page.raw("<tr><td>books</td>");
        runs.values()
                .forEach(run -> page.raw(
                        "<td class=\"n " + (run.isBalanced() ? "good\">balanced" : "bad\">NOT BALANCED") + "</td>"));
        page.raw("</tr></table></div><div class=\"charts below\">");
        BarChart throughput = new BarChart("Operations per second of each run");
        runs.forEach((name, run) -> run.metric("throughput")
                .ifPresent(v -> throughput.bar(name, "throughput", v, Text.number(v.doubleValue()))));
        page.chart(throughput);
        new Charts(runs).all().values().forEach(page::chart);
        page.raw("</div>");
        return page.toString();
    }

    /** The options in which the runs differ, with the value in each run. */
    private Map<String, List<String>> differences() {
        Set<String> names = new LinkedHashSet<>();
        runs.values().forEach(run -> names.addAll(run.options().keySet()));
        names.removeAll(NOT_COMPARED);
        Map<String, List<String>> differences = new LinkedHashMap<>();
        List<String> subjects = runs.values().stream().map(Run::subject).toList();
        if (subjects.stream().distinct().count() > 1) {
            differences.put("structure", subjects);
        }
        for (String name : names) {
            List<String> values = runs.values().stream()
                    .map(run -> run.options().getOrDefault(name, ""))
                    .toList();
            if (values.stream().distinct().count() > 1) {
                differences.put(name, values);
            }
        }
        return differences;
    }

    private List<Row> percentileRows() {
        Set<String> operations = new LinkedHashSet<>();
        runs.values().forEach(run -> operations.addAll(run.latencyCurves().keySet()));
        List<Row> rows = new ArrayList<>();
        for (String operation : operations) {
            for (String percentile : List.of("50", "99", "99.9")) {
                rows.add(new Row(
                        operation + " p" + percentile,
                        run -> Optional.ofNullable(run.latencyCurves().get(operation))
                                .map(curve -> curve.get(percentile)),
                        v -> Text.time(v),
                        -1));
            }
        }
        return rows;
    }

    private static void textRow(Html page, String name, List<String> values) {
        page.raw("<tr><td><code>" + Text.escape(name) + "</code></td>");
        values.forEach(value -> page.raw("<td class=\"n\">" + Text.escape(value) + "</td>"));
        page.raw("</tr>");
    }

    private void numberRow(Html page, Row row) {
        List<Double> values = runs.values().stream()
                .map(run -> row.value().apply(run).orElse(null))
                .toList();
        List<Double> known = values.stream().filter(Objects::nonNull).toList();
        if (known.isEmpty()) {
            return;
        }
        double best = row.better()
                * known.stream().mapToDouble(v -> v * row.better()).max().orElse(0);
        page.raw("<tr><td>" + Text.escape(row.name()) + "</td>");
        for (Double value : values) {
            boolean marked = value != null && row.better() != 0 && known.size() > 1 && value == best;
            page.raw("<td class=\"n" + (marked ? " best" : "") + "\">"
                    + (value == null ? "" : Text.escape(row.text().apply(value))) + "</td>");
        }
        page.raw("</tr>");
    }
}
