package dev.remus.tools.torture;

import dev.remus.cli.cluster.CommandLine;
import dev.remus.cli.cluster.EndOfProcess;
import dev.remus.cli.cluster.ExitStatus;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import java.io.IOException;
import java.io.PrintStream;

/** Kills and stops nodes at random moments of their lives, and checks what becomes of the others. */
public final class TortureCommand {
    /** The word by which it is called. */
    public static final String NAME = "torture";

    /** What it does, in one line. */
    public static final String SUMMARY =
            "Nodes of small clusters are killed at random moments, and the others have to notice and end.";

    private static final OptionSpec<Long> KILLS = OptionSpec.integer(
                    "--kills", 1, 1_000_000, "How many times nodes are killed")
            .withDefault(200L);

    private static final OptionSpec<Long> SECONDS = OptionSpec.integer(
                    "--seconds", 1, 1_000_000, "After how many seconds it ends, however many kills there were")
            .withDefault(900L);

    private static final OptionSpec<Long> SEED = OptionSpec.integer(
            "--seed",
            Long.MIN_VALUE,
            Long.MAX_VALUE,
            "What decides which cluster is hit where and at which moment; by default from the clock");

    private static final OptionSpec<Long> FIRST_TRIAL = OptionSpec.integer(
                    "--first-trial", 1, 1_000_000, "The number of the first trial, to repeat one of an earlier call")
            .withDefault(1L);

    private static final OptionSpec<Long> LONGEST_STOP = OptionSpec.integer(
                    "--longest-stop", 1, 40, "For how many seconds a node is stopped at most")
            .withDefault(2L);

    private TortureCommand() {}

    /**
     * Runs the command.
     *
     * @param mainClass takes the name of a program and its command line; it is started for each node
     * @param args the command line, without the name
     * @return an {@link ExitStatus}
     */
    public static int run(Class<?> mainClass, PrintStream out, PrintStream err, String... args) {
        OptionSet options = new OptionSet("./remus " + NAME, SUMMARY)
                .include(new OptionGroup("Torture", KILLS, SECONDS, SEED, FIRST_TRIAL, LONGEST_STOP))
                .example("./remus torture")
                .example("./remus torture --kills 20 --seed 7");
        return CommandLine.run(NAME, options, arguments -> run(mainClass, arguments, out, err), out, err, args);
    }

    private static int run(Class<?> mainClass, Arguments arguments, PrintStream out, PrintStream err)
            throws IOException, InterruptedException {
        Torture torture = new Torture(
                mainClass,
                arguments.find(SEED).orElseGet(() -> System.currentTimeMillis() % 1_000_000),
                arguments.get(KILLS),
                arguments.get(SECONDS),
                arguments.get(LONGEST_STOP) * 1_000,
                out,
                err);
        try (EndOfProcess end = new EndOfProcess(torture::stop)) {
            return torture.run(Math.toIntExact(arguments.get(FIRST_TRIAL)));
        }
    }
}
