// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.options.UsageException;
import dev.remus.structures.LongLazyListSet;
import dev.remus.tools.verify.VerifyOption;

/**
 * The options of experiments with sets of integers, and the workload that they describe. Names and defaults are those
 * of the C++ Remus.
 */
public final class IntSetOptions {
    /** Operations per thread; default 65536. */
    public static final OptionSpec<Long> NUM_OPS = OptionSpec.integer(
                    "--num-ops",
                    0,
                    RunLength.UNLIMITED,
                    "The number of operations per thread; over RDMA, the default is a --run-time instead")
            .withDefault(65_536L);

    /** The percentage of prefilled keys, 0..100; default 50. */
    public static final OptionSpec<Long> PREFILL = OptionSpec.integer(
                    "--prefill", 0, 100, "The percentage of the keys that are in the set before the run")
            .withDefault(50L);

    /** The percentage of inserts, 0..100; default 50. */
    public static final OptionSpec<Long> INSERT = OptionSpec.integer(
                    "--insert", 0, 100, "The percentage of operations that insert a key")
            .withDefault(50L);

    /** The percentage of removes, 0..100; default 50. */
    public static final OptionSpec<Long> REMOVE = OptionSpec.integer(
                    "--remove", 0, 100, "The percentage of operations that remove a key; the others search for one")
            .withDefault(50L);

    /** The lowest key; default 0. */
    public static final OptionSpec<Long> KEY_LB = OptionSpec.integer(
                    "--key-lb", Long.MIN_VALUE, Long.MAX_VALUE, "The lowest key")
            .withDefault(0L);

    /** The highest key; default 4096. */
    public static final OptionSpec<Long> KEY_UB = OptionSpec.integer(
                    "--key-ub",
                    Long.MIN_VALUE,
                    Long.MAX_VALUE,
                    "The highest key; the default is lower if round trips are slow and there is no --num-ops")
            .withDefault(4096L);

    /** The set; default {@link LongLazyListSet}. */
    public static final OptionSpec<String> SET = OptionSpec.text(
                    "--set",
                    "set",
                    "The set: lazy (the lazy list), fast (one read per node), cached (one read per node, and a read cache), lockfree"
                            + " (no locks), or the class of a RemoteLongSet with a static create(ComputeThread) and a constructor that takes the pointer")
            .withDefault(LongLazyListSet.class.getName());

    /** The class path for {@link #SET}, if its class does not come with the program. */
    public static final OptionSpec<String> CLASS_PATH = OptionSpec.text(
                    "--class-path",
                    "path",
                    "Folders and jar files that hold the class of --set, separated by ':'; Java's CLASSPATH is not read")
            .perNode();

    /** With {@code --reclaim barrier}: operations per thread between barriers; default 0, chosen by the memory. */
    public static final OptionSpec<Long> RECLAIM_EVERY = OptionSpec.integer(
                    "--reclaim-every",
                    0,
                    RunLength.UNLIMITED,
                    "With --reclaim barrier: operations per thread between two barriers, where the memory of removed"
                            + " keys is reclaimed; 0 to choose by the size of the memory")
            .withDefault(0L);

    /** The seed of the random choices; by default from the clock. */
    public static final OptionSpec<Long> SEED = OptionSpec.integer(
            "--seed", Long.MIN_VALUE, Long.MAX_VALUE, "The seed of the random choices; by default from the clock");

    /** Whether each operation is timed; default on. */
    public static final OptionSpec<OnOff> LATENCY = OptionSpec.choice(
                    "--time-operations",
                    OnOff.class,
                    "Whether to time each operation, for percentiles; costs two clock readings per operation")
            .withDefault(OnOff.ON);

    /** The baseline that repeats the workload; default none. */
    public static final OptionSpec<Baseline> BASELINE = OptionSpec.choice(
                    "--baseline",
                    Baseline.class,
                    "A baseline that then repeats the workload, for comparison: a lazy list on the Java heap, in one process")
            .withDefault(Baseline.NONE);

    private static final OptionGroup GROUP = new OptionGroup(
            "Set of integers",
            NUM_OPS,
            RunTime.OPTION,
            PREFILL,
            INSERT,
            REMOVE,
            KEY_LB,
            KEY_UB,
            SET,
            CLASS_PATH,
            RECLAIM_EVERY,
            SEED,
            LATENCY,
            VerifyOption.OPTION,
            BASELINE);

