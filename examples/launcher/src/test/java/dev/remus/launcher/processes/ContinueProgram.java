// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.NodeContext;
import dev.remus.cli.cluster.Program;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.config.ClusterConfig;
import dev.remus.fabric.NodeLostException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that continues after a node loss. After a first barrier, the threads of the last node work for ever. When a
 * node is lost, the others continue with the remaining memory, and then meet at a second barrier, if that is possible.
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
        while (!ct.peers().isAnyNodeLost()) {
            ct.pause();
        }
        context.print(CONTINUED + " with " + work(blocks, SECOND_NANOS, ct) + " blocks");
        try {
            ct.barrier();
        } catch (NodeLostException e) {
            if (e.node() != ct.config().firstMemoryNode()) {
                throw e;
            }
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
