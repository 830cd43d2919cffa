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
 * All meet, and then each thread waits for the others at a barrier, but for those of the last node, which never come. When
 * one is lost, and the barrier ends with an error, they go on working with the memory that is left.
 */
final class ContinueProgram implements Program {
    /** Printed by each thread when all have met. */
    static final String MET = "met";

    /** Printed by each thread when it has been able to go on. */
    static final String WENT_ON = "went on";

    private static final long A_SECOND = 1_000_000_000;
    private static final long A_MILLISECOND = 1_000_000;

    /** Runs it. */
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
        return "Goes on when a node is lost.";
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
            goOn(blocks, ct, context);
            return;
        }
        throw new IllegalStateException("passed a barrier that not all can have reached");
    }

    private static void goOn(long[] blocks, ComputeThread ct, NodeContext context) {
        int usable = work(blocks, A_SECOND, ct);
        ct.pause();
        try {
            ct.barrier();
        } catch (FabricException e) {
            context.print(WENT_ON + " with " + usable + " blocks");
        }
    }

    /**
     * Works on the blocks for a time, after which a dead Memory Node must have been noticed; returns how many are on a
     * living one.
     */
    private static int work(long[] blocks, long nanos, ComputeThread ct) {
        int usable = 0;
        for (long block : blocks) {
            try {
                for (long begin = ct.nanoTime(); ct.nanoTime() - begin < nanos; ) {
                    ct.fetchAndAdd(block, 1);
                    LockSupport.parkNanos(A_MILLISECOND); // so that all nodes get to work on few processors
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
