// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.NodeContext;
import dev.remus.cli.cluster.Program;
import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;

/**
 * A program whose threads share an array of words in remote memory. Each thread reads, writes and compares-and-swaps
 * its own words. The thread with id 0 allocates the array, verifies it at the end and frees it.
 */
public final class SharedObjectProgram implements Program {
    private static final int WORDS = 1024;

    /** The shared object in remote memory. */
    private static final class SharedObject extends RemoteRecord {
        private final RemoteLongArray values = longArrayField(WORDS);
    }

    @Override
    public String name() {
        return "shared-object";
    }

    @Override
    public String summary() {
        return "Threads of several nodes work on one array in remote memory, and one of them verifies it.";
    }

    @Override
    public OptionSet options() {
        return new OptionSet("./remus " + name(), summary() + " " + LOCAL_CLUSTER)
                .include(RemusOptions.groups())
                .example("./remus shared-object")
                .example("./remus shared-object --last-cn-id 4 --cn-threads 1");
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        return SharedObjectProgram::run;
    }

    private static void run(ComputeThread ct, NodeContext context) {
        SharedObject object = new SharedObject();
        boolean lead = ct.id() == 0;
        if (lead) {
            object.allocate(ct);
            for (int i = 0; i < WORDS; i++) {
                object.values.store(i, initial(i), ct);
            }
            ct.root().set(new RdmaPtr<>(object.pointer()));
        }
        ct.barrier();
        object.at(ct.root().get());
        for (int i = ct.id(); i < WORDS; i += ct.threads()) {
            change(object, i, ct);
        }
        ct.barrier();
        if (lead) {
            for (int i = 0; i < WORDS; i++) {
                expect(fin(i), object.values.load(i, ct), i, "after all threads");
            }
            context.conclude("verified " + WORDS + " words");
            ct.root().set(RdmaPtr.nullPointer());
            object.free(ct);
        }
    }

    /** Changes a word that no other thread accesses meanwhile. */
    private static void change(SharedObject object, int i, ComputeThread ct) {
        expect(initial(i), object.values.load(i, ct), i, "at first");
        object.values.store(i, written(i), ct);
        expect(written(i), object.values.load(i, ct), i, "after a write");
        long seen = object.values.compareAndExchange(i, written(i), fin(i), ct);
        expect(written(i), seen, i, "at a compare-and-swap");
    }

    private static void expect(long expected, long found, int i, String when) {
        if (found != expected) {
            throw new IllegalStateException(
                    "word " + i + " of the shared object is " + found + " " + when + ", not " + expected);
        }
    }

    private static long initial(int i) {
        return i;
    }

    private static long written(int i) {
        return 2L * WORDS + i;
    }

    private static long fin(int i) {
        return -1L - i;
    }
}
