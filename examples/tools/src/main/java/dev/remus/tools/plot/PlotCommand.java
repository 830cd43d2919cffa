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

/** The command {@code plot}, which draws two columns of a table of runs. */
public final class PlotCommand {
    /** The name of the command. */
    public static final String NAME = "plot";

    /** A one-line summary. */
    public static final String SUMMARY = "Draws one column of a CSV over another, with error bars.";

    private static final int LARGEST = 10_000;

    private static final OptionSpec<String> X = OptionSpec.text("--x", "column", "The column for the horizontal axis")
            .required();

    private static final OptionSpec<String> Y =
            OptionSpec.text("--y", "column", "The column for the vertical axis").withDefault("throughput");

    private static final OptionSpec<String> LINES =
            OptionSpec.text("--lines", "column", "The column with a line for each of its values");

    private static final OptionSpec<Path> OUT = OptionSpec.path("--out", "The file, which ends in .svg, .pdf or .png")
            .withDefault(Path.of("plot.png"));

    private static final OptionSpec<Boolean> LOG_X = OptionSpec.flag("--log-x", "Make the horizontal axis logarithmic");

    private static final OptionSpec<Boolean> LOG_Y = OptionSpec.flag("--log-y", "Make the vertical axis logarithmic");

    private static final OptionSpec<String> TITLE =
            OptionSpec.text("--title", "text", "The title; by default it names both axes, and '' leaves it out");

    private static final OptionSpec<String> X_LABEL = OptionSpec.text(
            "--x-label", "text", "The name of the horizontal axis, with its unit; by default that of the column");

    private static final OptionSpec<String> Y_LABEL = OptionSpec.text(
            "--y-label", "text", "The name of the vertical axis, with its unit; values are then shown as they are");

    private static final OptionSpec<Long> WIDTH = OptionSpec.integer(
                    "--width", 100, LARGEST, "The width in pixels, 96 to an inch; a PNG has twice as many")
            .withDefault((long) FigureSize.DEFAULT.width());

    private static final OptionSpec<Long> HEIGHT = OptionSpec.integer("--height", 100, LARGEST, "The height in pixels")
            .withDefault((long) FigureSize.DEFAULT.height());

    private static final OptionSpec<Long> FONT_SIZE = OptionSpec.integer(
                    "--font-size", 4, 100, "The size of the text in pixels")
            .withDefault((long) FigureSize.DEFAULT.fontSize());

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
                .include(new OptionGroup("Style", LOG_X, LOG_Y, TITLE, X_LABEL, Y_LABEL, WIDTH, HEIGHT, FONT_SIZE))
                .requireOne("file.csv")
                .example("./remus plot runs.csv --x cn-threads --lines key-ub --out threads.png")
                .example("./remus plot runs.csv --x threads --log-x --lines queue --title '' --out figure.pdf");
        return CommandLine.run(NAME, options, arguments -> plot(arguments, out, err), out, err, args);
    }

    private static int plot(Arguments arguments, PrintStream out, PrintStream err) throws IOException {
        if (arguments.rest().size() != 1) {
            throw arguments.usageError("needs one CSV file");
        }
        Path file = arguments.get(OUT);
        try {
            FigureFormat.of(file);
        } catch (IllegalArgumentException e) {
            throw arguments.usageError(OUT, "a file that ends in .svg, .pdf or .png");
        }
        RunTable table = RunTable.read(Path.of(arguments.rest().get(0)));
        try {
            figure(table, arguments).write(file);
        } catch (IllegalArgumentException e) { // no such column, no numbers in it, or none above 0
            err.println("remus plot: " + e.getMessage());
            return ExitStatus.FAILED;
        }
        out.println("picture: " + file);
        return ExitStatus.OK;
    }

    private static Figure figure(RunTable table, Arguments arguments) {
        String x = arguments.get(X);
        String y = arguments.get(Y);
        Axis across = axis(x, X_LABEL, LOG_X, arguments);
        Axis up = axis(y, Y_LABEL, LOG_Y, arguments);
        Figure figure = TableFigure.of(table, x, across, y, up, arguments.find(LINES));
        arguments.find(TITLE).ifPresent(figure::title);
        return figure.size(new FigureSize(
                Math.toIntExact(arguments.get(WIDTH)),
                Math.toIntExact(arguments.get(HEIGHT)),
                Math.toIntExact(arguments.get(FONT_SIZE))));
    }

    private static Axis axis(
            String column, OptionSpec<String> label, OptionSpec<Boolean> isLogarithmic, Arguments arguments) {
        Axis axis = Columns.axis(column);
        Axis labelled = arguments.find(label).map(axis::labelled).orElse(axis);
        return arguments.get(isLogarithmic) ? labelled.logarithmic() : labelled;
    }
}
