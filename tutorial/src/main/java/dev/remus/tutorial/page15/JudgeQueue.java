// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page15;

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
import dev.remus.structures.verify.QueueCodes;
import dev.remus.structures.verify.QueueJudge;
import dev.remus.structures.verify.RunVerdict;
import dev.remus.tutorial.page8.BatchingQueue;
import dev.remus.tutorial.page8.SmallQueue;
import dev.remus.verify.LogExchange;
import dev.remus.verify.OperationLog;
import dev.remus.verify.RecordedRun;
import java.util.Locale;
import java.util.function.LongConsumer;

/** Thread 0 receives the items of all other threads; all record what they do, and the whole run is judged. */
public final class JudgeQueue implements Program {
    /** How producers add their items. */
    public enum Adding {
        /** One by one, by {@link SmallQueue}. */
        SINGLY,
        /** By {@link GatheringQueue}. */
        GATHERED;

        /** As in an option: {@code gathered}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final OptionSpec<Adding> ADDING = OptionSpec.choice(
                    "--adding", Adding.class, "How producers add items: one by one, or four gathered")
            .withDefault(Adding.SINGLY);

    private static final int CAPACITY = 8;
    private static final int ITEMS = 1000; // of each producer
    private static final long PAUSE_NANOS = 20_000;

    /** Takes the options of the framework, and how to add items. */
    public static void main(String... args) {
        ProgramRunner.main(new JudgeQueue(), JudgeQueue.class, args);
    }

    @Override
    public String name() {
        return "judge-queue";
    }

    @Override
    public String summary() {
        return "Threads record what they do with a queue, and the run is judged.";
    }

    @Override
    public OptionSet options() {
        return new OptionSet(name(), summary())
                .include(new OptionGroup("Queue", ADDING))
                .include(RemusOptions.groups());
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        return (ct, context) -> run(arguments.get(ADDING), ct, context);
    }

    // #region run
    private static void run(Adding adding, ComputeThread ct, NodeContext context) {
        LogExchange logs = new LogExchange();
        if (ct.id() == 0) {
            ct.root("queue").set(SmallQueue.create(CAPACITY, ct));
            logs.create(ct);
            ct.root("logs").set(new RdmaPtr<>(logs.pointer()));
        }
        ct.barrier();
        logs.at(ct.root("logs").get().raw());
        logs.begin(ct); // compares the clocks
        int producers = ct.threads() - 1;
        OperationLog log = new OperationLog(ct.id() == 0 ? producers * ITEMS : ITEMS);
        BatchingQueue queue = new BatchingQueue(ct.root("queue").get(), CAPACITY);
        ct.barrier();
        if (ct.id() == 0) {
            receive(queue, producers, log, ct);
            context.conclude(producers * ITEMS + " items: each producer's came in order");
        } else {
            send(queue, adding, log, ct);
        }
        ct.barrier();
        logs.collect(log, ct).ifPresent(run -> judge(run, context)); // on thread 0
    }
    // #endregion run

    // #region record
    private static void send(BatchingQueue queue, Adding adding, OperationLog log, ComputeThread ct) {
        GatheringQueue gathering = new GatheringQueue(queue);
        LongConsumer singly = item -> queue.enqueue(item, ct);
        LongConsumer gathered = item -> gathering.enqueue(item, ct);
        LongConsumer enqueue = adding == Adding.SINGLY ? singly : gathered;
        for (int i = 0; i < ITEMS; i++) {
            long item = (long) ct.id() * ITEMS + i; // all items differ
            log.call(QueueCodes.ENQUEUE, item);
            enqueue.accept(item);
            log.returned(QueueCodes.ENQUEUED);
            ct.pause(PAUSE_NANOS); // the time until the producer has another item
        }
    }

    private static void receive(BatchingQueue queue, int producers, OperationLog log, ComputeThread ct) {
        long[] expected = new long[producers + 1];
        for (int i = 0; i < producers * ITEMS; i++) {
            log.call(QueueCodes.DEQUEUE, 0);
            long item = queue.dequeue(ct);
            log.returned(QueueCodes.ITEM, item);
            if (item % ITEMS != expected[(int) (item / ITEMS)]++) {
                throw new IllegalStateException("item " + item + " is out of order");
            }
        }
    }
    // #endregion record

    // #region judge
    private static void judge(RecordedRun run, NodeContext context) {
        RunVerdict verdict = QueueJudge.ofLinearizability(JudgeQueue::name).judge(run);
        context.conclude("verified " + verdict);
        verdict.evidence().ifPresent(evidence -> context.conclude(evidence.drawing()));
    }

    /** The second item of thread 1 is a1, the third one of thread 2 is b2. */
    private static String name(long item) {
        return (char) ('a' + item / ITEMS - 1) + "" + item % ITEMS;
    }
    // #endregion judge
}
