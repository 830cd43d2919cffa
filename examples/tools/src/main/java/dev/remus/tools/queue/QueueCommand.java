package dev.remus.tools.queue;

import dev.remus.cli.cluster.ProgramRunner;
import java.io.PrintStream;

/** {@code ./remus queue}: one run of the experiment with queues, a sweep of runs, or a sweep in the simulator. */
public final class QueueCommand {
    /** The word by which it is called. */
    public static final String NAME = QueueProgram.NAME;

    private QueueCommand() {}

    /**
     * Runs the experiment, as a {@link QueueSweep} or {@link SimulatedSweep} if the command line asks for that.
     *
     * @param mainClass as {@link ProgramRunner} needs it
     * @return an {@link dev.remus.cli.cluster.ExitStatus}
     */
    public static int run(Class<?> mainClass, PrintStream out, PrintStream err, String... args) {
        if (SimulatedSweep.isAskedFor(args)) {
            return new SimulatedSweep(out, err).run(args);
        }
        return QueueSweep.isAskedFor(args)
                ? new QueueSweep(mainClass, out, err).run(args)
                : new ProgramRunner(new QueueProgram(), mainClass, out, err).run(args);
    }
}
