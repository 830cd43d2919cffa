package dev.remus.tools.bench.queues;

import dev.remus.cli.cluster.ProgramRunner;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Stream;

/** {@code bench queues}: starts the two processes between which the queues are measured. */
public final class QueuesSuite {
    /** The word by which it is called. */
    public static final String NAME = QueuesProgram.NAME;

    /** What it does, in one line. */
    public static final String SUMMARY = QueuesProgram.SUMMARY;

    /** Node 0 offers the memory and dequeues, node 1 enqueues: two processes and no more. */
    private static final List<String> TWO_PROCESSES =
            List.of("--first-cn-id=0", "--last-cn-id=1", "--cn-threads=" + QueuesJob.MOST_PRODUCERS);

    private QueuesSuite() {}

    /**
     * Runs the suite, or one of its nodes.
     *
     * @param out gets the results
     * @param err gets complaints and progress
     * @param args the command line, without the name
     * @return an {@link dev.remus.cli.cluster.ExitStatus}: a target that is missed is no failure
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        Stream<String> missing = isGiven("--node-id", args)
                ? Stream.empty()
                : TWO_PROCESSES.stream().filter(option -> !isGiven(option.substring(0, option.indexOf('=')), args));
        return new ProgramRunner(new QueuesProgram(), QueuesNode.class, out, err)
                .run(Stream.concat(missing, Stream.of(args)).toArray(String[]::new));
    }

    private static boolean isGiven(String option, String... args) {
        return Stream.of(args).anyMatch(arg -> arg.equals(option) || arg.startsWith(option + "="));
    }
}
