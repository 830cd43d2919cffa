// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import java.awt.Font;
import java.text.NumberFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnitSource;
import org.jfree.chart.axis.ValueAxis;

/** Makes the axis for given values, and chooses the unit in which it shows them. */
final class AxisMaker {
    /** The room between a value and the end of the axis, as a share of the axis. */
    private static final double MARGIN = 0.05;

    /** An axis begins at 0 if its smallest value is at most this share of its largest. */
    private static final double NEAR_ZERO = 0.5;

    private final Axis axis;
    private final Unit.Step shown;
    private final List<Double> values;
    private final double smallest;
    private final double largest;
    private final boolean beginsAtZero;
    private final Font font;

    private AxisMaker(Axis axis, List<Double> values, List<Double> limits, boolean beginsAtZero, Font font) {
        this.axis = axis;
        this.font = font;
        double least = values.stream().mapToDouble(v -> v).min().orElse(1);
        double most = Stream.of(values, limits)
                .flatMap(List::stream)
                .mapToDouble(v -> v)
                .max()
                .orElse(1);
        if (axis.isLogarithmic() && least <= 0) {
            throw new IllegalArgumentException("'" + axis.label() + "' has the value " + least
                    + ", which a logarithmic axis cannot show; use a linear one");
        }
        double lowest = axis.isLogarithmic() // on which a bar may end at 0 or below it
                ? least
                : Math.min(least, limits.stream().mapToDouble(v -> v).min().orElse(least));
        shown = axis.shown(lowest, most);
        this.values = values.stream().map(v -> v / shown.factor()).toList();
        smallest = lowest / shown.factor();
        largest = most / shown.factor();
        this.beginsAtZero = beginsAtZero || smallest <= NEAR_ZERO * largest;
    }

    /** @param limits the ends of error bars, which the axis shows too */
    static AxisMaker of(Axis axis, List<Double> values, List<Double> limits, Font font) {
        return new AxisMaker(axis, values, limits, false, font);
    }

    /** The same for an axis that shows 0: bars begin there. */
    static AxisMaker fromZero(Axis axis, List<Double> values, List<Double> limits, Font font) {
        return new AxisMaker(axis, values, limits, true, font);
    }

    /** Values are divided by it. */
    double factor() {
        return shown.factor();
    }

    ValueAxis axis() {
        ValueAxis made = axis.isLogarithmic() ? logarithmic() : linear();
        style(made, font);
        return made;
    }

    static void style(org.jfree.chart.axis.Axis made, Font font) {
        made.setLabelFont(font);
        made.setLabelPaint(Ink.TEXT);
        made.setTickLabelFont(font);
        made.setTickLabelPaint(Ink.TEXT);
        made.setAxisLinePaint(Ink.TEXT);
        made.setTickMarkPaint(Ink.TEXT);
    }

    private ValueAxis linear() {
        NumberAxis made = new NumberAxis(axis.text(shown));
        boolean isWhole = values.stream().allMatch(v -> v == Math.rint(v));
        made.setStandardTickUnits(
                isWhole ? NumberAxis.createIntegerTickUnits(Locale.ROOT) : new NumberTickUnitSource(false, format()));
        double low = beginsAtZero ? Math.min(0, smallest) : smallest;
        double high = beginsAtZero ? Math.max(0, largest) : largest;
        if (low == 0 && high == 0) {
            high = 1;
        }
        double margin = high > low ? MARGIN * (high - low) : Math.abs(high) * MARGIN;
        made.setRange(low < 0 || !beginsAtZero ? low - margin : low, high > 0 || !beginsAtZero ? high + margin : high);
        return made;
    }

    /** A format for ticks, which must differ however close they are. */
    private static NumberFormat format() {
        NumberFormat format = NumberFormat.getNumberInstance(Locale.ROOT);
        format.setMaximumFractionDigits(12);
        return format;
    }

    private ValueAxis logarithmic() {
        double margin = largest > smallest ? Math.pow(largest / smallest, MARGIN) : 2;
        LogTickAxis made = new LogTickAxis(
                axis.text(shown), LogTicks.candidates(values, axis.unit().isBinary()));
        made.setRange(smallest / margin, largest * margin);
        return made;
    }
}
