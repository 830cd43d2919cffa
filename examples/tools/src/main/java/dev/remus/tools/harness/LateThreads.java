// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.node.ComputeThread;

/**
 * How the threads of a Compute Node that has come back ({@code --returns}) join an experiment in the middle. They
 * operate if the others still do, and for as long as they do.
 *
 * <p>{@link SharedRun} has what they look for: the threads that began the experiment publish there at which barrier
 * they begin to operate. The barrier after which they no longer do is the next one.
 */
public final class LateThreads {
    private LateThreads() {}

    /** Whether nodes may come back, so that the threads publish what such a thread looks for. */
    public static boolean mayCome(ComputeThread ct) {
        return ct.config().returns() > 0;
    }

    /** Whether this thread has joined in the middle. */
    public static boolean isLate(ComputeThread ct) {
        return ct.id() >= ct.config().totalThreads();
    }
}
