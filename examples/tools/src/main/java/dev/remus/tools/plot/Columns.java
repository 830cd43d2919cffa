// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names and units of the columns of tables of runs, as the axes of figures show them. */
public final class Columns {
    /** Columns whose values name a line by themselves, such as {@code nd}. */
    private static final Set<String> NAMES =
            Set.of("queue", "set", "list", "operation", "structure", "alloc-pol", "qp-sched-pol", "workload", "fabric");

    private static final Map<String, Axis> AXES = Map.ofEntries(
            Map.entry("throughput", Axis.of("throughput", Unit.OPERATIONS_PER_SECOND)),
            Map.entry("duration", Axis.of("duration", Unit.MICROSECONDS)),
            Map.entry("micros_per_op", Axis.of("time per operation", Unit.MICROSECONDS)),
            Map.entry("threads", Axis.of("threads")),
            Map.entry("cn-threads", Axis.of("threads per Compute Node")),
            Map.entry("compute_nodes", Axis.of("Compute Nodes")),
            Map.entry("memory_nodes", Axis.of("Memory Nodes")),
            Map.entry("nodes", Axis.of("nodes")),
            Map.entry("last-cn-id", Axis.of("id of the last Compute Node")),
            Map.entry("key-ub", Axis.of("key range")),
            Map.entry("keys", Axis.of("keys")),
            Map.entry("op_count", Axis.of("operations")),
            Map.entry("num-ops", Axis.of("operations per thread")),
            Map.entry("qp-lanes", Axis.of("lanes")),
            Map.entry("alloc-pol", Axis.of("allocation policy")),
            Map.entry("qp-sched-pol", Axis.of("lane policy")),
            Map.entry("round_trips", Axis.of("round trips")),
            Map.entry("read", Axis.of("READs")),
            Map.entry("write", Axis.of("WRITEs")),
            Map.entry("cas", Axis.of("COMPARE_AND_SWAPs")),
            Map.entry("faa", Axis.of("FETCH_AND_ADDs")),
            Map.entry("bytes", Axis.of("transfer size", Unit.BYTES)),
            Map.entry("outstanding", Axis.of("outstanding operations")),
            Map.entry("median us", Axis.of("median latency", Unit.MICROSECONDS)),
            Map.entry("MB per second", Axis.of("bandwidth", Unit.MEGABYTES_PER_SECOND)),
            Map.entry("enq_all_ns", Axis.of("time in enqueues, all threads", Unit.NANOSECONDS)),
            Map.entry("enq_hop_ns", Axis.of("time finding the end, all threads", Unit.NANOSECONDS)),
            Map.entry("deq_all_ns", Axis.of("time in dequeues, all threads", Unit.NANOSECONDS)),
            Map.entry("deq_hop_ns", Axis.of("time finding the front, all threads", Unit.NANOSECONDS)),
            Map.entry("bcast_all_ns", Axis.of("time announcing front and end, all threads", Unit.NANOSECONDS)));

    /** Such as {@code insert_p99_ns} and {@code insert_p99_9_ns}. */
    private static final Pattern PERCENTILE = Pattern.compile("(?:(.+)_)?p(\\d+(?:[._]\\d+)?)_ns");

    private Columns() {}

    /** The axis of a column; one that is not known has its own name, with a unit if its ending has one. */
    public static Axis axis(String column) {
        Axis known = AXES.get(column);
        if (known != null) {
            return known;
        }
        Matcher percentile = PERCENTILE.matcher(column);
        if (percentile.matches()) {
            String operation = percentile.group(1) == null ? "" : percentile.group(1) + " ";
            return Axis.of(
                    operation + "latency, percentile " + percentile.group(2).replace('_', '.'), Unit.NANOSECONDS);
        }
        if (column.endsWith("_ns")) {
            return Axis.of(words(column.substring(0, column.length() - 3)), Unit.NANOSECONDS);
        }
        if (column.endsWith("_us")) {
            return Axis.of(words(column.substring(0, column.length() - 3)), Unit.MICROSECONDS);
        }
        return Axis.of(words(column));
    }

    /** The name of the line with a value of a column, such as {@code nd} and {@code key range 512}. */
    static String series(String column, String value) {
        return NAMES.contains(column) ? value : axis(column).label() + " " + value;
    }

    private static String words(String column) {
        return column.replace('_', ' ');
    }
}
