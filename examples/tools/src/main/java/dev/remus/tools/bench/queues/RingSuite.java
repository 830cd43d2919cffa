// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.queues;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.cli.cluster.ResultsFolder;
import dev.remus.node.ComputeThread;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.structures.BufferedQueue;
import dev.remus.structures.LongBufferedQueue;
import dev.remus.tools.bench.suite.BenchCluster;
import dev.remus.tools.bench.suite.OtherLoad;
import dev.remus.tools.bench.suite.SuiteRun;
import dev.remus.tools.results.Machine;
import dev.remus.tools.results.Provenance;
import dev.remus.tools.results.ProvenanceFile;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code bench ring}: the buffered queue used by one thread, beside the same algorithm in C. All times are processor
 * times of that thread, measured interleaved.
 */
public final class RingSuite {
    /** The name of the suite. */
    public static final String NAME = "ring";

    /** A one-line summary. */
    public static final String SUMMARY =
            "Compares the buffered queue, used by one thread on shared memory, with the same algorithm in C.";

    private static final OptionSpec<Long> ROUNDS = OptionSpec.integer(
                    "--rounds", 1, 1000, "Number of interleaved measurements, after three warm-ups")
            .withDefault(9L);

    private static final OptionSpec<Long> ITEMS = OptionSpec.integer(
                    "--items", 1, 1L << 40, "Number of items that are enqueued and dequeued in a measurement")
            .withDefault(20_000_000L);

    private static final String IN_C = "the same in C11";
    private static final int WARM_UPS = 3;
    private static final int CAPACITY = 16_384;
    private static final int SEGMENT_LOG2 = 21;
    private static final double TARGET = 0.8;

    private RingSuite() {}

    private interface Repeated {
        long processorNanos(long items) throws Exception;
    }

