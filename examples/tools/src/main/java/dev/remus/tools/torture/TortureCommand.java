// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.torture;

import dev.remus.cli.cluster.CommandLine;
import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.GracefulShutdown;
import dev.remus.config.ClusterSettings;
import dev.remus.config.OnNodeLoss;
import dev.remus.config.ThreadKind;
import dev.remus.fabric.VirtualThreads;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import java.io.IOException;
import java.io.PrintStream;

/**
 * The command {@code torture}, which kills, stops and restarts nodes at random moments and checks the behaviour of the
 * others.
 */
public final class TortureCommand {
    /** The name of the command. */
    public static final String NAME = "torture";

    /** A one-line summary. */
    public static final String SUMMARY =
            "Kills nodes of small clusters at random points, and checks that the others notice, and end or go on.";

    private static final OptionSpec<Long> KILLS = OptionSpec.integer(
                    "--kills", 1, 1_000_000, "With --on-node-loss abort: the number of kills")
            .withDefault(200L);

    private static final OptionSpec<Long> ROUNDS = OptionSpec.integer(
                    "--rounds",
                    1,
                    1_000_000,
                    "With --on-node-loss continue: the number of clusters, which run "
                            + EndurancePlan.EXPERIMENTS.size() + " experiments in turn; four times"
                            + " in each, a Compute Node is killed, killed and started again, or stopped for a while")
            .withDefault(50L);

    private static final OptionSpec<Long> SECONDS = OptionSpec.integer(
                    "--seconds",
                    1,
                    1_000_000,
                    "The time in seconds after which it ends, even with fewer kills or rounds")
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

    private static final OptionSpec<OnNodeLoss> ON_NODE_LOSS = OptionSpec.choice(
                    ClusterSettings.ON_NODE_LOSS.option(),
                    OnNodeLoss.class,
                    "abort: the loss of a node must end all others, which name it; continue: the others must finish,"
                            + " also if it comes back, and their books must balance")
            .withDefault(OnNodeLoss.ABORT);

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
                .include(new OptionGroup(
                        "Torture", ON_NODE_LOSS, KILLS, ROUNDS, SECONDS, SEED, FIRST_TRIAL, LONGEST_STOP, THREAD_KIND))
                .example("./remus torture")
                .example("./remus torture --kills 20 --seed 7")
                .example("./remus torture --on-node-loss continue --rounds 18 --longest-stop 40");
        return CommandLine.run(NAME, options, arguments -> run(mainClass, arguments, out, err), out, err, args);
    }

    private static int run(Class<?> mainClass, Arguments arguments, PrintStream out, PrintStream err)
            throws IOException, InterruptedException {
        ThreadKind threads = arguments.get(THREAD_KIND);
        if (threads == ThreadKind.VIRTUAL && !VirtualThreads.exist()) {
            throw arguments.usageError(THREAD_KIND, ThreadKind.PLATFORM + ": virtual threads exist from Java 21 on");
        }
        Torture torture = new Torture(series(mainClass, arguments, threads), arguments.get(SECONDS), out, err);
        try (GracefulShutdown end = new GracefulShutdown(torture::stop)) {
            return torture.run();
        }
    }

    private static TrialSeries series(Class<?> mainClass, Arguments arguments, ThreadKind threads) {
        boolean continues = arguments.get(ON_NODE_LOSS) == OnNodeLoss.CONTINUE;
        OptionSpec<Long> other = continues ? KILLS : ROUNDS;
        if (arguments.isGiven(other)) {
            throw arguments.usageError(ON_NODE_LOSS, continues ? "abort with --kills" : "continue with --rounds");
        }
        long seed = arguments.find(SEED).orElseGet(() -> System.currentTimeMillis() % 1_000_000);
        int first = Math.toIntExact(arguments.get(FIRST_TRIAL));
        long longestStopMillis = arguments.get(LONGEST_STOP) * 1_000;
        return continues
                ? new EnduranceSeries(mainClass, seed, arguments.get(ROUNDS), first, longestStopMillis, threads)
                : new KillSeries(mainClass, seed, arguments.get(KILLS), first, longestStopMillis, threads);
    }
}
