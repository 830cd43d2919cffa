// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Suggestion;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.options.UsageException;
import dev.remus.tools.harness.ModelOptions;
import dev.remus.tools.harness.OnOff;
import dev.remus.tools.harness.Returns;
import dev.remus.tools.harness.RunLength;
import dev.remus.tools.harness.RunTime;
import dev.remus.tools.verify.VerifyOption;
import java.util.List;
import java.util.Optional;

/** The options of the experiment with maps, and the workload that they describe. */
final class KvOptions {
    private static final int MAX_RECORDS = 1_000_000_000;
    private static final int MAX_VALUE_BYTES = 1 << 20;
    private static final int MAX_SCAN_LENGTH = 1_000_000;

    /** The largest value of {@code --seg-size}. */
    private static final int LARGEST_SEGMENT_LOG2 = 36;

    private static final String SKEW_NUMBER = "[0-9]{1,2}([.][0-9]{1,6})?";

    /** The map; default hash. */
    static final OptionSpec<KvMap> MAP = OptionSpec.choice(
                    "--map",
                    KvMap.class,
                    "The map: a hash map, a tree, which is an ordered map and can scan, or a list without locks, for"
                            + " few records")
            .withDefault(KvMap.HASH);

    /** The workload of YCSB; default b. */
    static final OptionSpec<YcsbWorkload> WORKLOAD = OptionSpec.choice(
                    "--workload",
                    YcsbWorkload.class,
                    "The workload of YCSB: a 50 % updates, b 5 % updates, c only reads, d 5 % inserts and reads of the"
                            + " newest keys, e 5 % inserts and 95 % scans, which need --map tree, f 50 %"
                            + " read-modify-writes")
            .withDefault(YcsbWorkload.B);

    /** The percentage of reads. */
    static final OptionSpec<Long> READ = OptionSpec.integer(
            "--read",
            0,
            100,
            "A mix of your own, instead of the workload's: the percentage of reads; default the rest");

    /** The percentage of updates. */
    static final OptionSpec<Long> UPDATE =
            OptionSpec.integer("--update", 0, 100, "In such a mix: the percentage of updates; default 0");

    /** The percentage of inserts. */
    static final OptionSpec<Long> INSERT =
            OptionSpec.integer("--insert", 0, 100, "In such a mix: the percentage of inserts of new keys; default 0");

    /** The percentage of read-modify-writes. */
    static final OptionSpec<Long> RMW = OptionSpec.integer(
            "--rmw",
            0,
            100,
            "In such a mix: the percentage of read-modify-writes, which replace the value that they have read; default 0");

    /** The percentage of removes. */
    static final OptionSpec<Long> REMOVE =
            OptionSpec.integer("--remove", 0, 100, "In such a mix: the percentage of removes; default 0");

    /** The percentage of scans. */
    static final OptionSpec<Long> SCAN = OptionSpec.integer(
            "--scan", 0, 100, "In such a mix: the percentage of scans, which need --map tree; default 0");

    private static final List<OptionSpec<Long>> MIX = List.of(READ, UPDATE, INSERT, RMW, REMOVE, SCAN);

    /** The most entries of a scan; default 100. */
    static final OptionSpec<Long> SCAN_LENGTH = OptionSpec.integer(
                    "--scan-length",
                    1,
                    MAX_SCAN_LENGTH,
                    "The most entries of a scan: each has a random length from 1 up to this one")
            .withDefault(100L);

    /** The choice of keys. */
    static final OptionSpec<KeyChoice.Distribution> DISTRIBUTION = OptionSpec.choice(
            "--distribution",
            KeyChoice.Distribution.class,
            "The choice of keys: all alike, some more popular than others, the newest most, or a part of the keys in a"
                    + " part of the operations; by default as in the workload");

    /** The exponent of the Zipfian distribution; default 0.99. */
    static final OptionSpec<String> SKEW = OptionSpec.text(
                    "--skew", "number", "The exponent of the Zipfian distribution, above 0 and at most 10")
            .withDefault("0.99");

