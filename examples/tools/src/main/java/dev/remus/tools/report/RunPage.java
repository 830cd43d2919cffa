// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.report;

import dev.remus.tools.plot.Figure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The page of one run. */
final class RunPage {
    private final Run run;
    private final Map<String, String> origin;

    /** @param origin the command line, hardware and software of the run, by name */
    RunPage(Run run, Map<String, String> origin) {
        this.run = run;
        this.origin = origin;
    }

    String toHtml() throws IOException {
        Map<String, Run> alone = Map.of(run.name(), run);
        Html page = new Html(run.name());
        page.text("h1", run.subject() + " \u2013 " + run.name());
        page.raw("<p class=\"soft\">"
                + Text.escape(run.fact("finished").orElse("").replaceFirst("\\.\\d+", "")) + ", seed "
                + Text.escape(run.fact("seed").orElse("?")) + "</p>");
        run.fact("emulated_latency")
                .ifPresent(latency -> page.text(
                        "p",
                        "The latency of operations was emulated (" + latency + "): no figure is one of hardware."));
        page.raw("<p>Books: " + Text.escape(run.books()) + ": <span class=\"" + verdict(run) + "</span></p>");
        page.raw("<div class=\"figures\">");
        run.metric("throughput").ifPresent(v -> page.figure(Text.number(v), "operations per second"));
        run.metric("op_count").ifPresent(v -> page.figure(Text.number(v), "operations"));
        run.metric("duration").ifPresent(v -> page.figure(Text.number(v / 1e6) + " s", "time"));
        run.metric("threads").ifPresent(v -> page.figure(Text.number(v), "Compute Threads"));
        Double trips = run.remotePerOperation().get("round trips");
        if (trips != null) {
            page.figure(Text.number(trips), "round trips per operation");
        }
        page.raw("</div><div class=\"charts\">");
        Map<String, Figure> charts = new Charts(alone).all();
        for (Figure chart : charts.values()) {
            page.chart(chart);
        }
        page.raw("</div>");
        notes(charts.keySet()).forEach(note -> page.raw("<p class=\"soft\">" + note + "</p>"));
        page.raw("<div class=\"below\">");
        Map<String, String> metrics = new LinkedHashMap<>();
        run.section("metrics").forEach((name, value) -> metrics.put(name, Text.number(value)));
        table(page, "All figures (durations in µs unless the name has another unit)", metrics, true);
        table(page, "Options", run.options(), false);
        table(page, "Origin", origin, false);
        page.raw(
                "</div><p class=\"soft\">To repeat this run: <code>./remus repeat FOLDER</code>; to compare it with others: <code>./remus report FOLDER FOLDER ...</code></p>");
        return page.toString();
    }

    /** What a reader might ask about the charts. */
    private List<String> notes(Set<String> charts) {
        List<String> notes = new ArrayList<>();
        if (charts.contains("memory")) {
            notes.add("A segment that is 100 % used is no fault: freed blocks are allocated again.");
        }
        boolean lacksLatencies = charts.contains("latency") && !charts.contains("latency-over-time");
        if (!charts.contains("throughput")) {
            notes.add("The run was too short for throughput" + (lacksLatencies ? " and latency" : "")
                    + " over time: nodes report four times a second.");
        } else if (lacksLatencies) {
            notes.add("The run was too short for latency over time.");
        }
        return notes;
    }

    /** The class and the text of the result of the audit. */
    static String verdict(Run run) {
        if (!run.hasAudit()) {
            return "soft\">not audited";
        }
        return run.isBalanced() ? "good\">balanced" : "bad\">NOT BALANCED";
    }

    private static void table(Html page, String title, Map<String, String> rows, boolean numbers) {
        if (rows.isEmpty()) {
            return;
        }
        page.raw("<details><summary>" + Text.escape(title) + "</summary><div class=\"scroll\"><table class=\"wrap\">");
        rows.forEach((name, value) -> page.raw("<tr><td><code>" + Text.escape(name) + "</code></td><td"
                + (numbers ? " class=\"n\"" : "") + ">" + Text.escape(value) + "</td></tr>"));
        page.raw("</table></div></details>");
    }
}
