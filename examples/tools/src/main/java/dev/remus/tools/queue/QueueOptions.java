package dev.remus.tools.queue;

import dev.remus.config.ClusterConfig;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.options.UsageException;
import dev.remus.tools.harness.RunLength;
import dev.remus.tools.harness.RunTime;

/** The options of the experiment with queues, and what they add up to. */
public final class QueueOptions {
    private static final long MOST_CAPACITY = 1 << 24;

    /** The queue; default buffered. */
    public static final OptionSpec<QueueKind> QUEUE =
            OptionSpec.choice("--queue", QueueKind.class, "The queue").withDefault(QueueKind.BUFFERED);

    /** Who does what; default random. */
    public static final OptionSpec<QueueWorkload.Pattern> WORKLOAD = OptionSpec.choice(
                    "--workload",
                    QueueWorkload.Pattern.class,
                    "Whether each thread inserts or removes at random, or some only enqueue and some only dequeue")
            .withDefault(QueueWorkload.Pattern.RANDOM);

    /** Operations per thread; default 10000. */
    public static final OptionSpec<Long> NUM_OPS = OptionSpec.integer(
                    "--num-ops",
                    0,
                    RunLength.UNLIMITED,
                    "The number of operations per thread, or of items per producer; over RDMA, --run-time has a default"
                            + " instead")
            .withDefault(10_000L);

    /** Room; default 1000. */
    public static final OptionSpec<Long> CAPACITY = OptionSpec.integer(
                    "--capacity",
                    1,
                    MOST_CAPACITY,
                    "For how many items there is room: in all for the buffered queues, of each thread for the others")
            .withDefault(1000L);

    /** What the threads draw; by default from the clock. */
    public static final OptionSpec<Long> SEED = OptionSpec.integer(
            "--seed", Long.MIN_VALUE, Long.MAX_VALUE, "What decides the random choices; by default from the clock");

    private static final OptionGroup GROUP = new OptionGroup(
            "Queue", QUEUE, WORKLOAD, NUM_OPS, RunTime.OPTION, CAPACITY, SEED, QueueSweep.SWEEP, QueueSweep.QUEUES);

    private QueueOptions() {}

    /** All of them, for {@link dev.remus.options.OptionSet#include}. */
    public static OptionGroup group() {
        return GROUP;
    }

    /**
     * The workload that a command line asks for.
     *
     * @param arguments of a program that includes {@link #group} and {@link RemusOptions#groups}
     * @throws UsageException if the cluster has too few threads for it
     */
    public static QueueWorkload workload(Arguments arguments) {
        ClusterConfig cluster = RemusOptions.clusterConfig(arguments);
        QueueWorkload workload = new QueueWorkload(
                arguments.get(QUEUE),
                arguments.get(WORKLOAD),
                RunTime.length(arguments, NUM_OPS),
                Math.toIntExact(arguments.get(CAPACITY)),
                arguments.find(SEED).orElseGet(System::currentTimeMillis),
                true);
        boolean hasRoles =
                workload.queue().hasOneConsumer() || workload.pattern() == QueueWorkload.Pattern.PRODUCER_CONSUMER;
        if (hasRoles && cluster.totalThreads() < 2) {
            throw arguments.usageError(
                    RemusOptions.CN_THREADS, "at least two threads in all: one to dequeue and one to enqueue");
        }
        return workload;
    }
}
