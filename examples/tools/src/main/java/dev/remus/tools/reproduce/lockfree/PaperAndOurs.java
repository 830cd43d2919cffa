// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.lockfree;

import dev.remus.tools.plot.RunTable;
import dev.remus.tools.queue.QueueMetric;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;

/** The points of runs, and the paper and ours point by point, as tables in Markdown and as text. */
public final class PaperAndOurs {
    /** The width of a terminal, of a line of text in a document. */
    private static final int MAX_COLUMNS = 110;

    private final QueuePoints points;
    private final boolean isModelled;

    /**
     * Reads the points of runs.
     *
     * @param table their {@code points.csv}
     * @param isModelled whether times are those of the simulator
     */
    public PaperAndOurs(RunTable table, boolean isModelled) {
        this(QueuePoints.of(table), isModelled);
    }

    PaperAndOurs(QueuePoints points, boolean isModelled) {
        this.points = points;
        this.isModelled = isModelled;
    }

    private List<PaperClaim> claims() {
        return new PaperClaims(points, isModelled).all();
    }

    /** The paper's statements beside the results, for a terminal: two or three sentences for each. */
    String text() {
        StringBuilder text = new StringBuilder();
        claims().forEach(claim -> claim.toText().lines().forEach(line -> text.append(wrapped(line))));
        return text.toString();
    }

    /** A line as lines of a readable width, of which all but the first are indented. */
    private static String wrapped(String line) {
        StringBuilder text = new StringBuilder();
        int column = 0;
        for (String word : line.split(" ")) {
            if (column + 1 + word.length() > MAX_COLUMNS) {
                text.append("\n    ").append(word);
                column = 4 + word.length();
            } else {
                text.append(column == 0 ? "" : " ").append(word);
                column += word.length() + (column == 0 ? 0 : 1);
            }
        }
        return text.append('\n').toString();
    }

    /** Two tables: of the points, with the least and the most of several runs, and of the paper and ours. */
    public String toMarkdown() {
        return points() + "\n" + comparison();
    }

    /** A table of the means of all points; times in microseconds. */
    private String points() {
        boolean areSeveralRuns = points.areSeveralRuns();
        StringBuilder text = new StringBuilder("| queue | processes | n | op/s |")
                .append(areSeveralRuns ? " least | most |" : "")
                .append(" enq_all | enq_hop | deq_all | deq_hop | bcast_all |\n|---|---|---|---|")
                .append(areSeveralRuns ? "---|---|" : "")
                .append("---|---|---|---|---|\n");
        for (QueuePoint point : points.means()) {
            text.append(String.format(
                    Locale.ROOT,
                    "| `%s` | %d | %,d | %,.0f |",
                    point.queue(),
                    point.processes(),
                    point.operations(),
                    point.throughput()));
            if (areSeveralRuns) {
                DoubleSummaryStatistics runs = points.runs(point.queue(), point.processes()).stream()
                        .mapToDouble(QueuePoint::throughput)
                        .summaryStatistics();
                text.append(String.format(Locale.ROOT, " %,.0f | %,.0f |", runs.getMin(), runs.getMax()));
            }
            for (QueueMetric part : QueuePoints.PARTS) {
                text.append(
                        point.nanos().containsKey(part)
                                ? String.format(Locale.ROOT, " %.3f |", point.micros(part))
                                : "  |");
            }
            text.append('\n');
        }
        return text.toString();
    }

    /** A table of the paper's setting and statements, ours beside each, and a sentence for each difference. */
    private String comparison() {
        StringBuilder text = new StringBuilder("| the paper | ours | |\n|---|---|---|\n");
        for (List<String> row : isModelled ? modelledSetting() : measuredSetting()) {
            text.append("| ").append(String.join(" | ", row)).append(" |\n");
        }
        for (PaperClaim claim : claims()) {
            text.append("| ")
                    .append(claim.paper())
                    .append(" | ")
                    .append(claim.ours())
                    .append(" | **")
                    .append(claim.verdict())
                    .append("**")
                    .append(claim.why().isEmpty() ? "" : ": " + claim.why())
                    .append(" |\n");
        }
        return text.toString();
    }

    private String operations() {
        return String.format(Locale.ROOT, "n = %,d", points.fewestOperations());
    }

    private List<List<String>> modelledSetting() {
        return List.of(
                List.of(
                        "6 nodes of 12 cores (Xeon X5670), filled one by one",
                        "6 simulated nodes, filled one by one",
                        "**different**: processors cost nothing in the model, and do not slow each other down, so times"
                                + " within a node are a lower bound"),
                List.of(
                        "a network that it does not name",
                        "InfiniBand FDR, from publications",
                        "**different**: with another network, all points beyond one node move up or down together"),
                List.of(
                        "C with Open MPI 4.1.0",
                        "Java, with the times of Open MPI 4.1.4 within a node",
                        "**different**: the code of an operation costs nothing in the model, in any language"),
                ofOperations(),
                ofQueue(),
                ofLocks(),
                ofValues());
    }

    private List<List<String>> measuredSetting() {
        return List.of(
                List.of(
                        "6 nodes of 12 cores (Xeon X5670), filled one by one",
                        "the machine of `provenance.json`, a process for each node",
                        "**different**: with more processes than processors, they wait for each other"),
                List.of("C with Open MPI 4.1.0", "Java", "**different**: compiled after a warm-up that is not timed"),
                ofOperations(),
                ofQueue(),
                ofLocks(),
                ofValues());
    }

    private List<String> ofOperations() {
        return List.of(
                "n = 10,000",
                operations(),
                points.fewestOperations() == LockFreeQueuePaper.PUBLISHED_OPERATIONS
                        ? "**same**"
                        : isModelled
                                ? "**different**: n hardly matters on one node, but it does on more; REPRODUCE.md has"
                                        + " points with both"
                                : "**different**: the beginning and the end of a short run weigh more");
    }

    private static List<String> ofQueue() {
        return List.of(
                "nd, with mistakes in its reuse of elements",
                "`nd-published` without reuse; `nd`, ours",
                "**different**: `nd-published` is as printed, but has elements for all items, so its mistakes do not show;"
                        + " `nd` shares its idea, and its code is another");
    }

    private static List<String> ofLocks() {
        return List.of(
                "bd and bc with MPI's locks",
                "`bd` and `bc` with ticket locks in remote memory",
                "**different**: the paper does not give the cost of a lock");
    }

    private static List<String> ofValues() {
        return List.of(
                "figures 4 and 5 as pictures, without values",
                "points as numbers",
                "**not judged**: `--paper` compares values that you read off figure 4");
    }
}
