package dev.remus.launcher.processes;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.NodeContext;
import dev.remus.cli.cluster.Program;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.config.ClusterConfig;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that continues after a node loss. After a first barrier, all threads wait at a second one, except those of
 * the last node, which never arrive. When a node is lost and the barrier fails, the threads continue with the remaining
 * memory.
 */
final class ContinueProgram implements Program {
    /** The line that each thread prints after the first barrier. */
    static final String MET = "met";

    /** The line that each thread prints after it has continued. */
    static final String CONTINUED = "continued";

    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long MILLISECOND_NANOS = 1_000_000;

    /** Runs the program. */
    public static void main(String... args) {
        ProgramRunner.watchParent();
        String[] words = args.length > 0 && args[0].equals("go-on") ? Arrays.copyOfRange(args, 1, args.length) : args;
        System.exit(new ProgramRunner(new ContinueProgram(), ContinueProgram.class, System.out, System.err).run(words));
    }

    @Override
    public String name() {
        return "go-on";
    }

    @Override
    public String summary() {
        return "Continues when a node is lost.";
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
        long[] blocks = {ct.allocate(64), ct.allocate(64)};
        for (long block : blocks) {
            ct.write(block, 0);
        }
        ct.barrier();
        context.print(MET);
        if (ct.nodeId() == ct.config().lastComputeNode()) {
            work(blocks, Long.MAX_VALUE, ct);
        }
        try {
            ct.barrier();
        } catch (FabricException e) {
            continueWork(blocks, ct, context);
            return;
        }
        throw new IllegalStateException("passed a barrier that not all threads can have reached");
    }

    private static void continueWork(long[] blocks, ComputeThread ct, NodeContext context) {
        int usable = work(blocks, SECOND_NANOS, ct);
        ct.pause();
        try {
            ct.barrier();
        } catch (FabricException e) {
            context.print(CONTINUED + " with " + usable + " blocks");
        }
    }

    /**
     * Updates the blocks for a time in which a dead Memory Node must be detected, and returns the number of blocks on
     * living ones.
     */
    private static int work(long[] blocks, long nanos, ComputeThread ct) {
        int usable = 0;
        for (long block : blocks) {
            try {
                for (long begin = ct.nanoTime(); ct.nanoTime() - begin < nanos; ) {
                    ct.fetchAndAdd(block, 1);
                    LockSupport.parkNanos(MILLISECOND_NANOS); // lets all nodes run on few processors
                }
                usable++;
            } catch (NodeLostException e) {
                if (e.node() != RdmaPtr.node(block)) {
                    throw e;
                }
            }
        }
        return usable;
    }
}
