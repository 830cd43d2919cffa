// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import dev.remus.node.ComputeThread;
import java.util.function.LongUnaryOperator;

/** Atomic changes of a word that RDMA lacks: a READ, then COMPARE_AND_SWAPs until one succeeds. */
final class UpdateLoop {
    private UpdateLoop() {}

    static long exchange(long pointer, long desired, ComputeThread ct) {
        long old = ct.read(pointer);
        while (old != desired) {
            long found = ct.compareAndSwap(pointer, old, desired);
            if (found == old) {
                return old;
            }
            old = found;
            ct.pause();
        }
        return old;
    }

    static long update(long pointer, LongUnaryOperator change, ComputeThread ct) {
        long old = ct.read(pointer);
        while (true) {
            long desired = change.applyAsLong(old);
            if (desired == old) {
                return old;
            }
            long found = ct.compareAndSwap(pointer, old, desired);
            if (found == old) {
                return old;
            }
            old = found;
            ct.pause();
        }
    }
}
