// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page12;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.NodeContext;
import dev.remus.cli.cluster.Program;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeThread;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import java.util.Locale;

/** One thread counts the round trips of {@code get}, in a map of 16 buckets and, if asked, in one that grows. */
public final class CountWalks implements Program {
    private static final int BUCKETS = 16;
    private static final int MOST = 1 << 16;
    private static final int[] KEYS = {16, 64, 256, 1024, 4096};

    private static final OptionSpec<Boolean> GROWING =
            OptionSpec.flag("--growing", "Count those of the map that grows, too");

    /** Takes the options of the framework. */
    public static void main(String... args) {
        ProgramRunner.main(new CountWalks(), CountWalks.class, args);
    }

    @Override
    public String name() {
        return "count-walks";
    }

    @Override
    public String summary() {
        return "Counts the round trips of a map that does not grow, and of one that does.";
    }

    @Override
    public OptionSet options() {
        return new OptionSet(name(), summary())
                .include(new OptionGroup("Count", GROWING))
                .include(RemusOptions.groups());
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        boolean growing = arguments.get(GROWING);
        return (ct, context) -> run(growing, ct, context);
    }

    private static void run(boolean growing, ComputeThread ct, NodeContext context) {
        if (ct.id() == 0) {
            context.conclude("round trips of a get, on average");
            context.conclude(String.format("%6s %12s", "keys", BUCKETS + " buckets") + (growing ? "   growing" : ""));
            for (int keys : KEYS) {
                FixedMap fixed = new FixedMap(FixedMap.create(BUCKETS, ct), ct);
                String line = String.format(Locale.ROOT, "%,6d %12.1f", keys, roundTrips(keys, fixed, ct));
                fixed.destroy(ct);
                if (growing) {
                    GrowingMap map = new GrowingMap(GrowingMap.create(BUCKETS, MOST, ct), ct);
                    line += String.format(Locale.ROOT, " %9.1f", roundTrips(keys, map, ct));
                    map.destroy(ct);
                }
                context.conclude(line);
            }
        }
        ct.barrier();
    }

    // #region measure
    private static double roundTrips(int keys, EntryMap map, ComputeThread ct) {
        for (int key = 0; key < keys; key++) {
            map.putIfAbsent(key, key, ct);
        }
        long before = 0;
        for (int round = 0; round < 2; round++) { // the first one learns the markers
            before = ct.metrics().roundTrips();
            for (int key = 0; key < keys; key++) {
                map.get(key, ct);
            }
        }
        return (ct.metrics().roundTrips() - before) / (double) keys;
    }
    // #endregion measure
}
