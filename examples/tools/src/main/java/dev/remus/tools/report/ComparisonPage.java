// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.report;

import dev.remus.tools.plot.Axis;
import dev.remus.tools.plot.Columns;
import dev.remus.tools.plot.Figure;
import dev.remus.tools.plot.Series;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The page that compares several runs: their differences in options and in results. */
final class ComparisonPage {
    /** A row of the table: a value of each run; {@code better} is 1 if more is better, -1 if less is, else 0. */
    private record Row(String name, Function<Run, Optional<Double>> value, Function<Double, String> text, int better) {}

    private static final List<Row> ROWS = List.of(
            new Row("operations per second", r -> r.metric("throughput"), v -> Text.number(v.doubleValue()), 1),
            new Row("operations", r -> r.metric("op_count"), v -> Text.number(v.doubleValue()), 0),
            new Row("time", r -> r.metric("duration"), v -> Text.number(v / 1e6) + " s", 0),
            new Row("round trips per operation", Run::roundTrips, v -> Text.number(v.doubleValue()), -1));

    private final Differences differences;
    private final Map<String, Run> runs;

    ComparisonPage(Differences differences) {
        this.differences = differences;
        runs = differences.named();
    }

    String toHtml() throws IOException {
        Html page = new Html(runs.size() + " runs compared");
        page.text("h1", runs.size() + " runs compared");
        page.raw("<div class=\"charts\">");
        for (Figure curves : new Curves(differences).all()) {
            page.chart(curves);
        }
        page.raw("</div>");
        page.raw(
                differences.isOneStructure()
                        ? "<p class=\"soft\">The best value of a row is marked.</p>"
                        : "<p class=\"soft\">The runs are of different structures: no value is marked as the best.</p>");
        table(page);
        page.raw("<div class=\"charts below\">");
        if (runs.values().stream().anyMatch(run -> run.metric("throughput").isPresent())) {
            page.chart(throughput());
        }
        Charts charts = new Charts(runs);
        for (Figure chart : charts.all().values()) {
            page.chart(chart);
        }
        page.raw("</div>");
        if (!charts.leftOut().isEmpty()) {
            page.text("p", charts.leftOut());
        }
        return page.toString();
    }

    private void table(Html page) {
        page.raw("<div class=\"scroll\"><table><tr><th></th>");
        runs.keySet().forEach(name -> page.raw("<th class=\"n\">" + Text.escape(name) + "</th>"));
        page.raw("</tr>");
        differences.values().forEach((option, values) -> textRow(page, option, values));
        textRow(page, "folder", runs.values().stream().map(Run::name).toList());
        ROWS.forEach(row -> numberRow(page, row));
        percentileRows().forEach(row -> numberRow(page, row));
        page.raw("<tr><td>books</td>");
        runs.values().forEach(run -> page.raw("<td class=\"n " + RunPage.verdict(run) + "</td>"));
        page.raw("</tr></table></div>");
    }

    private Figure throughput() {
        Figure chart = new Figure(Axis.of(""), Columns.axis("throughput"))
                .title("Operations per second of each run")
                .horizontal();
        Series series = Series.of("throughput");
        runs.forEach((name, run) ->
                run.metric("throughput").ifPresent(v -> series.point(name, v, Text.number(v.doubleValue()))));
        return chart.add(series).size(Charts.height(runs.size()));
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
            boolean marked = differences.isOneStructure()
                    && value != null
                    && row.better() != 0
                    && known.size() > 1
                    && value == best;
            page.raw("<td class=\"n" + (marked ? " best" : "") + "\">"
                    + (value == null ? "" : Text.escape(row.text().apply(value))) + "</td>");
        }
        page.raw("</tr>");
    }
}
