// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.config.ClusterConfig;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.options.UsageException;
import dev.remus.tools.report.ReportExtent;
import dev.remus.tools.report.SweepFiles;
import dev.remus.tools.results.Provenance;
import dev.remus.tools.results.ProvenanceFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Repeats the experiment with queues for several queues and numbers of threads, one cluster after the other on this
 * machine. It leaves a folder with the results of each run, {@code sweep.csv} with a line per run, and charts.
 */
final class QueueSweep {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    private final Class<?> mainClass;
    private final PrintStream out;
    private final PrintStream err;

    /** @param mainClass the main class of each node, see {@link ProgramRunner} */
    QueueSweep(Class<?> mainClass, PrintStream out, PrintStream err) {
        this.mainClass = mainClass;
        this.out = out;
        this.err = err;
    }

    /** Whether a command line requests a sweep. */
    static boolean isRequested(String... args) {
        return Arrays.stream(args).anyMatch(a -> isOption(a, QueueOptions.SWEEP))
                && !Arrays.asList(args).contains("--help");
    }

    private static boolean isOption(String word, OptionSpec<?> option) {
        return word.equals(option.name()) || word.startsWith(option.name() + "=");
    }

    /** @return an {@link ExitStatus} */
    int run(String... args) {
        try {
            List<String> plain = without(
                    List.of(QueueOptions.SWEEP, QueueOptions.QUEUES, RemusOptions.OUT, ReportExtent.OPTION), args);
            Arguments arguments = new QueueProgram().options().parse(ProgramRunner.localDefaults(), args);
            if (arguments.isGiven(RemusOptions.NODE_ID)) {
                throw arguments.usageError(RemusOptions.NODE_ID, "to be left out with --sweep, which starts all nodes");
            }
            List<Integer> threads = threads(arguments);
            List<QueueKind> named = QueueOptions.queues(QueueOptions.QUEUES, arguments);
            List<QueueKind> queues = named.isEmpty() ? List.of(arguments.get(QueueOptions.QUEUE)) : named;
            Path folder = arguments
                    .get(RemusOptions.OUT)
                    .resolve("queue-sweep-" + LocalDateTime.now().format(STAMP) + "-"
                            + ProcessHandle.current().pid());
            if (!arguments.isGiven(QueueOptions.CAPACITY)) {
                plain.add(0, QueueOptions.CAPACITY.name() + "=" + capacity(queues, threads, arguments));
            }
            long seed = arguments.find(QueueOptions.SEED).orElseGet(System::currentTimeMillis);
            if (!arguments.isGiven(QueueOptions.SEED)) {
                plain.add(0, QueueOptions.SEED.name() + "=" + seed);
            }
            Provenance provenance =
                    Provenance.begin(arguments, QueueProgram.NAME).withSeed(QueueOptions.SEED, seed);
            int status = run(queues, threads, folder, plain);
            if (Files.exists(folder)) {
                ProvenanceFile.write(provenance, folder);
            }
            return status;
        } catch (UsageException e) {
            e.printTo(err);
            return UsageException.EXIT_STATUS;
        } catch (IOException e) {
            err.println("error: the results cannot be written: " + e);
            return ExitStatus.FAILED;
        }
    }

    private static List<Integer> threads(Arguments arguments) {
        List<Integer> threads = new ArrayList<>();
        for (String word : arguments.get(QueueOptions.SWEEP)) {
            if (!word.matches("[0-9]{1,3}")
                    || Integer.parseInt(word) < 1
                    || Integer.parseInt(word) > QueueOptions.MAX_THREADS) {
                throw arguments.usageError(
                        QueueOptions.SWEEP, "numbers from 1 to " + QueueOptions.MAX_THREADS + ", separated by commas");
            }
            threads.add(Integer.parseInt(word));
        }
        return threads;
    }

    /** The default capacity of all runs, which are compared: the least of their own. */
    private static int capacity(List<QueueKind> queues, List<Integer> threads, Arguments arguments) {
        ClusterConfig cluster = RemusOptions.clusterConfig(arguments);
        int capacity = Integer.MAX_VALUE;
        for (int t : threads) {
            ClusterConfig largest = cluster.toBuilder().threadsPerNode(t).build();
            for (QueueKind queue : queues) {
                capacity = Math.min(capacity, QueueOptions.fittingCapacity(queue, largest));
            }
        }
        return capacity;
    }

    /** A command line without some options and their values. */
    private static List<String> without(List<OptionSpec<?>> options, String... args) {
        List<String> remaining = new ArrayList<>();
        for (int i = 0; i < args.length; i++) {
            String word = args[i];
            if (options.stream().noneMatch(option -> isOption(word, option))) {
                remaining.add(word);
            } else if (!word.contains("=")) {
                i++;
            }
        }
        return remaining;
    }

    private int run(List<QueueKind> queues, List<Integer> threads, Path folder, List<String> plain) throws IOException {
        for (QueueKind queue : queues) {
            for (int t : threads) {
                int status = runOne(queue, t, folder.resolve(queue + "-" + t), plain);
                if (status != ExitStatus.OK) {
                    return status;
                }
            }
        }
        SweepFiles.write(folder, QueueFiles.FIGURES, "queue", out, err);
        return ExitStatus.OK;
    }

    private int runOne(QueueKind queue, int threads, Path folder, List<String> plain) throws IOException {
        Files.createDirectories(folder);
        List<String> words = new ArrayList<>(plain);
        words.add(QueueOptions.QUEUE.name() + "=" + queue);
        words.add(RemusOptions.CN_THREADS.name() + "=" + threads);
        words.add(RemusOptions.OUT.name() + "=" + folder);
        words.add(ReportExtent.OPTION.name() + "=" + ReportExtent.NONE); // one page compares all runs instead
        return new ProgramRunner(new QueueProgram(), mainClass, out, err).run(words.toArray(String[]::new));
    }
}
