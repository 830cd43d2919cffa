// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

/** The block of an entry that was not published, since another thread was faster. The next entry gets it. */
final class SpareBlock {
    private long block = RdmaPtr.NULL;
    private long bytes;

    /**
     * A block that belongs to this thread alone, on a Memory Node if that has room. It is not kept: after a failure,
     * other threads may know it.
     */
    long take(int node, long size, ComputeThread ct) {
        long taken = block;
        if (taken != RdmaPtr.NULL && bytes != size) {
            ct.schedReclaim(taken, bytes);
            taken = RdmaPtr.NULL;
        }
        block = RdmaPtr.NULL;
        return taken == RdmaPtr.NULL ? ct.allocateOn(node, size) : taken;
    }

    /** Keeps a block that was taken, and that no other thread has seen. */
    void keep(long unused, long size) {
        block = unused;
        bytes = size;
    }

    /** Frees the block, if there is one. */
    void free(ComputeThread ct) {
        if (block != RdmaPtr.NULL) {
            ct.free(block, bytes);
            block = RdmaPtr.NULL;
        }
    }
}
