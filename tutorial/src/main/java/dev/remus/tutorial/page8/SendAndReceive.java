// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page8;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.NodeContext;
import dev.remus.cli.cluster.Program;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeThread;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;

/** Thread 0 receives the items of all other threads, in order. */
public final class SendAndReceive implements Program {
    private static final int CAPACITY = 8;
    private static final int ITEMS = 1000;

    /** Takes the options of the framework. */
    public static void main(String... args) {
        ProgramRunner.main(new SendAndReceive(), SendAndReceive.class, args);
    }

    @Override
    public String name() {
        return "send-and-receive";
    }

    @Override
    public String summary() {
        return "Thread 0 receives the items of all other threads.";
    }

    @Override
    public OptionSet options() {
        return new OptionSet(name(), summary()).include(RemusOptions.groups());
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        return this::run;
    }

    // #region run
    private void run(ComputeThread ct, NodeContext context) {
        if (ct.id() == 0) {
            ct.root().set(SmallQueue.create(CAPACITY, ct));
        }
        ct.barrier();
        SmallQueue queue = new SmallQueue(ct.root().get(), CAPACITY);
        if (ct.id() == 0) {
            receive(queue, ct, context);
        } else {
            for (int i = 0; i < ITEMS; i++) {
                queue.enqueue((long) ct.id() * ITEMS + i, ct);
            }
        }
        ct.barrier();
        if (ct.id() == 0) {
            queue.destroy(ct);
        }
    }

    private static void receive(SmallQueue queue, ComputeThread ct, NodeContext context) {
        int producers = ct.threads() - 1;
        long[] expected = new long[ct.threads()]; // of each producer's items
        for (int i = 0; i < producers * ITEMS; i++) {
            long item = queue.dequeue(ct);
            int producer = (int) (item / ITEMS);
            if (item % ITEMS != expected[producer]++) {
                throw new IllegalStateException("item " + item + " is out of order");
            }
        }
        context.conclude(producers + " producers, " + producers * ITEMS + " items: each producer's came in order");
    }
    // #endregion run
}
