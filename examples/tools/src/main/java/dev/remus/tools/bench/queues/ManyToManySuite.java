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
import dev.remus.tools.bench.queues.ManyToManyRace.Subject;
import dev.remus.tools.bench.suite.BenchCluster;
import dev.remus.tools.bench.suite.OtherLoad;
import dev.remus.tools.bench.suite.SuiteRun;
import dev.remus.tools.results.Machine;
import dev.remus.tools.results.Provenance;
import dev.remus.tools.results.ProvenanceFile;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** {@code bench many-to-many}: the scalable queue beside a queue of Agrona, between threads of one process. */
public final class ManyToManySuite {
    /** The name of the suite. */
    public static final String NAME = "many-to-many";

    /** A one-line summary. */
    public static final String SUMMARY =
            "Compares the scalable queue, on shared memory, with a queue of Agrona for many producers and consumers.";

    private static final OptionSpec<Long> ITEMS = OptionSpec.integer(
                    "--items", 1, 1L << 30, "Number of items of each producer in a measurement")
            .withDefault(1_000_000L);

    private static final long QUICK_ITEMS = 100_000;
    private static final int WARM_UPS = 2;
    private static final int CAPACITY = 16_384;
    private static final int SEGMENT_LOG2 = 24;
    private static final String LINE = "%-13s  %-37s  %18s  %5s  %-6s  %s";

    private ManyToManySuite() {}

    /** How many items a thread moves at once, and the least ratio of throughputs. */
    private record Form(int batch, double target) {
        static final List<Form> ALL = List.of(new Form(1, 0.5), new Form(16, 1));

        @Override
        public String toString() {
            return batch == 1 ? "one by one" : batch + " at a time";
        }
    }

    private record Key(Form form, Subject subject) {}

    /**
     * Runs the suite, in this process.
     *
     * @param out receives the results
     * @param err receives errors
     * @param args the command line, without the name
     * @return an {@link ExitStatus}: a missed target is no failure
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        OptionSet options = new OptionSet(
                        "./remus bench " + NAME,
                        SUMMARY + " Two threads of one process enqueue integers, one by one or 16 at a time, and two"
                                + " others dequeue them. Agrona's queue keeps objects on the heap, and has no batches"
                                + " for producers.")
                .include(new OptionGroup(
                        "Measuring", QueuesProgram.QUICK, QueuesProgram.ROUNDS, ITEMS, RemusOptions.OUT))
                .example("./remus bench many-to-many")
                .example("./remus bench many-to-many --quick");
        return SuiteRun.run(options, SuiteRun.cleaningUp(arguments -> measure(arguments, out)), out, err, args);
    }

    private static int measure(Arguments arguments, PrintStream out) throws Exception {
        ProgramRunner.watchParent();
        Path folder = ResultsFolder.create(arguments.get(RemusOptions.OUT), SuiteRun.COMMAND);
        Provenance provenance = Provenance.begin(arguments, SuiteRun.COMMAND, NAME);
        try {
            boolean quick = arguments.get(QueuesProgram.QUICK);
            long rounds = quick && !arguments.isGiven(QueuesProgram.ROUNDS)
                    ? QueuesProgram.QUICK_ROUNDS
                    : arguments.get(QueuesProgram.ROUNDS);
            long items = quick && !arguments.isGiven(ITEMS) ? QUICK_ITEMS : arguments.get(ITEMS);
            Map<Key, List<Double>> throughputs = new LinkedHashMap<>();
            ManyToManyRace race = new ManyToManyRace(items, CAPACITY);
            OtherLoad load = OtherLoad.begin();
            new BenchCluster("shm", 1, ManyToManyRace.THREADS, SEGMENT_LOG2)
                    .run(ct -> measure(race, rounds, throughputs, ct));
            String text = report(throughputs, rounds, items, load.share());
            out.print(text);
            out.flush();
            Files.writeString(folder.resolve(NAME + ".txt"), text);
            Files.writeString(folder.resolve(NAME + ".csv"), csv(throughputs));
            ProvenanceFile.write(provenance, folder);
            out.println("results: " + folder);
            return ExitStatus.OK;
        } finally {
            ResultsFolder.removeIfEmpty(folder);
        }
    }

    private static void measure(
            ManyToManyRace race, long rounds, Map<Key, List<Double>> throughputs, ComputeThread ct) {
        for (long round = -WARM_UPS; round < rounds; round++) {
            for (Form form : Form.ALL) {
                for (Subject subject : Subject.values()) {
                    double perSecond = race.run(subject, form.batch(), ct);
                    if (ct.id() == 0 && round >= 0) {
                        throughputs
                                .computeIfAbsent(new Key(form, subject), key -> new ArrayList<>())
                                .add(perSecond);
                    }
                }
            }
        }
    }

    private static String report(Map<Key, List<Double>> throughputs, long rounds, long items, double load) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "machine: %s%nJava %s, %d producers and %3$d consumers in one process, %d rounds of %,d items a producer,"
                        + " room for %,d;%nmillion items/s: minimum / median / maximum; %s%n",
                Machine.here(),
                Runtime.version().feature(),
                ManyToManyRace.PAIRS,
                rounds,
                items,
                CAPACITY,
                OtherLoad.describe(load)));
        append(text, "", "queue", "throughput", "ratio", "target", "verdict");
        throughputs.forEach((key, each) -> {
            List<Double> reference = Objects.requireNonNull(throughputs.get(new Key(key.form(), Subject.AGRONA)));
            boolean isReference = key.subject() == Subject.AGRONA;
            List<Double> ratios = new ArrayList<>();
            for (int round = 0; round < each.size(); round++) {
                ratios.add(each.get(round) / reference.get(round));
            }
            double ratio = Throughputs.median(ratios);
            append(
                    text,
                    isReference ? key.form() : "",
                    key.subject().title(),
                    String.format(
                            Locale.ROOT,
                            "%.1f / %.1f / %.1f",
                            Collections.min(each) / 1e6,
                            Throughputs.median(each) / 1e6,
                            Collections.max(each) / 1e6),
                    isReference ? "" : String.format(Locale.ROOT, "%.2f", ratio),
                    isReference
                            ? ""
                            : String.format(Locale.ROOT, ">= %.1f", key.form().target()),
                    isReference ? "" : OtherLoad.verdict(ratio >= key.form().target(), load));
        });
        return text.toString();
    }

    private static void append(StringBuilder text, Object... columns) {
        text.append(String.format(Locale.ROOT, LINE, columns).stripTrailing()).append('\n');
    }

    private static String csv(Map<Key, List<Double>> throughputs) {
        StringBuilder csv = new StringBuilder("batch,queue,round,items_per_second\n");
        throughputs.forEach((key, each) -> {
            for (int round = 0; round < each.size(); round++) {
                csv.append(String.format(
                        Locale.ROOT,
                        "%d,%s,%d,%.0f%n",
                        key.form().batch(),
                        key.subject().title(),
                        round + 1,
                        each.get(round)));
            }
        });
        return csv.toString();
    }
}