    /** The percentage of hot keys; default 20. */
    static final OptionSpec<Long> HOT_KEYS = OptionSpec.integer(
                    "--hot-keys", 1, 100, "With --distribution hot-set: the percentage of the keys that are hot")
            .withDefault(20L);

    /** The percentage of operations on hot keys; default 80. */
    static final OptionSpec<Long> HOT_OPERATIONS = OptionSpec.integer(
                    "--hot-operations",
                    0,
                    100,
                    "With --distribution hot-set: the percentage of the operations that use hot keys")
            .withDefault(80L);

    /** The number of keys that are loaded; by default {@link KvMap#usualRecords}. */
    static final OptionSpec<Long> RECORDS_LOADED = OptionSpec.integer(
            "--records",
            1,
            MAX_RECORDS,
            "The number of keys that are loaded before the run; default 10000, or 100 with --map list");

    /** The size of a value; default 8. */
    static final OptionSpec<Long> VALUE_BYTES = OptionSpec.integer(
                    "--value-bytes",
                    Long.BYTES,
                    MAX_VALUE_BYTES,
                    "The size of a value; with 8, the hash map is a LongLongMap and the tree a LongLongTree, else they are a"
                            + " RemoteHashMap and a RemoteTreeMap")
            .withDefault((long) Long.BYTES);

    /** Operations per thread; default 50000. */
    static final OptionSpec<Long> NUM_OPS = OptionSpec.integer(
                    "--num-ops",
                    0,
                    RunLength.UNLIMITED,
                    "The number of operations per thread; over RDMA, the default is a --run-time instead")
            .withDefault(50_000L);

    /** The time of operations before the run; by default none. */
    static final OptionSpec<String> WARM_UP = OptionSpec.text(
            "--warm-up",
            "seconds",
            "Before the run, the time of operations that are not measured, such as 1: a new Java process is slow at"
                    + " first; by default none");

    /** Operations per second of an open loop; by default a closed loop. */
    static final OptionSpec<Long> RATE = OptionSpec.integer(
            "--rate",
            1,
            1_000_000_000,
            "The operations per second that all threads together begin, on time if they can; latencies then count from"
                    + " when an operation is due. By default each begins when the one before has ended");

    /** The seed of the random choices; by default from the clock. */
    static final OptionSpec<Long> SEED = OptionSpec.integer(
            "--seed", Long.MIN_VALUE, Long.MAX_VALUE, "The seed of the random choices; by default from the clock");

    /** Whether each operation is timed; default on. */
    static final OptionSpec<OnOff> LATENCY = OptionSpec.choice(
                    "--time-operations",
                    OnOff.class,
                    "Whether to time each operation, for percentiles; costs two clock readings per operation")
            .withDefault(OnOff.ON);

    /** The baselines that repeat the workload; by default none. */
    static final OptionSpec<List<String>> BASELINE = OptionSpec.list(
            "--baseline",
            "map",
            "Other maps that then repeat the workload, for comparison: heap for a ConcurrentHashMap in one process, or a"
                    + " ConcurrentSkipListMap beside a tree; redis for a Redis server, beside a tree with a sorted set; and,"
                    + " beside a hash map, hazelcast for a Hazelcast member on this machine. Both are started for it");

    private static final OptionGroup GROUP = new OptionGroup(
            "Map",
            MAP,
            WORKLOAD,
            READ,
            UPDATE,
            INSERT,
            RMW,
            REMOVE,
            SCAN,
            SCAN_LENGTH,
            DISTRIBUTION,
            SKEW,
            HOT_KEYS,
            HOT_OPERATIONS,
            RECORDS_LOADED,
            VALUE_BYTES,
            NUM_OPS,
            RunTime.OPTION,
            WARM_UP,
            RATE,
            SEED,
            LATENCY,
            VerifyOption.OPTION,
            BASELINE);