    /**
     * Runs the suite, in this process.
     *
     * @param out receives the results
     * @param err receives errors
     * @param args the command line, without the name
     * @return an {@link ExitStatus}: a missed target is no failure
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        OptionSet options = new OptionSet("./remus bench " + NAME, SUMMARY)
                .include(new OptionGroup("Measuring", ROUNDS, ITEMS, RemusOptions.OUT))
                .example("./remus bench ring");
        return SuiteRun.run(options, SuiteRun.cleaningUp(arguments -> measure(arguments, out)), out, err, args);
    }

    private static int measure(Arguments arguments, PrintStream out) throws Exception {
        ProgramRunner.watchParent();
        Path folder = ResultsFolder.create(arguments.get(RemusOptions.OUT), SuiteRun.COMMAND);
        Provenance provenance = Provenance.begin(arguments, SuiteRun.COMMAND, NAME);
        try {
            int rounds = arguments.get(ROUNDS).intValue();
            long items = arguments.get(ITEMS);
            Map<String, List<Double>> nanos = new LinkedHashMap<>();
            OtherLoad load = OtherLoad.begin();
            new BenchCluster("shm", 1, 1, SEGMENT_LOG2).run(ct -> {
                Map<String, Repeated> queues = new LinkedHashMap<>();
                RingInC inC = RingInC.canBeCompiled() ? RingInC.start() : null;
                try {
                    if (inC != null) {
                        queues.put(IN_C, inC::run); // the reference comes first
                    }
                    add(queues, ct);
                    for (int round = -WARM_UPS; round < rounds; round++) {
                        for (Map.Entry<String, Repeated> queue : queues.entrySet()) {
                            double each = (double) queue.getValue().processorNanos(items) / items;
                            if (round >= 0) {
                                nanos.computeIfAbsent(queue.getKey(), name -> new ArrayList<>())
                                        .add(each);
                            }
                        }
                    }
                    load.end();
                } finally {
                    if (inC != null) {
                        inC.close();
                    }
                }
            });
            String text = report(nanos, items, load.share());
            out.print(text);
            out.flush();
            Files.writeString(folder.resolve("ring.txt"), text);
            ProvenanceFile.write(provenance, folder);
            out.println("results: " + folder);
            return ExitStatus.OK;
        } finally {
            ResultsFolder.removeIfEmpty(folder);
        }
    }

    private static void add(Map<String, Repeated> queues, ComputeThread ct) {
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        LongBufferedQueue longs = new LongBufferedQueue(LongBufferedQueue.create(CAPACITY, ct), ct);
        queues.put("LongBufferedQueue", items -> {
            long start = clock.getCurrentThreadCpuTime();
            repeat(longs, items, ct);
            return clock.getCurrentThreadCpuTime() - start;
        });
        BufferedQueue<Cell> cells =
                new BufferedQueue<>(BufferedQueue.create(CAPACITY, Cell.codec(), ct), Cell.codec(), ct);
        queues.put("BufferedQueue, codec", items -> {
            long start = clock.getCurrentThreadCpuTime();
            repeat(cells, items, ct);
            return clock.getCurrentThreadCpuTime() - start;
        });
        BufferedQueue<Cell> inPlace =
                new BufferedQueue<>(BufferedQueue.create(CAPACITY, Cell.codec(), ct), Cell.codec(), ct);
        queues.put("BufferedQueue, in place", items -> {
            long start = clock.getCurrentThreadCpuTime();
            repeatInPlace(inPlace, items, ct);
            return clock.getCurrentThreadCpuTime() - start;
        });
    }

    private static void repeat(LongBufferedQueue queue, long items, ComputeThread ct) {
        long sum = 0;
        for (long item = 0; item < items; item++) {
            queue.enqueue(item, ct);
            sum += queue.dequeue(ct);
        }
        check(sum, items);
    }

    private static void repeat(BufferedQueue<Cell> queue, long items, ComputeThread ct) {
        Cell cell = new Cell();
        long sum = 0;
        for (long item = 0; item < items; item++) {
            cell.value = item;
            queue.enqueue(cell, ct);
            sum += queue.dequeue(ct).value;
        }
        check(sum, items);
    }

    private static void repeatInPlace(BufferedQueue<Cell> queue, long items, ComputeThread ct) {
        long sum = 0;
        for (long item = 0; item < items; item++) {
            queue.stage().putLong(item);
            queue.enqueueStaged(ct);
            sum += queue.dequeueInPlace(ct).getLong();
        }
        check(sum, items);
    }

    private static void check(long sum, long items) {
        if (sum != items * (items - 1) / 2) {
            throw new IllegalStateException(
                    "the dequeued items add up to " + sum + " instead of " + items * (items - 1) / 2);
        }
    }

    private static String report(Map<String, List<Double>> nanos, long items, double load) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "machine: %s%nJava %s, one thread, one segment, room for %,d; enqueue and dequeue of %,d items, processor"
                        + " time in ns:%nminimum / median / maximum of %d; %s%n",
                Machine.here(),
                Runtime.version().feature(),
                CAPACITY,
                items,
                nanos.values().iterator().next().size(),
                OtherLoad.describe(load)));
        if (!nanos.containsKey(IN_C)) {
            text.append("Nothing to compare with: there is no C compiler (cc)\n");
        }
        nanos.forEach((queue, each) -> {
            List<Double> sorted = each.stream().sorted().toList();
            text.append(String.format(
                    Locale.ROOT,
                    "%-24s %6.1f / %5.1f / %5.1f",
                    queue,
                    sorted.get(0),
                    Throughputs.median(sorted),
                    sorted.get(sorted.size() - 1)));
            List<Double> inC = nanos.get(IN_C);
            if (inC != null && !queue.equals(IN_C)) {
                List<Double> ratios = new ArrayList<>();
                for (int round = 0; round < each.size(); round++) {
                    ratios.add(inC.get(round) / each.get(round));
                }
                double ratio = Throughputs.median(ratios);
                text.append(String.format(
                        Locale.ROOT, "  %.2f  >= %.1f  %s", ratio, TARGET, OtherLoad.verdict(ratio >= TARGET, load)));
            }
            text.append('\n');
        });
        return text.toString();
    }
}
