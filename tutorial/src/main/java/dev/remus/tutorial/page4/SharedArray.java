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

/** Threads of several nodes work on one array in remote memory, by addresses and offsets. */
public final class SharedArray implements Program {
    private static final int WORDS = 1024;

    // #region program
    /** Takes the options of the framework. */
    public static void main(String... args) {
        ProgramRunner.main(new SharedArray(), SharedArray.class, args);
    }

    @Override
    public String name() {
        return "shared-array";
    }

    @Override
    public String summary() {
        return "Threads of several nodes work on one array in remote memory.";
    }

    @Override
    public OptionSet options() {
        return new OptionSet(name(), summary()).include(RemusOptions.groups());
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        return this::run;
    }
    // #endregion program

    // #region run
    private void run(ComputeThread ct, NodeContext context) {
        if (ct.id() == 0) {
            create(ct);
        }
        ct.barrier();
        RdmaPtr<long[]> array = ct.root().get();
        for (int i = ct.id(); i < WORDS; i += ct.threads()) {
            change(array, i, ct);
        }
        ct.barrier();
        if (ct.id() == 0) {
            verify(array, ct);
            ct.root().set(RdmaPtr.nullPointer());
            ct.free(array.raw(), WORDS * Long.BYTES);
            context.conclude("verified " + WORDS + " words");
        }
    }
    // #endregion run

    // #region create
    private static void create(ComputeThread ct) {
        RdmaPtr<long[]> array = new RdmaPtr<>(ct.allocate(WORDS * Long.BYTES));
        for (int i = 0; i < WORDS; i++) {
            ct.write(word(array, i), 0);
        }
        ct.root().set(array);
    }

    /** The address of a word. */
    private static long word(RdmaPtr<long[]> array, int i) {
        return array.raw() + (long) i * Long.BYTES;
    }
    // #endregion create

    // #region change
    /** Only one thread does this with a given word. */
    private static void change(RdmaPtr<long[]> array, int i, ComputeThread ct) {
        expect(0, ct.read(word(array, i)), i);
        ct.write(word(array, i), i);
        expect(i, ct.compareAndSwap(word(array, i), i, ~i), i);
        expect(~i, ct.compareAndSwap(word(array, i), i, 0), i); // fails: the word is ~i by now
    }
    // #endregion change

    private static void verify(RdmaPtr<long[]> array, ComputeThread ct) {
        for (int i = 0; i < WORDS; i++) {
            expect(~i, ct.read(word(array, i)), i);
        }
    }

    private static void expect(long expected, long found, int i) {
        if (found != expected) {
            throw new IllegalStateException("word " + i + " is " + found + ", not " + expected);
        }
    }
}
