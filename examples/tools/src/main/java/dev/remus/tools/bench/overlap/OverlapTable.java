// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.overlap;

import dev.remus.config.ThreadKind;
import dev.remus.tools.bench.suite.OtherLoad;
import dev.remus.tools.plot.RunTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** The measured points, the medians of their rounds, and the targets. */
final class OverlapTable {
    /** The column of the pictures' vertical axis. */
    static final String TIMES = "times one platform thread";

    /** The column of the pictures' horizontal axis. */
    static final String VIRTUAL_THREADS = "virtual threads";

    /** The column with a line for each value. */
    static final String WORK = "work";

    private static final String MICROS = "emulated latency in microseconds";

    /** What the scalable queue should do more than the lock-free one. */
    private static final int OVER_QUEUE = 3;

    /** Bytes of what happens now and then, such as in the barriers around a measurement. */
    private static final int MOST_BYTES = 1;

    private final Map<OverlapPoint, List<Figures>> measured = new LinkedHashMap<>();

    void add(OverlapPoint point, Figures figures) {
        measured.computeIfAbsent(point, p -> new ArrayList<>()).add(figures);
    }

    private double median(OverlapPoint point, ToDoubleFunction<Figures> figure) {
        double[] sorted = Objects.requireNonNull(measured.get(point), "measured").stream()
                .mapToDouble(figure)
                .sorted()
                .toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private double times(OverlapPoint point) {
        return median(point, Figures::perCore) / median(point.reference(), Figures::perCore);
    }

    String toText() {
        StringBuilder text = new StringBuilder("One Compute Node, whose virtual threads use one processor;"
                + " medians of the rounds. The latency is " + (isOfDevice() ? "that of the device" : "emulated") + ".\n"
                + "op/s and core: operations per second of processor time; x: times one platform thread\n");
        text.append(String.format(
                "%-8s %7s %-9s %7s %14s %6s %10s %11s %11s %7s%n",
                "work", "latency", "threads", "", "op/s and core", "x", "CPU ns/op", "p50", "p99", "B/op"));
        measured.keySet().forEach(point -> appendRow(point, text));
        return text.toString();
    }

    private boolean isOfDevice() {
        return measured.keySet().stream().anyMatch(point -> point.micros() == OverlapPoint.OF_DEVICE);
    }

    private void appendRow(OverlapPoint point, StringBuilder text) {
        text.append(String.format(
                Locale.ROOT,
                "%-8s %7s %-9s %7d %,14.0f %6.2f %,10.0f %8.1f µs %8.1f µs %7.1f%n",
                point.work(),
                point.latency(),
                point.kind(),
                point.threads(),
                median(point, Figures::perCore),
                times(point),
                median(point, Figures::processorNanos),
                median(point, Figures::median) / 1e3,
                median(point, Figures::p99) / 1e3,
                median(point, Figures::bytes)));
    }

    /**
     * A line for each target, with what was measured.
     *
     * @param otherLoad the share of the processors that others used meanwhile
     */
    List<String> verdicts(double otherLoad) {
        List<String> verdicts = new ArrayList<>();
        atLeast(Work.READ, 2, 8, otherLoad, verdicts);
        atLeast(Work.READ, 5, 10, otherLoad, verdicts);
        atLeast(Work.PLAIN, 2, 8, otherLoad, verdicts);
        atLeast(Work.FAST, 2, 8, otherLoad, verdicts);
        atLeast(Work.PLAIN, 10, 25, otherLoad, verdicts);
        atLeast(Work.FAST, 10, 25, otherLoad, verdicts);
        atLeast(Work.CACHED, 2, 2, otherLoad, verdicts);
        OverlapPoint eight = new OverlapPoint(Work.READ, 2, ThreadKind.VIRTUAL, 8);
        if (measured.containsKey(eight)) {
            String what = "median latency of a READ of 8 threads, in latencies";
            verdicts.add(verdict(what, latencies(eight), "<= 1.3", latencies(eight) <= 1.3, otherLoad));
        }
        addQueues(otherLoad, verdicts);
        OverlapPoint many = OverlapPoint.MANY_READS;
        if (measured.containsKey(many)) {
            double nanos = median(many, Figures::processorNanos);
            double share = median(many, figures -> figures.perSecond() / figures.perCore());
            verdicts.add(
                    verdict("processor time of a READ of 32 threads, in ns", nanos, "<= 400", nanos <= 400, otherLoad));
            verdicts.add(verdict(
                    "part of the processor that READs of 32 threads keep busy",
                    share,
                    ">= 0.7",
                    share >= 0.7,
                    otherLoad));
        }
        if (measured.containsKey(many) && measured.containsKey(OverlapPoint.MANY_SWITCHES)) {
            double bytes = median(many, Figures::bytes) - median(OverlapPoint.MANY_SWITCHES, Figures::bytes);
            verdicts.add(verdict(
                    "bytes of a READ of 32 threads, but for those of a switch",
                    bytes,
                    "<= " + MOST_BYTES,
                    bytes <= MOST_BYTES,
                    otherLoad));
        }
        OverlapPoint virtual = new OverlapPoint(Work.READ, OverlapPoint.OF_DEVICE, ThreadKind.VIRTUAL, 16);
        if (measured.containsKey(virtual)) {
            double times =
                    median(virtual, Figures::perSecond) / median(virtual.onPlatformThreads(), Figures::perSecond);
            verdicts.add(verdict(
                    "READs of 16 virtual threads, times 16 platform threads", times, ">= 1", times >= 1, otherLoad));
        }
        return verdicts;
    }

    private void addQueues(double otherLoad, List<String> verdicts) {
        OverlapPoint lockFree = new OverlapPoint(Work.QUEUE, 2, ThreadKind.VIRTUAL, 8);
        OverlapPoint scalable = new OverlapPoint(Work.SCALABLE, 2, ThreadKind.VIRTUAL, 8);
        if (measured.containsKey(lockFree) && measured.containsKey(scalable)) {
            double times = median(scalable, Figures::perCore) / median(lockFree, Figures::perCore);
            verdicts.add(verdict(
                    "scalable with 8 threads at 2 µs, times queue",
                    times,
                    ">= " + OVER_QUEUE,
                    times >= OVER_QUEUE,
                    otherLoad));
        }
    }

    private double latencies(OverlapPoint point) {
        return median(point, Figures::median) / (point.micros() * 1e3);
    }

    /** The best number of threads counts: more latency needs more threads to hide it. */
    private void atLeast(Work work, long micros, int target, double otherLoad, List<String> verdicts) {
        measured.keySet().stream()
                .filter(point -> point.work() == work && point.micros() == micros && !point.isReference())
                .mapToDouble(this::times)
                .max()
                .ifPresent(best -> verdicts.add(verdict(
                        work + " at " + micros + " µs, times one platform thread",
                        best,
                        ">= " + target,
                        best >= target,
                        otherLoad)));
    }

    private static String verdict(String what, double figure, String target, boolean isMet, double otherLoad) {
        return String.format(
                Locale.ROOT, "%s: %.1f, target %s  %s", what, figure, target, OtherLoad.verdict(isMet, otherLoad));
    }

    /** A row for each measurement. */
    RunTable toTable() {
        List<Map<String, String>> rows = new ArrayList<>();
        measured.forEach((point, rounds) -> {
            for (int round = 0; round < rounds.size(); round++) {
                Figures figures = rounds.get(round);
                Map<String, String> row = row(point);
                row.put("round", Integer.toString(round + 1));
                row.put("operations per second", text(figures.perSecond()));
                row.put("operations per second and core", text(figures.perCore()));
                row.put("processor ns per operation", text(figures.processorNanos()));
                row.put("p50_ns", text(figures.median()));
                row.put("p99_ns", text(figures.p99()));
                row.put("bytes per operation", text(figures.bytes()));
                rows.add(row);
            }
        });
        return new RunTable(rows);
    }

    /** The points of virtual threads at one latency, as multiples of one platform thread. */
    RunTable timesAt(long micros) {
        return new RunTable(measured.keySet().stream()
                .filter(point ->
                        point.micros() == micros && point.kind() == ThreadKind.VIRTUAL && point.work() != Work.YIELD)
                .map(point -> Map.of(
                        WORK, point.work().toString(),
                        VIRTUAL_THREADS, Integer.toString(point.threads()),
                        TIMES, text(times(point))))
                .toList());
    }

    private static Map<String, String> row(OverlapPoint point) {
        Map<String, String> row = new LinkedHashMap<>();
        row.put(WORK, point.work().toString());
        row.put(MICROS, Long.toString(point.micros()));
        row.put("kind of threads", point.kind().toString());
        row.put("threads", Integer.toString(point.threads()));
        return row;
    }

    private static String text(double figure) {
        return String.format(Locale.ROOT, "%.3f", figure);
    }
}