    private IntSetOptions() {}

    /** All of them, for {@link dev.remus.options.OptionSet#include}. */
    public static OptionGroup group() {
        return GROUP;
    }

    /**
     * The workload that a command line describes.
     *
     * @param arguments of a program that includes {@link #group} and {@link RemusOptions#groups}
     * @throws UsageException if options contradict each other or the keys do not fit into the cluster's memory
     */
    public static IntSetWorkload workload(Arguments arguments) {
        ClusterConfig cluster = RemusOptions.clusterConfig(arguments);
        long lb = arguments.get(KEY_LB);
        if (arguments.get(KEY_UB) < lb) {
            throw arguments.usageError(KEY_UB, "at least --key-lb, which is " + lb);
        }
        if (arguments.get(INSERT) + arguments.get(REMOVE) > 100) {
            throw arguments.usageError(
                    REMOVE,
                    "at most " + (100 - arguments.get(INSERT)) + ", since --insert is " + arguments.get(INSERT));
        }
        if (arguments.get(RECLAIM_EVERY) > 0 && cluster.reclaim() != Reclamation.BARRIER) {
            throw arguments.usageError(
                    RECLAIM_EVERY, "--reclaim barrier: with epochs, no barrier is between two operations");
        }
        checkReturns(arguments, cluster);
        IntSetWorkload workload = new IntSetWorkload(
                RunTime.length(arguments, NUM_OPS),
                Math.toIntExact(arguments.get(PREFILL)),
                Math.toIntExact(arguments.get(INSERT)),
                Math.toIntExact(arguments.get(REMOVE)),
                new KeyRange(lb, arguments.get(KEY_UB)),
                RunTime.isSizeOpen(arguments, NUM_OPS) && !arguments.isGiven(KEY_UB),
                arguments.get(RECLAIM_EVERY),
                arguments.find(SEED).orElseGet(System::currentTimeMillis),
                arguments.get(LATENCY) == OnOff.ON);
        if (!workload.fits(cluster)) {
            throw arguments.usageError(
                    PREFILL,
                    "to fit into the memory of the cluster: it is "
                            + workload.keys().share(workload.prefill()) + " of the keys " + workload.keys()
                            + ", and there is room for at most " + IntSetWorkload.maxKeys(cluster)
                            + ". Lower it, narrow the range of keys, or raise --seg-size or --segs-per-mn");
        }
        return workload.in(cluster);
    }

    /** A thread that comes back must be able to join in the middle, when the others have agreed on everything. */
    private static void checkReturns(Arguments arguments, ClusterConfig cluster) {
        Returns.check(arguments, cluster);
        if (cluster.returns() > 0 && !arguments.isGiven(KEY_UB)) {
            throw arguments.usageError(
                    KEY_UB, "to be given with --returns, so that a node that comes back uses the same keys");
        }
    }

    /**
     * Whether a command line requests that the operations are recorded and judged.
     *
     * @param arguments of a program that includes {@link #group} and {@link RemusOptions#groups}
     * @throws UsageException if the workload has too many
     */
    public static boolean verifies(Arguments arguments, IntSetWorkload workload) {
        RunLength length = workload.length();
        long threads = RemusOptions.clusterConfig(arguments).totalThreads();
        return VerifyOption.isGiven(
                arguments, NUM_OPS, length.isTimed(), Math.min(length.operations(), VerifyOption.MOST + 1L) * threads);
    }

    /**
     * The factory of the sets that a command line names.
     *
     * @param arguments of a program that includes {@link #group}
     * @throws UsageException if there is no such class, or it is not a set of integers
     */
    public static IntSetFactory factory(Arguments arguments) {
        ClassPath path;
        try {
            path = arguments.find(CLASS_PATH).map(ClassPath::parse).orElse(ClassPath.none());
        } catch (IllegalArgumentException e) {
            throw arguments.usageError(CLASS_PATH, "folders or jar files: " + e.getMessage());
        }
        try {
            return IntSetClass.of(IntSetNames.className(arguments.get(SET)), path);
        } catch (IllegalArgumentException e) {
            throw arguments.usageError(
                    SET,
                    "lazy, fast, cached, lockfree, or a RemoteLongSet with a public static create(ComputeThread) that returns an RdmaPtr, and a public "
                            + "constructor that takes it: " + e.getMessage());
        }
    }
}
