// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The speed of the simulator on one JDK.
 *
 * @param jdk the JDK
 * @param threads the number of simulated threads
 * @param perSecond remote operations per second, median over the runs
 * @param perProcessorSecond remote operations per second of the simulation's processor time, median over the runs
 * @param threadKind the implementation of the simulated threads
 */
record SimMeasurement(Jdk jdk, int threads, double perSecond, double perProcessorSecond, String threadKind) {
    private static final int WITH_CONTINUATIONS = 21;
    private static final int MANY = 1_000;
    private static final Comparator<double[]> BY_VALUE = Comparator.comparingDouble(value -> value[0]);

    /** The numbers of simulated threads to measure. */
    static final List<Integer> THREADS = List.of(8, MANY);

    /**
     * Parses the output of {@link SimBenchmark}.
     *
     * @throws IllegalArgumentException if the output has another format
     */
    static SimMeasurement of(Jdk jdk, int threads, List<String> lines) {
        List<String[]> runs = lines.stream().map(line -> line.split(",")).toList();
        if (runs.isEmpty() || runs.stream().anyMatch(run -> run.length != 4)) {
            throw new IllegalArgumentException("no result, but: " + lines);
        }
        return new SimMeasurement(
                jdk,
                threads,
                median(runs, run -> Double.parseDouble(run[0]) / Double.parseDouble(run[1])),
                median(runs, run -> Double.parseDouble(run[0]) / Double.parseDouble(run[2])),
                runs.get(0)[3]);
    }

    private static double median(List<String[]> runs, ToDoubleFunction<String[]> value) {
        List<double[]> sorted = runs.stream()
                .map(run -> new double[] {value.applyAsDouble(run)})
                .sorted(BY_VALUE)
                .toList();
        return sorted.get(sorted.size() / 2)[0];
    }

    /** The least required operations per second, on one core. */
    double target() {
        if (jdk.feature() >= WITH_CONTINUATIONS) {
            return threads < MANY ? 1_000_000 : 500_000;
        }
        return threads < MANY ? 200_000 : 80_000;
    }

    /** {@code ok} or {@code MISS}, by processor time, so that other load on the machine does not count. */
    String verdict() {
        return perProcessorSecond >= target() ? "ok" : "MISS";
    }

    static String header() {
        return String.format(
                "%-10s  %7s  %12s  %19s  %12s  %-7s  %s%n",
                "Java", "threads", "per second", "per processor sec.", "target", "verdict", "simulated threads are");
    }

    /** A line of the table. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%-10s  %,7d  %,12.0f  %,19.0f  %,12.0f  %-7s  %s%n",
                jdk.version(),
                threads,
                perSecond,
                perProcessorSecond,
                target(),
                verdict(),
                threadKind);
    }

    static String csvHeader() {
        return "java,threads,operations_per_second,operations_per_processor_second,target,verdict,thread_kind\n";
    }

    String toCsv() {
        return String.format(
                Locale.ROOT,
                "%s,%d,%.0f,%.0f,%.0f,%s,%s%n",
                jdk.version(),
                threads,
                perSecond,
                perProcessorSecond,
                target(),
                verdict(),
                threadKind);
    }
}
