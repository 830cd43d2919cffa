// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.lockfree;

import dev.remus.fabric.LocalCost;
import dev.remus.tools.plot.Axis;
import dev.remus.tools.plot.Figure;
import dev.remus.tools.plot.Series;
import dev.remus.tools.plot.Unit;
import dev.remus.tools.queue.QueueKind;
import dev.remus.tools.queue.QueueMetric;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Draws figures 4 and 5, with logarithmic vertical axes: within a node everything is tens of times as fast. */
final class QueueFigures {
    private static final Axis PROCESSES = Axis.of("processes");

    /** A part that takes no more is a reading of the simulator's clock. */
    private static final double CLOCK_MICROS = LocalCost.MIN_NANOS / 1e3;

    private final QueuePoints points;
    private final List<QueueKind> queues;
    private final String caption;

    /** @param caption sentences below each figure */
    QueueFigures(QueuePoints points, List<QueueKind> queues, String caption) {
        this.points = points;
        this.queues = queues;
        this.caption = caption;
    }

    void write(PaperFigures paper, Path folder) throws IOException {
        System.setProperty("java.awt.headless", "true"); // charts go only to files
        throughput(paper).write(folder, "figure-4");
        for (QueueKind queue : queues) {
            if (points.of(queue).stream().anyMatch(point -> point.micros(QueueMetric.ENQ_HOP) > 0)) {
                parts(queue).write(folder, "figure-5-" + queue);
            }
        }
    }

    private Figure throughput(PaperFigures paper) {
        Figure figure = new Figure(
                        PROCESSES,
                        Axis.of("throughput", Unit.OPERATIONS_PER_SECOND).logarithmic())
                .title("Throughput of the queues (figure 4)")
                .caption(caption);
        for (QueueKind queue : queues) {
            Series ours = Series.of(queue.toString());
            Series published =
                    Series.of(queue + ", paper").styledAs(queue.toString()).asReference();
            boolean isPublished = false;
            for (QueuePoint point : points.of(queue)) {
                ours.point(
                        point.processes(),
                        points.runs(queue, point.processes()).stream()
                                .mapToDouble(QueuePoint::throughput)
                                .toArray());
                OptionalDouble value = paper.throughput(queue, point.processes());
                if (value.isPresent() && queue != QueueKind.ND) { // the paper's nd is the queue as published
                    published.point(point.processes(), value.getAsDouble());
                    isPublished = true;
                }
            }
            figure.add(ours);
            if (isPublished) {
                figure.add(published);
            }
        }
        return figure;
    }

    private Figure parts(QueueKind queue) {
        Figure figure = new Figure(
                        PROCESSES,
                        Axis.of("mean time per operation", Unit.MICROSECONDS).logarithmic())
                .title("Parts of an operation of " + queue + " (figure 5)");
        StringBuilder remarks = new StringBuilder(caption);
        for (QueueMetric part : QueuePoints.PARTS) {
            Series series = Series.of(part.name().toLowerCase(Locale.ROOT));
            boolean isMeasured = false;
            for (QueuePoint point : points.of(queue)) {
                if (point.micros(part) > CLOCK_MICROS) {
                    series.point(
                            point.processes(),
                            points.runs(queue, point.processes()).stream()
                                    .mapToDouble(run -> run.micros(part))
                                    .toArray());
                    isMeasured = true;
                }
            }
            if (isMeasured) {
                figure.add(series);
            } else { // a logarithmic axis has no zero
                remarks.append(" No process waits for ")
                        .append(part.name().toLowerCase(Locale.ROOT))
                        .append('.');
            }
        }
        if (queue == QueueKind.BD) {
            remarks.append(" Here enq_hop is without linking.");
        }
        return figure.caption(remarks.toString());
    }
}
