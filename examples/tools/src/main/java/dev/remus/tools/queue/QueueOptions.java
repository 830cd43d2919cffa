// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Suggestion;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.options.UsageException;
import dev.remus.tools.harness.Returns;
import dev.remus.tools.harness.RunLength;
import dev.remus.tools.harness.RunTime;
import dev.remus.tools.verify.VerifyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The options of the experiment with queues, and the workload that they describe. */
public final class QueueOptions {
    private static final long MAX_CAPACITY = 1 << 24;

    /** The queue; default buffered. */
    public static final OptionSpec<QueueKind> QUEUE =
            OptionSpec.choice("--queue", QueueKind.class, "The queue").withDefault(QueueKind.BUFFERED);

    /** The pattern of operations; default random. */
    public static final OptionSpec<QueueWorkload.Pattern> WORKLOAD = OptionSpec.choice(
                    "--workload",
                    QueueWorkload.Pattern.class,
                    "The pattern: each thread enqueues or dequeues at random, or some only enqueue and the others only dequeue")
            .withDefault(QueueWorkload.Pattern.RANDOM);

    /** Operations per thread; default 10000. */
    public static final OptionSpec<Long> NUM_OPS = OptionSpec.integer(
                    "--num-ops",
                    0,
                    RunLength.UNLIMITED,
                    "The number of operations per thread, or of items per producer; over RDMA, the default is a --run-time"
                            + " instead")
            .withDefault(10_000L);

    /** The time of operations before the run; by default none. */
    static final OptionSpec<String> WARM_UP = OptionSpec.text(
            "--warm-up",
            "seconds",
            "Before the run, the time of operations on a queue of their own that count for nothing, such as 1: a new"
                    + " Java process is slow at first; by default none");

    private static final long DEFAULT_CAPACITY = 1000;

    /** The capacity of the queue; by default {@link #fittingCapacity}. */
    public static final OptionSpec<Long> CAPACITY = OptionSpec.integer(
            "--capacity",
            1,
            MAX_CAPACITY,
            "The capacity in items: in all for the buffered, scalable and sharded queues, per thread for the others; by"
                    + " default "
                    + DEFAULT_CAPACITY + ", or as many as half of the memory has room for");

    /** The seed of the random choices; by default from the clock. */
    public static final OptionSpec<Long> SEED = OptionSpec.integer(
            "--seed", Long.MIN_VALUE, Long.MAX_VALUE, "The seed of the random choices; by default from the clock");

    /** The most threads per Compute Node in a sweep. */
    static final int MAX_THREADS = 64;

    /** The numbers of threads of a sweep; by default none, for a single run. */
    static final OptionSpec<List<String>> SWEEP = OptionSpec.list(
            "--sweep",
            "threads",
            "A sweep: one run for each of these numbers of threads per Compute Node, 1 to " + MAX_THREADS
                    + "; writes a table, figures and a page that compares the runs");

    /** Queues to sweep over; by default the one of {@code --queue}. */
    static final OptionSpec<List<String>> QUEUES =
            OptionSpec.list("--queues", "queue", "With --sweep: the queues to compare; by default that of --queue");

    private static final OptionGroup GROUP = new OptionGroup(
            "Queue",
            QUEUE,
            WORKLOAD,
            NUM_OPS,
            RunTime.OPTION,
            WARM_UP,
            CAPACITY,
            SEED,
            VerifyOption.OPTION,
            SWEEP,
            QUEUES);

    private QueueOptions() {}

    /** All of them, for {@link dev.remus.options.OptionSet#include}. */
    public static OptionGroup group() {
        return GROUP;
    }

    /**
     * The workload that a command line describes.
     *
     * @param arguments of a program that includes {@link #group} and {@link RemusOptions#groups}
     * @throws UsageException if the cluster has too few threads for it, or too little memory
     */
    public static QueueWorkload workload(Arguments arguments) {
        ClusterConfig cluster = RemusOptions.clusterConfig(arguments);
        Returns.check(arguments, cluster, WARM_UP);
        QueueKind queue = arguments.get(QUEUE);
        QueueWorkload workload = new QueueWorkload(
                queue,
                arguments.get(WORKLOAD),
                RunTime.length(arguments, NUM_OPS),
                capacity(queue, cluster, arguments),
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

    private static int capacity(QueueKind queue, ClusterConfig cluster, Arguments arguments) {
        if (!arguments.isGiven(CAPACITY)) {
            return fittingCapacity(queue, cluster);
        }
        long most = queue.capacityIn(memory(cluster), cluster.threadIds());
        if (arguments.get(CAPACITY) > most) {
            throw arguments.usageError(
                    CAPACITY,
                    "at most " + most + " in the memory of this cluster: lower it, or raise --seg-size or"
                            + " --segs-per-mn");
        }
        return Math.toIntExact(arguments.get(CAPACITY));
    }

    /** The default capacity of a queue in a cluster: its items take up to half of the memory. */
    static int fittingCapacity(QueueKind queue, ClusterConfig cluster) {
        long most = queue.capacityIn(memory(cluster) / 2, cluster.threadIds());
        return Math.toIntExact(Math.max(1, Math.min(DEFAULT_CAPACITY, most)));
    }

    private static long memory(ClusterConfig cluster) {
        return cluster.segmentBytes() * cluster.segmentsPerNode() * cluster.memoryNodes();
    }

    /**
     * Whether a command line requests that the operations are recorded and judged.
     *
     * @param arguments of a program that includes {@link #group} and {@link RemusOptions#groups}
     * @throws UsageException if the workload has too many
     */
    static boolean verifies(Arguments arguments, QueueWorkload workload) {
        int threads = RemusOptions.clusterConfig(arguments).totalThreads();
        boolean isTimed = workload.length().isTimed();
        long operations = 0;
        for (int thread = 0; thread < threads && !isTimed; thread++) {
            operations += Math.min(workload.recordedOf(thread, threads), VerifyOption.MOST + 1L);
        }
        return VerifyOption.isGiven(arguments, NUM_OPS, isTimed, operations);
    }

    /** The queues to compare; empty if the command line names none. */
    static List<QueueKind> queues(OptionSpec<List<String>> option, Arguments arguments) {
        List<QueueKind> queues = new ArrayList<>();
        List<String> names =
                Stream.of(QueueKind.values()).map(QueueKind::toString).toList();
        for (String word : arguments.get(option)) {
            if (!names.contains(word)) {
                throw arguments.usageError(
                        option, "a list of " + String.join(", ", names) + Suggestion.didYouMean(word, names));
            }
            queues.add(QueueKind.values()[names.indexOf(word)]);
        }
        return queues;
    }
}
