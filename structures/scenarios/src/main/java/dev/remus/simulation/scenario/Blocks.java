// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

/** One thread's allocator of remote memory: that of its Compute Thread, or a flawed one. */
public interface Blocks {
    /** Allocates a block of at least so many bytes, like {@link ComputeThread#allocate}. */
    long allocate(long bytes, ComputeThread ct);

    /** Gives back a block that no other thread uses, like {@link ComputeThread#free}. */
    void free(long pointer, long bytes, ComputeThread ct);

    /** Makes handles. */
    interface Factory {
        /** Makes the shared part, if there is one; one thread calls it. */
        default RdmaPtr<?> create(ComputeThread ct) {
            return RdmaPtr.nullPointer();
        }

        /** Makes a thread's handle to the shared part. */
        Blocks open(RdmaPtr<?> shared);
    }

    /** Makes the allocators of the Compute Threads. */
    static Factory ofComputeThread() {
        return shared -> new Blocks() {
            @Override
            public long allocate(long bytes, ComputeThread ct) {
                return ct.allocate(bytes);
            }

            @Override
            public void free(long pointer, long bytes, ComputeThread ct) {
                ct.free(pointer, bytes);
            }
        };
    }
}
