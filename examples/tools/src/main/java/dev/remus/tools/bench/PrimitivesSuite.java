// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.GracefulShutdown;
import dev.remus.cli.cluster.ResultsFolder;
import dev.remus.cli.progress.ProgressView;
import dev.remus.cli.progress.ProgressViews;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import dev.remus.tools.bench.suite.OtherLoad;
import dev.remus.tools.bench.suite.SuiteRun;
import dev.remus.tools.results.Machine;
import dev.remus.tools.results.Provenance;
import dev.remus.tools.results.ProvenanceFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** {@code bench primitives}: compares single operations and list searches with lower bounds. */
final class PrimitivesSuite {
    /** The name of the suite. */
    static final String NAME = "primitives";

    /** A one-line summary. */
    static final String SUMMARY =
            "Compares operations on shared memory and list searches with lower bounds, using JMH.";

    private final PrintStream out;
    private final PrintStream err;

    PrimitivesSuite(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    private static OptionSet options() {
        return new OptionSet("./remus " + SuiteRun.COMMAND + " " + NAME, SUMMARY)
                .include(JmhSettings.group())
                .example("./remus bench primitives")
                .example("./remus bench primitives --quick --filter CAS");
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
        JmhSettings settings = JmhSettings.of(arguments);
        List<Subject> subjects = JmhSettings.subjects(arguments);
        List<Jdk> jdks = Jdks.chosen(arguments, JmhSettings.JDK);
        Path folder = ResultsFolder.create(arguments.get(RemusOptions.OUT), SuiteRun.COMMAND);
        Provenance provenance = Provenance.begin(arguments, SuiteRun.COMMAND, NAME);
        try (ProgressView progress = ProgressViews.forUser(err)) {
            JmhRun run = new JmhRun(jdks, subjects, settings, progress, err);
            OtherLoad load = OtherLoad.begin();
            try (GracefulShutdown end = new GracefulShutdown(run::stop)) {
                try {
                    run.run();
                    load.end();
                    progress.close();
                    return end.hasBegun()
                            ? ExitStatus.FAILED
                            : report(run, load.share(), subjects, settings, folder, provenance);
                } finally {
                    ResultsFolder.removeIfEmpty(folder); // inside: the process may end as soon as "end" is closed
                }
            }
        }
    }

    private int report(
            JmhRun run,
            double otherLoad,
            List<Subject> subjects,
            JmhSettings settings,
            Path folder,
            Provenance provenance)
            throws IOException {
        Report report = new Report(
                Machine.here(),
                settings,
                run.jdks().stream()
                        .map(jdk -> JdkOutcome.of(jdk, subjects, run.results(jdk)))
                        .toList(),
                otherLoad);
        out.print(report.toText());
        out.flush();
        new ReportFiles(report).writeTo(folder);
        ProvenanceFile.write(provenance, folder);
        out.println("results: " + folder);
        return report.isComplete() ? ExitStatus.OK : ExitStatus.FAILED;
    }
}
