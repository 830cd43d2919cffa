// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.report;

import dev.remus.cli.cluster.CommandLine;
import dev.remus.cli.cluster.ExitStatus;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command {@code report}, which writes a page of the results of runs. */
public final class ReportCommand {
    /** The name of the command. */
    public static final String NAME = "report";

    /** A one-line summary. */
    public static final String SUMMARY =
            "Writes an HTML page with the results of a run, or a comparison of several runs.";

    private static final OptionSpec<Path> OUT = OptionSpec.path(
                    "--out", "The page that compares several runs; the page of a single run is in its folder")
            .withDefault(Path.of("results", "report.html"));

    private ReportCommand() {}

    /** The options. */
    public static OptionSet options() {
        return new OptionSet("./remus " + NAME, SUMMARY)
                .include(new OptionGroup("Report", OUT))
                .allowRest("folder")
                .example("./remus report results/intset-20261120-201319")
                .example("./remus report results --out results/all.html");
    }

    /**
     * Runs the command.
     *
     * @param out gets the name of the page
     * @param err gets error messages
     * @param args the command line, without the name
     * @return an {@link ExitStatus}
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        return CommandLine.run(NAME, options(), arguments -> report(arguments, out), out, err, args);
    }

    private static int report(Arguments arguments, PrintStream out) throws IOException {
        List<Path> runs = new ArrayList<>();
        for (String word : arguments.rest()) {
            Path folder = Path.of(word);
            List<Path> found = Files.isDirectory(folder) ? Comparison.runsBelow(folder) : List.of();
            if (found.isEmpty()) {
                throw arguments.usageError(folder + " is not a folder with the metrics.json of a run");
            }
            runs.addAll(found);
        }
        if (runs.isEmpty()) {
            throw arguments.usageError("needs folders with the results of runs, such as those in results/");
        }
        Path page = arguments.get(OUT);
        if (runs.size() == 1 && !arguments.isGiven(OUT)) {
            page = RunReport.page(runs.get(0));
        } else {
            Comparison.write(runs, page);
        }
        out.println("report: " + page);
        return ExitStatus.OK;
    }
}
