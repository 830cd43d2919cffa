// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page5;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.NodeContext;
import dev.remus.cli.cluster.Program;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import java.util.Locale;
import java.util.SplittableRandom;

/** Threads of several nodes change one set at random; at the end the books must balance. */
public final class SetExperiment implements Program {
    // #region options
    private static final OptionSpec<Long> NUM_OPS = OptionSpec.integer(
                    "--num-ops", 1, 1_000_000_000, "Operations that each thread does")
            .withDefault(1000L);
    private static final OptionSpec<Long> KEYS = OptionSpec.integer("--keys", 1, 1_000_000, "Number of different keys")
            .withDefault(256L);
    private static final OptionSpec<Long> INSERT = OptionSpec.integer(
                    "--insert", 0, 100, "Percentage of operations that insert")
            .withDefault(50L);
    private static final OptionSpec<Long> REMOVE = OptionSpec.integer(
                    "--remove", 0, 100, "Percentage of operations that remove")
            .withDefault(50L);

    @Override
    public OptionSet options() {
        return new OptionSet(name(), summary())
                .include(new OptionGroup("Experiment", NUM_OPS, KEYS, INSERT, REMOVE))
                .include(RemusOptions.groups());
    }
    // #endregion options

    // #region totals
    /** The counts of all threads together, in remote memory. */
    private static final class Totals extends RemoteRecord {
        static final int PREFILLED = 0;
        static final int INSERTED = 1;
        static final int REMOVED = 2;
        static final int FOUND = 3;
        static final int ROUND_TRIPS = 4;
        static final int COUNTERS = 5;

        final RemoteLongArray counters = longArrayField(COUNTERS);

        void add(long[] counted, ComputeThread ct) {
            for (int i = 0; i < COUNTERS; i++) {
                counters.fetchAdd(i, counted[i], ct);
            }
        }
    }
    // #endregion totals

    /** Takes the options of the framework and of the experiment. */
    public static void main(String... args) {
        ProgramRunner.main(new SetExperiment(), SetExperiment.class, args);
    }

    @Override
    public String name() {
        return "set-experiment";
    }

    @Override
    public String summary() {
        return "Threads of several nodes change one set.";
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        if (arguments.get(INSERT) + arguments.get(REMOVE) > 100) {
            throw arguments.usageError(REMOVE, "at most what --insert leaves of 100");
        }
        return (ct, context) -> run(arguments, ct, context);
    }

    // #region run
    private static void run(Arguments arguments, ComputeThread ct, NodeContext context) {
        long[] counted = new long[Totals.COUNTERS];
        if (ct.id() == 0) {
            ct.root().set(LazyList.create(ct));
        }
        ct.barrier();
        LazyList set = new LazyList(ct.root().get()); // every thread makes its own handle
        prefill(arguments, set, counted, ct);
        ct.barrier();

        long start = ct.nanoTime();
        long before = ct.metrics().roundTrips();
        work(arguments, set, counted, ct);
        counted[Totals.ROUND_TRIPS] = ct.metrics().roundTrips() - before;
        ct.barrier();
        long nanos = ct.nanoTime() - start;

        Totals totals = new Totals();
        long size = 0;
        if (ct.id() == 0) {
            size = set.checkedSize(ct);
            set.destroy(ct);
            totals.allocate(ct);
            for (int i = 0; i < Totals.COUNTERS; i++) {
                totals.counters.store(i, 0, ct);
            }
            ct.root().set(new RdmaPtr<>(totals.pointer()));
        }
        ct.barrier();
        totals.at(ct.root().get());
        totals.add(counted, ct);
        ct.barrier();
        if (ct.id() == 0) {
            report(arguments, totals, size, nanos, ct, context);
            totals.free(ct);
        }
    }
    // #endregion run

    // #region prefill
    /** Each thread inserts every second key of its own part of the keys. */
    private static void prefill(Arguments arguments, LazyList set, long[] counted, ComputeThread ct) {
        long keys = arguments.get(KEYS);
        long from = keys * ct.id() / ct.threads();
        long to = keys * (ct.id() + 1) / ct.threads();
        for (long key = from; key < to; key++) {
            if (key % 2 == 0 && set.insert(key, ct)) {
                counted[Totals.PREFILLED]++;
            }
        }
    }
    // #endregion prefill

    // #region work
    private static void work(Arguments arguments, LazyList set, long[] counted, ComputeThread ct) {
        SplittableRandom random = ct.random();
        long insert = arguments.get(INSERT);
        long remove = arguments.get(REMOVE);
        for (long i = 0; i < arguments.get(NUM_OPS); i++) {
            long key = random.nextLong(arguments.get(KEYS));
            long action = random.nextInt(100); // 0 to 99: 100 values, not 101
            if (action < insert) {
                counted[Totals.INSERTED] += set.insert(key, ct) ? 1 : 0;
            } else if (action < insert + remove) {
                counted[Totals.REMOVED] += set.remove(key, ct) ? 1 : 0;
            } else {
                counted[Totals.FOUND] += set.contains(key, ct) ? 1 : 0;
            }
            ct.quiescent(); // between operations: this thread holds no pointers into the set
        }
    }
    // #endregion work

    // #region report
    private static void report(
            Arguments arguments, Totals totals, long size, long nanos, ComputeThread ct, NodeContext context) {
        long prefilled = totals.counters.load(Totals.PREFILLED, ct);
        long inserted = totals.counters.load(Totals.INSERTED, ct);
        long removed = totals.counters.load(Totals.REMOVED, ct);
        long found = totals.counters.load(Totals.FOUND, ct);
        double operations = arguments.get(NUM_OPS) * ct.threads();
        context.conclude(
                String.format(Locale.ROOT, "%.0f operations, %d keys looked for and found", operations, found));
        context.conclude(String.format(Locale.ROOT, "%.0f operations per second", operations / nanos * 1e9));
        context.conclude(String.format(
                Locale.ROOT,
                "%.1f round trips per operation",
                totals.counters.load(Totals.ROUND_TRIPS, ct) / operations));
        if (prefilled + inserted - removed != size) {
            throw new IllegalStateException(
                    "there should be " + (prefilled + inserted - removed) + " keys, not " + size);
        }
        context.conclude(String.format(
                Locale.ROOT, "%d + %d - %d = %d keys: the books balance", prefilled, inserted, removed, size));
    }
    // #endregion report
}
