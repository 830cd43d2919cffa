// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.lockfree;

import dev.remus.tools.queue.QueueMetric;
import java.util.Locale;
import java.util.OptionalDouble;

/** Prints points as lines of a table, beside the paper's numbers. */
final class PointPrinter {
    private static final String HEADER = String.format(
            "%-13s %5s %7s %12s %12s %8s %9s %9s %9s %9s %9s",
            "queue",
            "procs",
            "n",
            "op/s",
            "paper op/s",
            "error",
            "enq_all",
            "enq_hop",
            "deq_all",
            "deq_hop",
            "bcast_all");

    private final PaperFigures paper;

    PointPrinter(PaperFigures paper) {
        this.paper = paper;
    }

    /** The names of the columns; times are in microseconds. */
    String header() {
        return HEADER;
    }

    String line(QueuePoint point) {
        OptionalDouble published = paper.throughput(point.queue(), point.processes());
        StringBuilder line = new StringBuilder(String.format(
                Locale.ROOT,
                "%-13s %5d %7d %12.0f %12s %8s",
                point.queue(),
                point.processes(),
                point.operations(),
                point.throughput(),
                published.isPresent() ? String.format(Locale.ROOT, "%.0f", published.getAsDouble()) : "no value",
                published.isPresent()
                        ? String.format(
                                Locale.ROOT, "%+.0f %%", 100 * (point.throughput() / published.getAsDouble() - 1))
                        : "-"));
        for (QueueMetric part : QueuePoints.PARTS) {
            line.append(' ')
                    .append(
                            point.nanos().containsKey(part)
                                    ? String.format(Locale.ROOT, "%9.2f", point.micros(part))
                                    : String.format("%9s", "-"));
        }
        return line.toString();
    }
}
