package dev.remus.tools.plot;

/**
 * A point of a chart: the mean of the runs with the same x.
 *
 * @param x the value on the horizontal axis
 * @param mean the mean of the runs
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
