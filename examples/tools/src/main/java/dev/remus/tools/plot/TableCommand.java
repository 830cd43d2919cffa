// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import dev.remus.cli.cluster.CommandLine;
import dev.remus.cli.cluster.ExitStatus;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;

/** The command {@code table}, which gathers the results of many runs into one table. */
public final class TableCommand {
    /** The name of the command. */
    public static final String NAME = "table";

    /** A one-line summary. */
    public static final String SUMMARY = "Gathers the results of all runs below a folder into one CSV.";

    private static final OptionSpec<Path> OUT =
            OptionSpec.path("--out", "The CSV file").withDefault(Path.of("runs.csv"));

    private TableCommand() {}

    /**
     * Runs the command.
     *
     * @param out gets the name of the file
     * @param err gets error messages
     * @param args the command line, without the name
     * @return an {@link ExitStatus}
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        OptionSet options = new OptionSet("./remus " + NAME, SUMMARY)
                .include(new OptionGroup("Table", OUT))
                .requireOne("folder")
                .example("./remus table results --out results/runs.csv");
        return CommandLine.run(NAME, options, arguments -> table(arguments, out), out, err, args);
    }

    private static int table(Arguments arguments, PrintStream out) throws IOException {
        if (arguments.rest().size() != 1) {
            throw arguments.usageError("needs one folder that contains the metrics.json of runs");
        }
        RunTable table = RunTable.gather(Path.of(arguments.rest().get(0)));
        table.write(arguments.get(OUT));
        out.println(table.rows().size() + " runs: " + arguments.get(OUT));
        return ExitStatus.OK;
    }
}
