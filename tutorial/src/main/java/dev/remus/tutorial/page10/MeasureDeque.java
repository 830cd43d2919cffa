// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page10;

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

/** All threads push and pop at random ends of one deque; at the end the books must balance. */
public final class MeasureDeque implements Program {
    private static final OptionSpec<DequeKind> DEQUE = OptionSpec.choice(
                    "--deque", DequeKind.class, "Which deque: with one lock, or without locks")
            .withDefault(DequeKind.LOCK_FREE);
    private static final OptionSpec<Long> NUM_OPS = OptionSpec.integer(
                    "--num-ops", 1, 1_000_000_000, "Operations that each thread does")
            .withDefault(2000L);
    private static final OptionSpec<Long> CAPACITY = OptionSpec.integer(
                    "--capacity", 1, 1000, "Number of items for which there is room")
            .withDefault(30L);

    /** What all threads have counted, in remote memory. */
    private static final class Totals extends RemoteRecord {
        static final int PUSHED = 0;
        static final int POPPED = 1;
        static final int SUM = 2; // of the items pushed, minus those popped
        static final int ROUND_TRIPS = 3;
        static final int COUNTERS = 4;

        final RemoteLongArray counters = longArrayField(COUNTERS);
    }

    /** Takes the options of the framework and of the experiment. */
    public static void main(String... args) {
        ProgramRunner.main(new MeasureDeque(), MeasureDeque.class, args);
    }

    @Override
    public String name() {
        return "measure-deque";
    }

    @Override
    public String summary() {
        return "All threads push and pop at random ends of one deque.";
    }

    @Override
    public OptionSet options() {
        return new OptionSet(name(), summary())
                .include(new OptionGroup("Experiment", DEQUE, NUM_OPS, CAPACITY))
                .include(RemusOptions.groups());
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        return (ct, context) -> run(arguments, ct, context);
    }

    private static void run(Arguments arguments, ComputeThread ct, NodeContext context) {
        int capacity = arguments.get(CAPACITY).intValue();
        if (ct.id() == 0) {
            arguments.get(DEQUE).create(capacity, ct);
        }
        ct.barrier();
        RemoteDeque deque = arguments.get(DEQUE).handle(capacity, ct);
        ct.barrier();

        long[] counted = new long[Totals.COUNTERS];
        long start = ct.nanoTime();
        long before = ct.metrics().roundTrips();
        work(deque, arguments.get(NUM_OPS), counted, ct);
        counted[Totals.ROUND_TRIPS] = ct.metrics().roundTrips() - before;
        ct.barrier();
        long nanos = ct.nanoTime() - start;

        Totals totals = new Totals();
        long left = 0;
        if (ct.id() == 0) {
            for (long item = deque.pop(Side.LEFT, ct); item != RemoteDeque.EMPTY; item = deque.pop(Side.LEFT, ct)) {
                counted[Totals.SUM] -= item;
                left++;
            }
            deque.destroy(ct);
            totals.allocate(ct);
            for (int i = 0; i < Totals.COUNTERS; i++) {
                totals.counters.store(i, 0, ct);
            }
            ct.root().set(new RdmaPtr<>(totals.pointer()));
        }
        ct.barrier();
        totals.at(ct.root().get());
        for (int i = 0; i < Totals.COUNTERS; i++) {
            totals.counters.fetchAdd(i, counted[i], ct);
        }
        ct.barrier();
        if (ct.id() == 0) {
            report(arguments.get(NUM_OPS) * ct.threads(), totals, left, nanos, ct, context);
            totals.free(ct);
        }
    }

    private static void work(RemoteDeque deque, long operations, long[] counted, ComputeThread ct) {
        SplittableRandom random = ct.random();
        for (int i = 0; i < operations; i++) {
            Side side = random.nextBoolean() ? Side.LEFT : Side.RIGHT;
            if (random.nextBoolean()) {
                int item = random.nextInt();
                if (deque.push(side, item, ct)) {
                    counted[Totals.PUSHED]++;
                    counted[Totals.SUM] += item;
                }
            } else {
                long item = deque.pop(side, ct);
                if (item != RemoteDeque.EMPTY) {
                    counted[Totals.POPPED]++;
                    counted[Totals.SUM] -= item;
                }
            }
            ct.quiescent();
        }
    }

    private static void report(
            double operations, Totals totals, long left, long nanos, ComputeThread ct, NodeContext context) {
        long pushed = totals.counters.load(Totals.PUSHED, ct);
        long popped = totals.counters.load(Totals.POPPED, ct);
        context.conclude(String.format(Locale.ROOT, "%.0f operations per second", operations / nanos * 1e9));
        context.conclude(String.format(
                Locale.ROOT,
                "%.1f round trips per operation",
                totals.counters.load(Totals.ROUND_TRIPS, ct) / operations));
        if (pushed != popped + left || totals.counters.load(Totals.SUM, ct) != 0) {
            throw new IllegalStateException(
                    pushed + " pushed, but " + popped + " popped and " + left + " left, or not the same items");
        }
        context.conclude(pushed + " pushed = " + popped + " popped + " + left + " left: the books balance");
    }
}