    /** What describes the map and its use on a simulated cluster too. */
    private static final OptionGroup MODEL_GROUP = new OptionGroup(
            "Map",
            MAP,
            WORKLOAD,
            READ,
            UPDATE,
            INSERT,
            RMW,
            REMOVE,
            SCAN,
            SCAN_LENGTH,
            DISTRIBUTION,
            SKEW,
            HOT_KEYS,
            HOT_OPERATIONS,
            RECORDS_LOADED,
            VALUE_BYTES,
            RunTime.OPTION,
            ModelOptions.SEED);

    private KvOptions() {}

    /** All of them, for {@link dev.remus.options.OptionSet#include}. */
    static OptionGroup group() {
        return GROUP;
    }

    /** Those for a simulated cluster. */
    static OptionGroup modelGroup() {
        return MODEL_GROUP;
    }

    /**
     * The workload that a command line describes for a simulated cluster.
     *
     * @param arguments of a program that includes {@link #modelGroup}
     * @param nanos the simulated time of the run
     * @param warmUpNanos the simulated time before it that is not measured
     * @throws UsageException if options contradict each other
     */
    static KvWorkload modelled(Arguments arguments, long nanos, long warmUpNanos) {
        checkMap(arguments);
        long seed = arguments.get(ModelOptions.SEED);
        return described(arguments, RunLength.ofNanos(nanos), warmUpNanos, 0, seed, false);
    }

    private static KvWorkload described(
            Arguments arguments, RunLength length, long warmUpNanos, long rate, long seed, boolean latency) {
        return new KvWorkload(
                length,
                warmUpNanos,
                arguments.get(MAP),
                arguments
                        .find(RECORDS_LOADED)
                        .map(Math::toIntExact)
                        .orElse(arguments.get(MAP).usualRecords()),
                Math.toIntExact(arguments.get(VALUE_BYTES)),
                mix(arguments),
                Math.toIntExact(arguments.get(SCAN_LENGTH)),
                choice(arguments),
                rate,
                seed,
                latency);
    }

    /**
     * The workload that a command line describes.
     *
     * @param arguments of a program that includes {@link #group} and {@link RemusOptions#groups}
     * @throws UsageException if options contradict each other or the records do not fit into the cluster's memory
     */
    static KvWorkload workload(Arguments arguments) {
        ClusterConfig cluster = RemusOptions.clusterConfig(arguments);
        checkMap(arguments);
        Returns.check(arguments, cluster, WARM_UP);
        KvWorkload workload = described(
                arguments,
                RunTime.length(arguments, NUM_OPS),
                RunTime.nanos(arguments, WARM_UP),
                arguments.find(RATE).orElse(0L),
                arguments.find(SEED).orElseGet(System::currentTimeMillis),
                arguments.get(LATENCY) == OnOff.ON);
        long most = workload.maxRecords(cluster);
        long added = workload.expectedInserts(cluster.totalThreads());
        if (workload.records() + added > most) {
            throw arguments.usageError(
                    RECORDS_LOADED,
                    "at most " + most + " records in the memory of this cluster"
                            + (added == 0 ? "" : ", with about " + added + " that the run inserts")
                            + ": lower it, or " + room(workload, workload.records() + added, cluster));
        }
        return workload;
    }

    /** Rejects scans of a map without order. */
    private static void checkMap(Arguments arguments) {
        if (!arguments.get(MAP).isOrdered() && mix(arguments).scan() > 0) {
            throw arguments.usageError(
                    arguments.isGiven(SCAN) ? SCAN : WORKLOAD, "--map tree, since the others do not scan");
        }
    }

    /** What makes room for so many records. */
    private static String room(KvWorkload workload, long records, ClusterConfig cluster) {
        for (int log2 = cluster.segmentSizeLog2() + 1; log2 <= LARGEST_SEGMENT_LOG2; log2++) {
            ClusterConfig larger = cluster.toBuilder().segmentSizeLog2(log2).build();
            if (workload.maxRecords(larger) >= records) {
                return "raise --seg-size to " + log2;
            }
        }
        return "raise --seg-size and --segs-per-mn";
    }

