package dev.remus.examples.bench;

import dev.remus.examples.cluster.ExitStatus;
import java.io.PrintStream;
import java.util.Arrays;

/** The measurements by command line: the first word names a suite. */
public final class BenchCommand {
    /** The word by which it is called. */
    public static final String NAME = "bench";

    /** What it does, in one line. */
    public static final String SUMMARY = "Measures how fast the framework is, beside the least that it could cost.";

    private BenchCommand() {}

    /**
     * Runs a suite; without one, lists them.
     *
     * @param out gets the results
     * @param err gets complaints and progress
     * @param args the name of the suite and its command line
     * @return an {@link ExitStatus}
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        String suite = args.length == 0 ? "--help" : args[0];
        switch (suite) {
            case "--help", "help" -> {
                out.print(usage());
                return ExitStatus.OK;
            }
            case PrimitivesSuite.NAME -> {
                return new PrimitivesSuite(out, err).run(Arrays.copyOfRange(args, 1, args.length));
            }
            default -> {
                err.print("There is no suite '" + suite + "'\n\n" + usage());
                return ExitStatus.NOT_STARTED;
            }
        }
    }

    private static String usage() {
        return "Usage: bench <suite> [options]\n\n" + SUMMARY + "\n\nSuites\n"
                + String.format("  %-15s %s%n", PrimitivesSuite.NAME, PrimitivesSuite.SUMMARY)
                + "\n\"remus bench <suite> --help\" tells more about each.\n";
    }
}
