// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

/**
 * A fault at a given moment: when a thread waits for the k-th time, for a completion or for another thread. Most
 * operations wait once.
 *
 * @param fault the kind of fault. A lane that breaks is one that the thread waits for; a Memory Node that dies is the
 *     one at its other end; a Compute Node that is killed or becomes slow is the thread's own
 * @param thread the number under which the thread was {@linkplain Simulator#expose exposed}: that of its Compute Thread
 * @param waits the number of its wait since then, from 1
 */
public record Strike(Fault fault, int thread, int waits) {
    /** Rejects strikes that cannot happen. */
    public Strike {
        if (fault == Fault.SKEWED_CLOCKS) {
            throw new IllegalArgumentException(fault + " do not happen at a moment: enable them as a fault");
        }
        if (thread < 0 || waits < 1) {
            throw new IllegalArgumentException(
                    "thread " + thread + ", wait " + waits + ": needs a thread from 0 and a wait from 1");
        }
    }

    @Override
    public String toString() {
        return fault + " at thread " + thread + ", wait " + waits;
    }
}
