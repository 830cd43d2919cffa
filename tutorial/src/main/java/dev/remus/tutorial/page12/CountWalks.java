// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page12;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.NodeContext;
import dev.remus.cli.cluster.Program;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeThread;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import java.util.Locale;

/** One thread counts the round trips of {@code get}, in a map of 16 buckets and in one that grows. */
public final class CountWalks implements Program {
    private static final int BUCKETS = 16;
    private static final int MOST = 1 << 16;
    private static final int[] KEYS = {16, 64, 256, 1024, 4096};

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
        return "Counts the round trips of a map that grows, and of one that does not.";
    }

    @Override
    public OptionSet options() {
        return new OptionSet(name(), summary()).include(RemusOptions.groups());
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        return CountWalks::run;
    }

    private static void run(ComputeThread ct, NodeContext context) {
        if (ct.id() == 0) {
            context.conclude("round trips of a get, on average");
            context.conclude(String.format("%6s %12s %9s", "keys", BUCKETS + " buckets", "growing"));
            for (int keys : KEYS) {
                context.conclude(String.format(
                        Locale.ROOT,
                        "%,6d %12.1f %9.1f",
                        keys,
                        roundTrips(keys, BUCKETS, ct),
                        roundTrips(keys, MOST, ct)));
            }
        }
        ct.barrier();
    }

    // #region measure
    private static double roundTrips(int keys, int most, ComputeThread ct) {
        GrowingMap map = new GrowingMap(GrowingMap.create(BUCKETS, most, ct), ct);
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
        long trips = ct.metrics().roundTrips() - before;
        map.destroy(ct);
        return trips / (double) keys;
    }
    // #endregion measure
}