    /**
     * Whether a command line requests that the operations are judged.
     *
     * @throws UsageException if they are too many
     */
    static boolean verifies(Arguments arguments, KvWorkload workload) {
        RunLength length = workload.length();
        long ofEach = workload.mix().rmw() > 0 ? 2 : 1;
        long most = Math.min(length.operations(), VerifyOption.MOST + 1L) * ofEach;
        long threads = RemusOptions.clusterConfig(arguments).totalThreads();
        boolean verifies = VerifyOption.isGiven(arguments, NUM_OPS, length.isTimed(), most * threads);
        if (verifies && workload.warmUpNanos() > 0) {
            throw arguments.usageError(
                    WARM_UP, "a run without " + VerifyOption.OPTION.name() + ", which judges all operations");
        }
        if (verifies && workload.mix().scan() > 0) {
            throw arguments.usageError(
                    VerifyOption.OPTION.name() + ": needs a mix without scans, since it judges each key by itself");
        }
        return verifies;
    }

    /**
     * The baselines that a command line names.
     *
     * @throws UsageException if one is unknown or not installed
     */
    static List<KvBaseline> baselines(Arguments arguments) {
        return arguments.get(BASELINE).stream()
                .map(name -> baseline(name, arguments))
                .distinct()
                .toList();
    }

    private static KvBaseline baseline(String name, Arguments arguments) {
        KvBaseline baseline = KvBaseline.of(name)
                .orElseThrow(() -> arguments.usageError(
                        BASELINE,
                        "some of heap, redis and hazelcast, separated by commas"
                                + Suggestion.didYouMean(name, List.of("heap", "redis", "hazelcast"))));
        if (arguments.get(MAP).isOrdered() && !baseline.isOrdered()) {
            throw arguments.usageError(
                    BASELINE, "heap or redis with --map tree; Hazelcast repeats the workload of a hash map");
        }
        if (arguments.get(MAP).isOrdered() && baseline == KvBaseline.REDIS && arguments.get(VALUE_BYTES) > Long.BYTES) {
            throw arguments.usageError(BASELINE, "values of 8 bytes for redis with --map tree");
        }
        Optional<String> missing = baseline.missing();
        if (missing.isPresent()) {
            throw arguments.usageError(BASELINE, missing.get());
        }
        return baseline;
    }

    private static KvMix mix(Arguments arguments) {
        if (MIX.stream().noneMatch(arguments::isGiven)) {
            return arguments.get(WORKLOAD).mix();
        }
        long others = 0;
        for (OptionSpec<Long> kind : MIX) {
            others += kind == READ ? 0 : percent(kind, arguments);
        }
        if (others > 100) {
            throw arguments.usageError(
                    UPDATE, "at most 100 percent together with --insert, --rmw, --remove and --scan, not " + others);
        }
        if (arguments.isGiven(READ) && percent(READ, arguments) != 100 - others) {
            throw arguments.usageError(
                    READ, (100 - others) + ", since the other operations of the mix take " + others + " percent");
        }
        return new KvMix(
                percent(UPDATE, arguments),
                percent(INSERT, arguments),
                percent(RMW, arguments),
                percent(REMOVE, arguments),
                percent(SCAN, arguments));
    }

    private static int percent(OptionSpec<Long> kind, Arguments arguments) {
        return Math.toIntExact(arguments.find(kind).orElse(0L));
    }

    private static KeyChoice choice(Arguments arguments) {
        String skew = arguments.get(SKEW);
        double exponent = skew.matches(SKEW_NUMBER) ? Double.parseDouble(skew) : 0;
        if (exponent <= 0 || exponent > 10) {
            throw arguments.usageError(SKEW, "a number above 0 and at most 10, such as 0.99");
        }
        return new KeyChoice(
                arguments
                        .find(DISTRIBUTION)
                        .orElseGet(() -> arguments.get(WORKLOAD).distribution()),
                exponent,
                Math.toIntExact(arguments.get(HOT_KEYS)),
                Math.toIntExact(arguments.get(HOT_OPERATIONS)));
    }
}
