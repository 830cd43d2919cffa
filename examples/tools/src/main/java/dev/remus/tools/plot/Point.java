// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

/**
 * A point of a figure: the mean of the runs with the same x.
 *
 * @param x the value on the horizontal axis, a number or a word
 * @param mean the mean of the runs
 * @param deviation the standard deviation of the runs; 0 if there was only one
 * @param n the number of runs
 */
record Point(String x, double mean, double deviation, int n) {
    static Point of(String x, double... values) {
        double mean = 0;
        for (double value : values) {
            mean += value / values.length;
        }
        double squares = 0;
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        double deviation = values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1));
        return new Point(x, mean, deviation, values.length);
    }

    /** Whether it has an error bar: one run has no deviation. */
    boolean hasErrorBar() {
        return n > 1;
    }
}
