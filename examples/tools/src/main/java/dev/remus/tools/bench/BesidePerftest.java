// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.fabric.Operation;
import dev.remus.fabric.verbs.BareLoop.Request;
import dev.remus.tools.bench.suite.OtherLoad;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.DoubleSupplier;

/**
 * Compares operations of a Compute Thread with perftest's programs, in turns: latencies of single operations, and READs
 * per second with several in flight. WRITEs are not compared: perftest measures half of a round trip of two processes
 * that both poll memory, we the acknowledgement.
 */
final class BesidePerftest {
    private static final int ROUNDS = 3;

    /** A latency may be so many times perftest's. */
    private static final double MOST = 1.1;

    /** A rate must be so many times perftest's. */
    private static final double LEAST = 0.8;

    private static final int IN_FLIGHT = AsyncThroughput.MAX_OUTSTANDING;

    private final VerbsCluster cluster;
    private final VerbsLatency latency;
    private final AsyncThroughput async;
    private final OtherLoad load;
    private final List<String> lines = new ArrayList<>();

    /**
     * @param latency has measured, so it is warm
     * @param load of all measurements, with those before
     */
    BesidePerftest(VerbsCluster cluster, VerbsLatency latency, AsyncThroughput async, OtherLoad load) {
        this.cluster = cluster;
        this.latency = latency;
        this.async = async;
        this.load = load;
    }

    /** Perftest's figure, or a failure to start its program. */
    private interface Reference {
        OptionalDouble measure() throws IOException, InterruptedException;
    }

    void measure() throws InterruptedException {
        String host = cluster.host();
        latency("READ", Request.READ, "ib_read_lat");
        latency("COMPARE_AND_SWAP", Request.COMPARE_AND_SWAP, "ib_atomic_lat", "-A", "CMP_AND_SWAP");
        latency("FETCH_AND_ADD", Request.FETCH_AND_ADD, "ib_atomic_lat", "-A", "FETCH_AND_ADD");
        Reference reads = () -> Perftest.readsPerSecond(host, IN_FLIGHT);
        rate(IN_FLIGHT + " READs in flight", reads, () -> async.rate(Operation.READ, IN_FLIGHT));
        rate(IN_FLIGHT + " gathered READs", reads, () -> async.batchRate(Operation.READ, true));
    }

    private void latency(String what, Request request, String... program) throws InterruptedException {
        compare(
                what + ", µs",
                "%,12.2f",
                program[0],
                () -> Perftest.micros(cluster.host(), program),
                () -> latency.medianMicros(request),
                true);
    }

    private void rate(String what, Reference reference, DoubleSupplier ours) throws InterruptedException {
        compare(what + ", op/s", "%,12.0f", "ib_read_bw", reference, ours, false);
    }

    private void compare(
            String what, String format, String program, Reference reference, DoubleSupplier ours, boolean isTime)
            throws InterruptedException {
        double[] theirs = new double[ROUNDS];
        double[] measured = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            try {
                OptionalDouble figure = reference.measure();
                if (figure.isEmpty()) {
                    lines.add(noFigure(what, program));
                    return;
                }
                theirs[round] = figure.getAsDouble();
            } catch (IOException e) {
                lines.add(notInstalled(what, program));
                return;
            }
            measured[round] = ours.getAsDouble();
        }
        lines.add(line(what, format, median(theirs), median(measured), isTime, load.share()));
    }

    /** The line of a program of perftest that runs, but whose output has no figure. */
    static String noFigure(String what, String program) {
        return String.format("%-26s %s printed no figure", what, program);
    }

    static String notInstalled(String what, String program) {
        return String.format("%-26s perftest is not installed (%s)", what, program);
    }

    /** One line of the table: both figures, ours divided by theirs, and whether that is enough. */
    static String line(String what, String format, double theirs, double ours, boolean isTime, double otherLoad) {
        double ratio = ours / theirs;
        boolean isMet = isTime ? ratio <= MOST : ratio >= LEAST;
        return String.format(
                Locale.ROOT,
                "%-26s " + format + " " + format + " %7.2f  %s %s",
                what,
                theirs,
                ours,
                ratio,
                isTime ? "<= " + MOST : ">= " + LEAST,
                OtherLoad.verdict(isMet, otherLoad));
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    String toText() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "Beside perftest, 8 bytes, medians of %d turns; %s%n%-26s %12s %12s %7s  target%n",
                ROUNDS,
                OtherLoad.describe(load.share()),
                "",
                "perftest",
                "ours",
                "ratio"));
        lines.forEach(line -> text.append(line).append(System.lineSeparator()));
        return text.toString();
    }
}
