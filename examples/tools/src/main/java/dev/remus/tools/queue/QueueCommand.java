// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.cli.progress.ProgressView;
import dev.remus.tools.harness.ModelOptions;
import java.io.PrintStream;

/** {@code ./remus queue}: one run of the experiment with queues, a sweep of runs, or a sweep in the simulator. */
public final class QueueCommand {
    /** The name of the command. */
    public static final String NAME = QueueProgram.NAME;

    private QueueCommand() {}

    /**
     * Runs the experiment, a {@link QueueSweep} or a {@link SimulatedSweep}, as the command line requests.
     *
     * @param mainClass the main class of each node, see {@link ProgramRunner}
     * @return an {@link dev.remus.cli.cluster.ExitStatus}
     */
    public static int run(Class<?> mainClass, PrintStream out, PrintStream err, String... args) {
        if (ModelOptions.areRequested(args)) {
            return new SimulatedSweep(out, err).run(args);
        }
        return QueueSweep.isRequested(args)
                ? new QueueSweep(mainClass, out, err).run(args)
                : new ProgramRunner(new QueueProgram(), mainClass, out, err).run(args);
    }

    /**
     * Makes a single run, and shows its progress elsewhere.
     *
     * @param mainClass the main class of each node, see {@link ProgramRunner}
     * @param view shows the progress of the run
     * @return an {@link dev.remus.cli.cluster.ExitStatus}
     */
    public static int runOnce(Class<?> mainClass, PrintStream out, PrintStream err, ProgressView view, String... args) {
        return new ProgramRunner(new QueueProgram(), mainClass, out, err, view).run(args);
    }
}
