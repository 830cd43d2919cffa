// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import java.util.List;

/** The unit of the values on an axis, with its larger units: nanoseconds are shown as µs, ms or s where that fits. */
public final class Unit {
    /** A number without a unit. */
    public static final Unit NONE = of("");

    /** Times in nanoseconds. */
    public static final Unit NANOSECONDS = new Unit(
            false, new Step("ns", 1, 0), new Step("µs", 1e3, 1e3), new Step("ms", 1e6, 1e6), new Step("s", 1e9, 1e9));

    /** Times in microseconds. */
    public static final Unit MICROSECONDS =
            new Unit(false, new Step("µs", 1, 0), new Step("ms", 1e3, 1e3), new Step("s", 1e6, 1e6));

    /** Times in seconds. */
    public static final Unit SECONDS = of("s");

    /** Operations per second. */
    public static final Unit OPERATIONS_PER_SECOND = rate("op/s");

    /** Items per second. */
    public static final Unit ITEMS_PER_SECOND = rate("items/s");

    /** Bytes. */
    public static final Unit BYTES = new Unit(
            true,
            new Step("B", 1, 0),
            new Step("KiB", 1 << 10, 1 << 10),
            new Step("MiB", 1 << 20, 1 << 20),
            new Step("GiB", 1 << 30, 1 << 30));

    /** Megabytes per second. */
    public static final Unit MEGABYTES_PER_SECOND = new Unit(false, new Step("MB/s", 1, 0), new Step("GB/s", 1e3, 1e4));

    /** One of the units, which is chosen for values from {@code from} on. */
    record Step(String text, double factor, double from) {}

    private final boolean isBinary;
    private final List<Step> steps;

    private Unit(boolean isBinary, Step... steps) {
        this.isBinary = isBinary;
        this.steps = List.of(steps);
    }

    /** A unit without larger ones, such as {@code %}. */
    public static Unit of(String text) {
        return new Unit(false, new Step(text, 1, 0));
    }

    private static Unit rate(String text) {
        return new Unit(
                false,
                new Step(text, 1, 0),
                new Step("thousand " + text, 1e3, 1e4),
                new Step("million " + text, 1e6, 1e6));
    }

    /** Whether values are powers of two rather than of ten. */
    boolean isBinary() {
        return isBinary;
    }

    /** The unit as the values are. */
    Step smallest() {
        return steps.get(0);
    }

    /** The largest unit that suits a value. */
    Step fitting(double value) {
        Step fitting = smallest();
        for (Step step : steps) {
            if (value >= step.from()) {
                fitting = step;
            }
        }
        return fitting;
    }
}
