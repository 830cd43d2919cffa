// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.report;

import dev.remus.tools.json.JsonInput;
import dev.remus.tools.plot.RunTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The results of a run, read from its folder.
 *
 * @param name the name of the folder
 * @param facts the contents of {@code metrics.json}
 * @param rates its speed over time; empty if it was too short
 * @param latencies the rows of {@code latency.csv}, if it exists: operation, percentile, nanoseconds
 * @param latenciesOverTime those of its latencies; empty if none were recorded
 */
record Run(
        String name,
        Map<String, Object> facts,
        List<Rates.Rate> rates,
        List<Map<String, String>> latencies,
        List<LatencyAt> latenciesOverTime) {
    /**
     * The latencies of the operations that ended in an interval.
     *
     * @param operation the kind of operations, or {@link #ALL}
     * @param seconds the middle of the interval, since the beginning of the phase
     * @param p50 the median, in nanoseconds
     * @param p99 the 99th percentile, in nanoseconds
     */
    record LatencyAt(String operation, double seconds, double p50, double p99) {
        /** Stands for the operations of all kinds. */
        static final String ALL = "all";
    }

    static final String METRICS = "metrics.json";
    static final String THROUGHPUT = "throughput.csv";
    static final String LATENCY = "latency.csv";
    static final String LATENCY_OVER_TIME = "latency-over-time.csv";

    /** The names of remote operations, by metric. */
    private static final Map<String, String> REMOTE =
            Map.of("read", "READ", "write", "WRITE", "cas", "CAS", "faa", "FAA", "round_trips", "round trips");

    private static final List<String> REMOTE_ORDER = List.of("read", "write", "cas", "faa", "round_trips");

    /**
     * Reads the files of a run.
     *
     * @throws IOException if one cannot be read, or is damaged
     */
    static Run read(Path folder) throws IOException {
        Path name = folder.toAbsolutePath().normalize().getFileName();
        Run run = new Run(
                name == null ? folder.toString() : name.toString(),
                JsonInput.read(folder.resolve(METRICS)),
                rates(folder.resolve(THROUGHPUT)),
                rows(folder.resolve(LATENCY)),
                latenciesOverTime(folder.resolve(LATENCY_OVER_TIME)));
        checked(folder.resolve(METRICS), () -> {
            run.section("metrics").keySet().forEach(run::metric);
            run.metric("throughput");
            return run.segments();
        });
        checked(folder.resolve(LATENCY), run::latencyCurves);
        return run;
    }

    private static List<Rates.Rate> rates(Path csv) throws IOException {
        List<Map<String, String>> rows = rows(csv);
        return checked(
                csv,
                () -> rows.stream()
                        .map(row -> new Rates.Rate(
                                Double.parseDouble(cell(row, "seconds")),
                                Integer.parseInt(cell(row, "node")),
                                Double.parseDouble(cell(row, "throughput"))))
                        .toList());
    }

    private static List<LatencyAt> latenciesOverTime(Path csv) throws IOException {
        List<Map<String, String>> rows = rows(csv);
        return checked(
                csv,
                () -> rows.stream()
                        .map(row -> new LatencyAt(
                                row.getOrDefault("operation", LatencyAt.ALL), // older files have no such column
                                Double.parseDouble(cell(row, "seconds")),
                                Double.parseDouble(cell(row, "p50_ns")),
                                Double.parseDouble(cell(row, "p99_ns"))))
                        .toList());
    }

    private static String cell(Map<String, String> row, String column) {
        return row.getOrDefault(column, "");
    }

    /** The numbers of a file; a damaged file may have text instead. */
    private static <T> T checked(Path file, Supplier<T> numbers) throws IOException {
        try {
            return numbers.get();
        } catch (NumberFormatException e) {
            throw new IOException(file + " is damaged: it needs a number where there is none, " + e.getMessage(), e);
        }
    }

    private static List<Map<String, String>> rows(Path csv) throws IOException {
        return Files.exists(csv) ? RunTable.read(csv).rows() : List.of();
    }

    /** A string or number of the outermost object. */
    Optional<String> fact(String name) {
        return facts.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
    }

    /** A nested object; empty if there is none of this name. */
    @SuppressWarnings("unchecked") // JsonInput makes such maps of objects
    Map<String, Object> section(String name) {
        return facts.get(name) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
    }

    /** The options by name. */
    Map<String, String> options() {
        Map<String, String> options = new LinkedHashMap<>();
        section("options").forEach((name, value) -> options.put(name, String.valueOf(value)));
        return options;
    }

    /** A metric; empty if it was not measured. */
    Optional<Double> metric(String name) {
        Object value = section("metrics").get(name);
        return value == null ? fact(name).map(Double::valueOf) : Optional.of(Double.valueOf(value.toString()));
    }

    /** The class of the set or map, or the kind of the queue. */
    String subject() {
        return fact("set")
                .or(() -> fact("queue"))
                .or(() -> fact("map"))
                .map(s -> s.substring(s.lastIndexOf('.') + 1))
                .orElse("");
    }

    /** Whether there was an audit: parts of a run have none. */
    boolean hasAudit() {
        return section("books").containsKey("balanced") || metric("balanced").isPresent();
    }

    /** Whether the audit balances. */
    boolean isBalanced() {
        return "true".equals(section("books").get("balanced"))
                || metric("balanced").orElse(0.0) == 1;
    }

    /** The audit in one line, without the verdict. */
    String books() {
        Map<String, Object> books = section("books");
        return books.isEmpty()
                ? fact("books").orElse("none").replaceFirst(": (balanced|NOT BALANCED)$", "")
                : String.format(
                        Locale.ROOT,
                        "%s prefilled + %s inserted \u2212 %s removed = %s; %s found",
                        Text.number(books.get("prefilled")),
                        Text.number(books.get("inserted")),
                        Text.number(books.get("removed")),
                        Text.number(books.get("expected")),
                        Text.number(books.get("found")));
    }

    /** Remote operations per operation, by kind. */
    Map<String, Double> remotePerOperation() {
        Map<String, Double> all = new LinkedHashMap<>();
        double operations = metric("op_count").orElse(0.0);
        for (String key : REMOTE_ORDER) {
            Optional<Double> count = metric(key);
            if (operations > 0 && count.isPresent()) {
                all.put(REMOTE.get(key), count.get() / operations);
            }
        }
        return all;
    }

    /** Round trips per operation. */
    Optional<Double> roundTrips() {
        return Optional.ofNullable(remotePerOperation().get(REMOTE.get("round_trips")));
    }

    /** The bytes used and the size of each segment, by a readable name. */
    Map<String, long[]> segments() {
        Map<String, long[]> all = new LinkedHashMap<>();
        if (facts.get("segments") instanceof List<?> list) {
            for (Object item : list) {
                if (item instanceof Map<?, ?> segment) {
                    all.put(
                            "node " + segment.get("memory_node") + ", segment " + segment.get("segment"),
                            new long[] {bytes(segment, "used"), bytes(segment, "bytes")});
                }
            }
        }
        return all;
    }

    private static long bytes(Map<?, ?> segment, String name) {
        return Long.parseLong(String.valueOf(segment.get(name)));
    }

    /** The latencies of each kind of operation in nanoseconds, by percentile. */
    Map<String, Map<String, Double>> latencyCurves() {
        Map<String, Map<String, Double>> curves = new LinkedHashMap<>();
        for (Map<String, String> row : latencies) {
            curves.computeIfAbsent(cell(row, "operation"), o -> new LinkedHashMap<>())
                    .put(cell(row, "percentile"), Double.valueOf(cell(row, "nanoseconds")));
        }
        return curves;
    }
}
