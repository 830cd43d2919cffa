// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Optional;

/**
 * The data and texts of a {@link Figure}, as its chart is made from them.
 *
 * @param x the horizontal axis
 * @param y the vertical axis
 * @param series in the order of the legend
 * @param title the text above the figure; may be empty
 * @param caption the sentence below it; may be empty
 * @param size the size of the figure
 * @param isHorizontal whether the columns of words go from left to right
 * @param isConnected whether lines join the values of words
 */
record FigureContent(
        Axis x,
        Axis y,
        List<Series> series,
        String title,
        String caption,
        FigureSize size,
        boolean isHorizontal,
        boolean isConnected) {

    /** Whether it is drawn over numbers: all values on the horizontal axis are some, and it has no columns. */
    boolean hasNumbers() {
        return !isHorizontal
                && !isConnected
                && points().stream().allMatch(point -> number(point.x()).isPresent());
    }

    List<Point> points() {
        return series.stream().flatMap(s -> s.points().stream()).toList();
    }

    /** The value of a text that is a number, and not one without an end. */
    static Optional<Double> number(String text) {
        try {
            return Optional.of(Double.valueOf(text)).filter(Double::isFinite);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** The caption, and the number of runs if there are error bars; may be empty. */
    String note() {
        IntSummaryStatistics runs = points().stream().mapToInt(Point::n).summaryStatistics();
        if (runs.getCount() == 0 || runs.getMax() < 2) {
            return caption;
        }
        String n = runs.getMin() == runs.getMax()
                ? "n = " + runs.getMax()
                : "n = " + runs.getMin() + " to " + runs.getMax();
        return (caption.isEmpty() ? "" : caption + " ") + "Mean of " + n + " runs; bars: one standard deviation.";
    }
}
