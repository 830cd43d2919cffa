package dev.remus.tools.torture;

import dev.remus.cli.cluster.CommandLine;
import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.GracefulShutdown;
import dev.remus.config.ClusterSettings;
import dev.remus.config.ThreadKind;
import dev.remus.fabric.VirtualThreads;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import java.io.IOException;
import java.io.PrintStream;

/** The command {@code torture}, which kills and stops nodes at random points and checks the behaviour of the others. */
public final class TortureCommand {
    /** The name of the command. */
    public static final String NAME = "torture";

    /** A one-line summary. */
    public static final String SUMMARY =
            "Kills nodes of small clusters at random points, and checks that the others notice and end.";

    private static final OptionSpec<Long> KILLS =
            OptionSpec.integer("--kills", 1, 1_000_000, "The number of kills").withDefault(200L);

    private static final OptionSpec<Long> SECONDS = OptionSpec.integer(
                    "--seconds", 1, 1_000_000, "The time in seconds after which it ends, even with fewer kills")
            .withDefault(900L);

    private static final OptionSpec<Long> SEED = OptionSpec.integer(
            "--seed",
            Long.MIN_VALUE,
            Long.MAX_VALUE,
            "The seed that determines clusters, victims and points; by default from the clock");

    private static final OptionSpec<Long> FIRST_TRIAL = OptionSpec.integer(
                    "--first-trial", 1, 1_000_000, "The number of the first trial, to repeat a trial of an earlier run")
            .withDefault(1L);

    private static final OptionSpec<Long> LONGEST_STOP = OptionSpec.integer(
                    "--longest-stop", 1, 40, "The longest time in seconds for which a node is stopped")
            .withDefault(2L);

    private static final OptionSpec<ThreadKind> THREAD_KIND = RemusOptions.of(ClusterSettings.THREAD_KIND);

    private TortureCommand() {}

    /**
     * Runs the command.
     *
     * @param mainClass the main class of each node, whose arguments are the name of a program and its command line
     * @param args the command line, without the name
     * @return an {@link ExitStatus}
     */
    public static int run(Class<?> mainClass, PrintStream out, PrintStream err, String... args) {
        OptionSet options = new OptionSet("./remus " + NAME, SUMMARY)
                .include(new OptionGroup("Torture", KILLS, SECONDS, SEED, FIRST_TRIAL, LONGEST_STOP, THREAD_KIND))
                .example("./remus torture")
                .example("./remus torture --kills 20 --seed 7");
        return CommandLine.run(NAME, options, arguments -> run(mainClass, arguments, out, err), out, err, args);
    }

    private static int run(Class<?> mainClass, Arguments arguments, PrintStream out, PrintStream err)
            throws IOException, InterruptedException {
        ThreadKind threads = arguments.get(THREAD_KIND);
        if (threads == ThreadKind.VIRTUAL && !VirtualThreads.exist()) {
            throw arguments.usageError(THREAD_KIND, ThreadKind.PLATFORM + ": virtual threads exist from Java 21 on");
        }
        Torture torture = new Torture(
                mainClass,
                arguments.find(SEED).orElseGet(() -> System.currentTimeMillis() % 1_000_000),
                arguments.get(KILLS),
                arguments.get(SECONDS),
                arguments.get(LONGEST_STOP) * 1_000,
                threads,
                out,
                err);
        try (GracefulShutdown end = new GracefulShutdown(torture::stop)) {
            return torture.run(Math.toIntExact(arguments.get(FIRST_TRIAL)));
        }
    }
}
