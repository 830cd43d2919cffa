// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce;

import dev.remus.tools.reproduce.buffered.BufferedQueueFigures;
import dev.remus.tools.reproduce.experiment.Experiments;
import dev.remus.tools.reproduce.lists.LazyListFigures;
import dev.remus.tools.reproduce.lockfree.LockFreeQueuePaper;
import java.io.PrintStream;
import java.util.List;

/** The {@code reproduce} command: repeats the experiment of a publication that its first argument names. */
public final class ReproduceCommand {
    /** The name of the command. */
    public static final String NAME = "reproduce";

    private static final Experiments EXPERIMENTS = new Experiments(
            NAME,
            "Repeats the experiment of a publication, and prints its figures beside ours.",
            List.of(new LockFreeQueuePaper(), new BufferedQueueFigures(), new LazyListFigures()));

    private ReproduceCommand() {}

    /**
     * Runs an experiment; without arguments, lists the experiments.
     *
     * @param mainClass the main class of each node, see {@link dev.remus.cli.cluster.ProgramRunner}
     * @param out receives the results
     * @param err receives errors and progress
     * @param args the name of the experiment and its command line
     * @return an {@link dev.remus.cli.cluster.ExitStatus}
     */
    public static int run(Class<?> mainClass, PrintStream out, PrintStream err, String... args) {
        return EXPERIMENTS.run(mainClass, out, err, args);
    }
}
