package dev.remus.simulation.scenario;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

/** One thread's way to blocks of remote memory: that of its Compute Thread, or one with a mistake. */
public interface Blocks {
    /** A block of at least so many bytes, as {@link ComputeThread#allocate} gives it. */
    long allocate(long bytes, ComputeThread ct);

    /** Gives a block back that nobody else uses, as {@link ComputeThread#free} does. */
    void free(long pointer, long bytes, ComputeThread ct);

    /** Makes handles. */
    interface Factory {
        /** Makes what the threads share, if anything; called by one thread. */
        default RdmaPtr<?> create(ComputeThread ct) {
            return RdmaPtr.nullPointer();
        }

        /** Makes a thread's handle to what was created. */
        Blocks open(RdmaPtr<?> shared);
    }

    /** Those of the Compute Thread. */
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
