// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.NodeContext;
import dev.remus.cli.cluster.Program;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.config.ClusterConfig;
import dev.remus.lock.Acquisition;
import dev.remus.lock.RemoteLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import dev.remus.structures.LazyListSet;
import dev.remus.structures.LongLazyListSet;
import java.util.Arrays;

/**
 * A program whose first Compute Thread keeps a lock for ever. The others wait for the lock, and print how they got it.
 * Meanwhile the first thread changes a list again and again; then the others change it beside every node.
 */
final class LockHolderProgram implements Program {
    /** The line that the first thread prints once it has the lock. */
    static final String HOLDS = "holds the lock";

    /** The line that each other thread prints before it waits. */
    static final String WAITS = "waits for the lock";

    /** The beginning of the line that each other thread prints at the end; the {@link Acquisition} follows. */
    static final String GOT = "got the lock and changed the list: ";

    private static final int KEYS = 4;
    private static final long REST_NANOS = 20_000;

    /** Runs the program. */
    public static void main(String... args) {
        ProgramRunner.watchParent();
        String[] words = args.length > 0 && args[0].equals("holds") ? Arrays.copyOfRange(args, 1, args.length) : args;
        System.exit(
                new ProgramRunner(new LockHolderProgram(), LockHolderProgram.class, System.out, System.err).run(words));
    }

    @Override
    public String name() {
        return "holds";
    }

    @Override
    public String summary() {
        return "Keeps a lock for ever.";
    }

    @Override
    public OptionSet options() {
        return new OptionSet(name(), summary()).include(RemusOptions.groups());
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        return LockHolderProgram::run;
    }

    private static void run(ComputeThread ct, NodeContext context) {
        RemoteLock lock = new RemoteLock(ct.threads());
        if (ct.id() == 0) {
            lock.allocate(ct);
            lock.init(ct);
            ct.root("lock").set(new RdmaPtr<>(lock.pointer()));
            ct.root("list").set(LongLazyListSet.create(ct));
            lock.acquire(ct);
        }
        ct.barrier();
        RdmaPtr<LazyListSet.Shared> shared = new RdmaPtr<>(ct.root("list").get().raw());
        LongLazyListSet list = new LongLazyListSet(shared);
        if (ct.id() == 0) {
            context.print(HOLDS);
            while (true) {
                change(list, ct);
                rest();
            }
        }
        lock.at(ct.root("lock").get().raw());
        context.print(WAITS);
        Acquisition acquisition = lock.acquire(ct);
        lock.makeConsistent();
        change(list, ct);
        lock.release(ct);
        context.print(GOT + acquisition);
    }

    /**
     * Nothing of what the first thread retires comes back, since the others announce nothing while they wait. So it
     * rests most of the time, or memory would be full before it is killed.
     */
    private static void rest() {
        long end = System.nanoTime() + REST_NANOS;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private static void change(LongLazyListSet list, ComputeThread ct) {
        for (long key = 0; key < KEYS; key++) {
            list.insert(key, ct);
        }
        for (long key = 0; key < KEYS; key++) {
            list.remove(key, ct);
        }
    }
}
