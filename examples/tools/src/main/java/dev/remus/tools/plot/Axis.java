// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

/**
 * An axis of a {@link Figure}: its name, the unit of its values, and its scale.
 *
 * @param label the name, such as {@code throughput}; the unit is added to it
 * @param unit the unit of the values
 * @param isLogarithmic whether equal distances are equal factors; then values must be above 0
 */
public record Axis(String label, Unit unit, boolean isLogarithmic) {
    /** A linear axis of numbers without a unit, such as counts. */
    public static Axis of(String label) {
        return of(label, Unit.NONE);
    }

    /** A linear axis. */
    public static Axis of(String label, Unit unit) {
        return new Axis(label, unit, false);
    }

    /** The same axis with a logarithmic scale. */
    public Axis logarithmic() {
        return new Axis(label, unit, true);
    }

    /** The same axis with another name, which includes the unit if it should be shown. */
    Axis labelled(String text) {
        return new Axis(text, Unit.of(""), isLogarithmic);
    }

    /**
     * The unit in which values are shown: the largest value decides, on a logarithmic axis the smallest one. Powers of
     * two on a logarithmic axis have their unit at the ticks.
     */
    Unit.Step shown(double smallest, double largest) {
        if (!isLogarithmic) {
            return unit.fitting(largest);
        }
        return unit.isBinary() ? unit.smallest() : unit.fitting(smallest);
    }

    /** The name with the unit in parentheses. */
    String text(Unit.Step shown) {
        return shown.text().isEmpty() ? label : label + " (" + shown.text() + ")";
    }
}
