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

/** The command {@code plot}, which draws two columns of a table of runs. */
public final class PlotCommand {
    /** The name of the command. */
    public static final String NAME = "plot";

    /** A one-line summary. */
    public static final String SUMMARY = "Draws one column of a CSV over another, with error bars.";

    private static final OptionSpec<String> X = OptionSpec.text("--x", "column", "The column for the horizontal axis")
            .required();

    private static final OptionSpec<String> Y =
            OptionSpec.text("--y", "column", "The column for the vertical axis").withDefault("throughput");

    private static final OptionSpec<String> LINES =
            OptionSpec.text("--lines", "column", "The column with a line for each of its values");

    private static final OptionSpec<Path> OUT = OptionSpec.path(
                    "--out", "The file: SVG if its name ends in .svg, else PNG")
            .withDefault(Path.of("plot.png"));

    private PlotCommand() {}

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
                .include(new OptionGroup("Picture", X, Y, LINES, OUT))
                .allowRest("file.csv")
                .example("./remus plot runs.csv --x cn-threads --lines key-ub --out threads.png");
        return CommandLine.run(NAME, options, arguments -> plot(arguments, out, err), out, err, args);
    }

    private static int plot(Arguments arguments, PrintStream out, PrintStream err) throws IOException {
        if (arguments.rest().size() != 1) {
            throw arguments.usageError("needs one CSV file");
        }
        RunTable table = RunTable.read(Path.of(arguments.rest().get(0)));
        try {
            TableFigure.of(table, arguments.get(X), arguments.get(Y), arguments.find(LINES))
                    .write(arguments.get(OUT));
        } catch (IllegalArgumentException e) { // there is no such column, or it holds no numbers
            err.println("remus plot: " + e.getMessage());
            return ExitStatus.FAILED;
        }
        out.println("picture: " + arguments.get(OUT));
        return ExitStatus.OK;
    }
}
