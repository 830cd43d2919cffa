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

/** Makes a page of what runs have left, by command line. */
public final class ReportCommand {
    /** The word by which it is called. */
    public static final String NAME = "report";

    /** What it does, in one line. */
    public static final String SUMMARY = "Makes one HTML page of the results of runs: of one, or of several compared.";

    private static final OptionSpec<Path> OUT = OptionSpec.path(
                    "--out", "The page that compares several runs; that of one run is in its folder")
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
     * @param err gets complaints
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
                throw arguments.usageError(folder + " is no folder in which a run has left its metrics.json");
            }
            runs.addAll(found);
        }
        if (runs.isEmpty()) {
            throw arguments.usageError(
                    "needs folders in which runs have left their results, such as those in results/");
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
