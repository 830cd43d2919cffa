// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page6;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.NodeContext;
import dev.remus.cli.cluster.Program;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeThread;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import dev.remus.structures.LongCachedLazyListSet;
import dev.remus.structures.LongFastLazyListSet;
import dev.remus.structures.RemoteLongSet;
import dev.remus.tutorial.page5.LazyList;
import dev.remus.tutorial.page6.FastList.Trick;
import java.util.EnumSet;
import java.util.Locale;
import java.util.function.LongConsumer;

/**
 * One thread counts the round trips of the list of page 5, of the same list with one more trick at a time, and of the
 * lists of Remus.
 */
public final class CountRoundTrips implements Program {
    private static final int KEYS = 64;

    /** Takes the options of the framework. */
    public static void main(String... args) {
        ProgramRunner.main(new CountRoundTrips(), CountRoundTrips.class, args);
    }

    @Override
    public String name() {
        return "count-round-trips";
    }

    @Override
    public String summary() {
        return "Counts the round trips of a list with more and more tricks.";
    }

    @Override
    public OptionSet options() {
        return new OptionSet(name(), summary()).include(RemusOptions.groups());
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        return this::run;
    }

    private void run(ComputeThread ct, NodeContext context) {
        if (ct.id() == 0) {
            context.conclude(String.format(
                    Locale.ROOT, "%-24s %9s %9s %9s", "round trips on average", "contains", "insert", "remove"));
            measure("the list of page 5", new LazyList(LazyList.create(ct)), ct, context);
            EnumSet<Trick> tricks = EnumSet.noneOf(Trick.class);
            for (Trick trick : Trick.values()) {
                tricks.add(trick);
                measure("and " + trick, new FastList(FastList.create(ct), tricks), ct, context);
            }
            measure("LongFastLazyListSet", new LongFastLazyListSet(LongFastLazyListSet.create(ct)), ct, context);
            measure("LongCachedLazyListSet", new LongCachedLazyListSet(LongCachedLazyListSet.create(ct)), ct, context);
        }
        ct.barrier();
    }

    // #region measure
    /** The set keeps the even keys; odd ones are inserted and removed. */
    private static void measure(String name, RemoteLongSet set, ComputeThread ct, NodeContext context) {
        for (long key = 0; key < KEYS; key++) {
            set.insert(2 * key, ct);
        }
        double contains = roundTrips(key -> set.contains(2 * key, ct), ct);
        double insert = roundTrips(key -> set.insert(2 * key + 1, ct), ct);
        double remove = roundTrips(key -> set.remove(2 * key + 1, ct), ct);
        context.conclude(String.format(Locale.ROOT, "%-24s %9.1f %9.1f %9.1f", name, contains, insert, remove));
        set.destroy(ct);
        ct.reclaimDeferred();
    }

    private static double roundTrips(LongConsumer operation, ComputeThread ct) {
        long before = ct.metrics().roundTrips();
        for (long key = 0; key < KEYS; key++) {
            operation.accept(key);
        }
        ct.place(); // waits once for all operations that were only posted
        return (ct.metrics().roundTrips() - before) / (double) KEYS;
    }
    // #endregion measure
}
