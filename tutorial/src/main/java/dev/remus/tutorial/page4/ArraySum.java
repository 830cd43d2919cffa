// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page4;

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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Solution of the exercise: an array is added up word by word, and then with one READ. */
public final class ArraySum implements Program {
    private static final int WORDS = 1024;
    private static final int BYTES = WORDS * Long.BYTES;

    /** Takes the options of the framework. */
    public static void main(String... args) {
        ProgramRunner.main(new ArraySum(), ArraySum.class, args);
    }

    @Override
    public String name() {
        return "array-sum";
    }

    @Override
    public String summary() {
        return "Adds up an array in remote memory in two ways.";
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
        if (ct.id() != 0) {
            return; // one thread will do
        }
        RdmaPtr<long[]> array = new RdmaPtr<>(ct.allocate(BYTES));
        ByteBuffer local = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < WORDS; i++) {
            local.putLong(i);
        }
        ct.write(array.raw(), local.flip());

        long before = ct.metrics().roundTrips();
        long sum = 0;
        for (int i = 0; i < WORDS; i++) {
            sum += ct.read(array.raw() + (long) i * Long.BYTES);
        }
        report("word by word", sum, ct.metrics().roundTrips() - before, context);

        before = ct.metrics().roundTrips();
        ct.read(array.raw(), local.clear());
        local.flip();
        sum = 0;
        while (local.hasRemaining()) {
            sum += local.getLong();
        }
        report("all at once", sum, ct.metrics().roundTrips() - before, context);
        ct.free(array.raw(), BYTES);
    }

    private static void report(String how, long sum, long roundTrips, NodeContext context) {
        context.conclude(how + ": the sum is " + sum + ", round trips: " + roundTrips);
    }
}
