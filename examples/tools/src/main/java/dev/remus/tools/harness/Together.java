// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.config.OnNodeLoss;
import dev.remus.node.ComputeThread;
import java.util.function.IntConsumer;

/**
 * What the threads of an experiment do together, although some may be lost under {@code --on-node-loss continue}. One
 * of them leads: the lowest of those that are left ({@link dev.remus.node.Peers#leader}). If it is lost before all have
 * met, the others repeat the work with the next one. All threads must make the same calls.
 */
public final class Together {
    private Together() {}

    /** Whether the threads go on without lost ones. */
    public static boolean outlivesLosses(ComputeThread ct) {
        return ct.config().onNodeLoss() == OnNodeLoss.CONTINUE;
    }

    /**
     * Runs work on all threads, after which they meet; again if the thread that led was lost.
     *
     * @param work gets the id of the thread that leads
     */
    public static void led(IntConsumer work, ComputeThread ct) {
        int leader;
        do {
            leader = ct.peers().leader();
            work.accept(leader);
            ct.barrier();
        } while (!ct.peers().tookPart(leader));
    }

    /** Runs work on the thread that leads, after which all meet. */
    public static void once(Runnable work, ComputeThread ct) {
        led(
                leader -> {
                    if (ct.id() == leader) {
                        work.run();
                    }
                },
                ct);
    }

    /**
     * The last work of a run.
     *
     * @param <E> what it may throw
     */
    @FunctionalInterface
    public interface Work<E extends Exception> {
        /** Does it. */
        void run() throws E;
    }

    /**
     * Runs the last work on the thread that leads. The others do not wait for it, unless one of them may have to take
     * its place, so the work leaves in place what it reads. If it fails, that is no reason to repeat it.
     */
    public static <E extends Exception> void last(Work<E> work, ComputeThread ct) throws E {
        if (!outlivesLosses(ct)) {
            if (ct.id() == ct.peers().leader()) {
                work.run();
            }
            return;
        }
        int leader;
        do {
            leader = ct.peers().leader();
            try {
                if (ct.id() == leader) {
                    work.run();
                }
            } finally {
                ct.barrier();
            }
        } while (!ct.peers().tookPart(leader));
    }
}
