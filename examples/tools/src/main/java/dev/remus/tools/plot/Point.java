package dev.remus.tools.plot;

/**
 * What the runs of one combination measured.
 *
 * @param x the value on the horizontal axis
 * @param mean of all runs
 * @param deviation the standard deviation of the runs; 0 if there was only one
 */
record Point(String x, double mean, double deviation) {
    static Point of(String x, double... values) {
        double mean = 0;
        for (double value : values) {
            mean += value / values.length;
        }
        double squares = 0;
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        return new Point(x, mean, values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1)));
    }
}
