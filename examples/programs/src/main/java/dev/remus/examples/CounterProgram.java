// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.NodeContext;
import dev.remus.cli.cluster.Program;
import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.config.OnNodeLoss;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.structures.RemoteCounter;
import dev.remus.structures.verify.CounterCodes;
import dev.remus.structures.verify.CounterJudge;
import dev.remus.tools.verify.RunLog;
import dev.remus.tools.verify.Verification;
import dev.remus.tools.verify.VerifyOption;
import dev.remus.verify.LogExchange;
import dev.remus.verify.RecordedRun;
import java.util.Locale;

/**
 * A program whose threads add 1 to one counter, and sum it up after every few additions. The thread with id 0 checks at
 * the end that no addition is lost. With {@code --verify} it also judges every sum of the run.
 */
public final class CounterProgram implements Program {
    private static final int MOST_OPERATIONS = 1_000_000_000;

    private static final OptionSpec<Long> STRIPES = OptionSpec.integer(
                    "--stripes", 1, RemoteCounter.MOST_STRIPES, "The number of words that share the additions")
            .withDefault(8L);

    private static final OptionSpec<Long> NUM_OPS = OptionSpec.integer(
                    "--num-ops", 1, MOST_OPERATIONS, "The number of operations per thread")
            .withDefault(10_000L);

    private static final OptionSpec<Long> SUM_EVERY = OptionSpec.integer(
                    "--sum-every", 1, MOST_OPERATIONS, "One of so many operations is a sum, the others are additions")
            .withDefault(4L);

    @Override
    public String name() {
        return "counter";
    }

    @Override
    public String summary() {
        return "Threads of several nodes add to one counter; then the program checks that no addition is lost.";
    }

    @Override
    public OptionSet options() {
        return new OptionSet("./remus " + name(), summary() + " " + LOCAL_CLUSTER)
                .include(new OptionGroup("Counter", STRIPES, NUM_OPS, SUM_EVERY, VerifyOption.OPTION))
                .include(RemusOptions.groups())
                .example("./remus counter")
                .example("./remus counter --num-ops 250000 --verify")
                .example("./remus counter --stripes 1 --cn-threads 8");
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        if (cluster.onNodeLoss() == OnNodeLoss.CONTINUE) {
            throw arguments.usageError(ClusterSettings.ON_NODE_LOSS.option() + ": needs " + OnNodeLoss.ABORT
                    + ", since a lost thread reports nothing that it has added");
        }
        long operations = arguments.get(NUM_OPS);
        boolean verifies = VerifyOption.isGiven(arguments, NUM_OPS, false, operations * cluster.totalThreads());
        int stripes = (int) (long) arguments.get(STRIPES);
        long sumEvery = arguments.get(SUM_EVERY);
        return (ct, context) -> run(stripes, operations, sumEvery, verifies, ct, context);
    }

    private static void run(
            int stripes, long operations, long sumEvery, boolean verifies, ComputeThread ct, NodeContext context) {
        boolean lead = ct.id() == 0;
        LogExchange exchange = new LogExchange();
        if (lead) {
            ct.root("counter").set(RemoteCounter.create(stripes, ct));
            exchange.create(ct);
            ct.root("logs").set(new RdmaPtr<>(exchange.pointer()));
        }
        ct.barrier();
        RemoteCounter counter =
                new RemoteCounter(new RdmaPtr<>(ct.root("counter").get().raw()), ct);
        exchange.at(ct.root("logs").get().raw());
        RunLog log = verifies ? RunLog.begin(exchange, operations, false, ct) : RunLog.none();
        ct.barrier();
        long added = use(counter, operations, sumEvery, log, ct);
        ct.barrier();
        if (lead) {
            check(counter.sum(ct), added * ct.threads(), ct, context);
        }
        log.collect(ct).ifPresent(recorded -> judge(recorded, context));
        if (lead) {
            counter.destroy(ct);
        }
    }

    /** Adds and sums up; returns what this thread has added, which is the same for all. */
    private static long use(RemoteCounter counter, long operations, long sumEvery, RunLog log, ComputeThread ct) {
        long added = 0;
        for (long i = 1; i <= operations; i++) {
            if (i % sumEvery == 0) {
                log.call(CounterCodes.SUM, 0, System.nanoTime());
                long sum = counter.sum(ct);
                log.returned(CounterCodes.DONE, sum, System.nanoTime());
            } else {
                log.call(CounterCodes.ADD, 1, System.nanoTime());
                counter.add(1, ct);
                log.returned(CounterCodes.DONE, 1, System.nanoTime());
                added++;
            }
        }
        return added;
    }

    private static void check(long sum, long added, ComputeThread ct, NodeContext context) {
        if (sum != added) {
            throw new IllegalStateException("the counter is " + sum + ", after " + added + " additions of 1");
        }
        context.conclude(
                String.format(Locale.ROOT, "counted %,d additions of %d threads, none lost", added, ct.threads()));
    }

    private static void judge(RecordedRun recorded, NodeContext context) {
        Verification verification = Verification.of(recorded, new CounterJudge(0).judge(recorded));
        context.conclude(verification.line());
        verification.verdict().evidence().ifPresent(evidence -> {
            context.conclude(evidence.drawing());
            throw new IllegalStateException("the counter does not keep its promise: " + evidence.reason());
        });
    }
}
