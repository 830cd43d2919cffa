// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page6;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.NodeContext;
import dev.remus.cli.cluster.Program;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import dev.remus.tutorial.page6.FastList.Trick;
import java.util.Locale;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * One thread looks for all keys of a list: one at a time, then as many at a time as it may have operations in flight.
 */
public final class SearchTogether implements Program {
    private static final int KEYS = 64;

    /** Takes the options of the framework. */
    public static void main(String... args) {
        ProgramRunner.main(new SearchTogether(), SearchTogether.class, args);
    }

    @Override
    public String name() {
        return "search-together";
    }

    @Override
    public String summary() {
        return "Counts the round trips of searches made one by one, and of searches made together.";
    }

    @Override
    public OptionSet options() {
        return new OptionSet(name(), summary()).include(RemusOptions.groups());
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        int together = Math.min(cluster.opsPerThread(), KEYS);
        return (ct, context) -> run(ct, context, together);
    }

    private static void run(ComputeThread ct, NodeContext context, int together) {
        if (ct.id() == 0) {
            RdmaPtr<FastList.Shared> root = FastList.create(ct);
            FastList list = new FastList(root, Set.of(Trick.REMEMBER, Trick.WHOLE_NODES));
            for (long key = 0; key < KEYS; key++) {
                list.insert(key, ct);
            }
            long before = ct.metrics().roundTrips();
            int found = 0;
            for (long key = 0; key < KEYS; key++) {
                found += list.contains(key, ct) ? 1 : 0;
            }
            report("one at a time", found, ct.metrics().roundTrips() - before, context);

            ManySearches searches = new ManySearches(root, together);
            before = ct.metrics().roundTrips();
            found = 0;
            for (long key = 0; key < KEYS; key += together) {
                long[] keys =
                        LongStream.range(key, Math.min(key + together, KEYS)).toArray();
                for (boolean isFound : searches.contains(keys, ct)) {
                    found += isFound ? 1 : 0;
                }
            }
            report(together + " at a time", found, ct.metrics().roundTrips() - before, context);
            list.destroy(ct);
        }
        ct.barrier();
    }

    private static void report(String how, int found, long roundTrips, NodeContext context) {
        context.conclude(String.format(
                Locale.ROOT,
                "%-14s %d found, %4.1f round trips for each",
                how + ":",
                found,
                roundTrips / (double) KEYS));
    }
}
