// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

/**
 * What a thread does so that others do not wait for it, after its own wait has ended with an exception: it leaves the
 * line of a lock, or passes the lock on.
 *
 * <p>A wait ends early if the thread is interrupted, or if a lane cannot be connected. Then what it has requested may
 * still take effect. A cleanup begins when that is over. It may fail in the same way. So the thread remembers it, and
 * tries again at the beginning of each operation, while it {@linkplain ComputeThread#pause pauses}, and when it
 * {@linkplain ComputeThread#place places} or arrives at a barrier. {@code place} throws as long as the cleanup fails.
 * So a thread that has placed has left nothing behind, and a lock may rely on that if it places before it is acquired.
 *
 * <p>On fabrics whose operations are processor instructions, nothing is outstanding, and a cleanup succeeds at once.
 */
public final class Cleanup {
    private Cleanup() {}

    /**
     * Runs a cleanup now, and again later for as long as it ends with a {@link dev.remus.fabric.FabricException}. Is
     * dropped if the Memory Node is lost. Allocates.
     *
     * @param cleanup finds out from remote memory what is left to do, and does it. Reads and changes single words, and
     *     waits for no other thread. May run in the middle of any later operation of this thread, so it uses no
     *     sequence and no view that is used otherwise
     */
    public static void run(Runnable cleanup, ComputeThread ct) {
        ct.parts.memory.cleanUp(cleanup);
    }

    /** Whether a cleanup of the thread has failed, and is still to be done. No round trip. */
    public static boolean isPending(ComputeThread ct) {
        return ct.parts.memory.hasCleanups();
    }
}
