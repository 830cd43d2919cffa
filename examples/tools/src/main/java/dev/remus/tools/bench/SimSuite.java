// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.GracefulShutdown;
import dev.remus.cli.cluster.ResultsFolder;
import dev.remus.cli.progress.ProgressView;
import dev.remus.cli.progress.ProgressViews;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.tools.bench.suite.SuiteRun;
import dev.remus.tools.results.Machine;
import dev.remus.tools.results.Provenance;
import dev.remus.tools.results.ProvenanceFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code bench sim}: measures the simulator's remote operations per second. */
final class SimSuite {
    /** The name of the suite. */
    static final String NAME = "sim";

    /** A one-line summary. */
    static final String SUMMARY = "Measures the simulator's remote operations per second, with few and many threads.";

    private static final OptionSpec<Long> RUNS = OptionSpec.integer(
                    "--runs", 2, 1000, "Least number of simulations; the first half is warm-up")
            .withDefault(20L);
    private static final OptionSpec<Long> OPERATIONS = OptionSpec.integer(
                    "--num-ops", 1, 1_000_000_000, "Number of operations in each simulation, by all threads together")
            .withDefault(200_000L);

    private static final OptionSpec<Long> MILLIS = OptionSpec.integer(
                    "--millis", 0, 600_000, "Least duration of the warm-up, and of the measurement, in milliseconds")
            .withDefault(2_000L);

    private final PrintStream out;
    private final PrintStream err;
    /** The current fork; null before the first. */
    private volatile @Nullable SimFork running;

    private volatile boolean stopping;

    SimSuite(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    private static OptionSet options() {
        return new OptionSet("./remus " + SuiteRun.COMMAND + " " + NAME, SUMMARY)
                .include(new OptionGroup("Measuring", RUNS, MILLIS, OPERATIONS, JmhSettings.JDK, RemusOptions.OUT))
                .example("./remus bench sim")
                .example("./remus bench sim --runs 6");
    }

    /**
     * Runs the suite.
     *
     * @return an {@link ExitStatus}: a missed target is no failure
     */
    int run(String... args) {
        return SuiteRun.run(options(), this::measure, out, err, args);
    }

    private int measure(Arguments arguments) throws IOException {
        List<Jdk> jdks = Jdks.chosen(arguments, JmhSettings.JDK);
        Path folder = ResultsFolder.create(arguments.get(RemusOptions.OUT), SuiteRun.COMMAND);
        Provenance provenance = Provenance.begin(arguments, SuiteRun.COMMAND, NAME);
        try (ProgressView progress = ProgressViews.forUser(err);
                GracefulShutdown end = new GracefulShutdown(this::stop)) {
            try {
                List<SimMeasurement> measured = measure(
                        jdks,
                        arguments.get(RUNS).intValue(),
                        arguments.get(OPERATIONS).intValue(),
                        arguments.get(MILLIS),
                        progress);
                progress.close();
                if (end.hasBegun()) {
                    return ExitStatus.FAILED;
                }
                report(measured, folder);
                ProvenanceFile.write(provenance, folder);
                out.println("results: " + folder);
                return ExitStatus.OK;
            } finally {
                ResultsFolder.removeIfEmpty(folder);
            }
        }
    }

    private List<SimMeasurement> measure(List<Jdk> jdks, int runs, int operations, long millis, ProgressView progress)
            throws IOException {
        List<SimMeasurement> measured = new ArrayList<>();
        int total = jdks.size() * SimMeasurement.THREADS.size();
        progress.show(NAME, 0, total);
        for (Jdk jdk : jdks) {
            for (int threads : SimMeasurement.THREADS) {
                if (!stopping) {
                    measured.add(measure(new SimFork(jdk, threads, runs, operations, millis)));
                    progress.show(NAME, measured.size(), total);
                }
            }
        }
        return measured;
    }

    private SimMeasurement measure(SimFork fork) throws IOException {
        running = fork;
        if (stopping) {
            fork.stop();
        }
        try {
            return fork.run();
        } catch (InterruptedException e) {
            fork.stop();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private void stop() {
        stopping = true;
        SimFork fork = running;
        if (fork != null) {
            fork.stop();
        }
    }

    private void report(List<SimMeasurement> measured, Path folder) throws IOException {
        StringBuilder text = new StringBuilder("machine: " + Machine.here() + "; "
                + (SimFork.isPinned() ? "on one core" : "not pinned to one core: taskset is not installed") + "\n\n");
        text.append(SimMeasurement.header());
        measured.forEach(text::append);
        text.append(
                "\nSimulated remote operations: 6 READs, 1 CAS and 1 WRITE out of 8; median over the runs. The verdict\n"
                        + "uses the processor time of the simulated threads, so that other load on the core does not"
                        + " count.\n");
        out.print(text);
        out.flush();
        Files.writeString(folder.resolve("sim.txt"), text);
        Files.writeString(
                folder.resolve("sim.csv"),
                SimMeasurement.csvHeader()
                        + measured.stream().map(SimMeasurement::toCsv).collect(Collectors.joining()));
    }
}
