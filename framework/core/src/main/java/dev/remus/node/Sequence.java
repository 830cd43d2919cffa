// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.Operation;
import dev.remus.fabric.RemoteSequence;
import dev.remus.memory.AddressSpace;
import dev.remus.memory.RdmaPtr;

/**
 * Several operations on one Memory Node that are posted together and awaited once: one round trip.
 *
 * <pre>{@code
 * ct.sequence()
 *         .write(data, local, 0, 64)
 *         .write(state, local, 64, 8)   // a thread that reads the new state reads the data
 *         .execute();
 * }</pre>
 *
 * <p>They execute in the order in which they are added, with one exception: a WRITE or atomic may overtake an earlier
 * READ or atomic. If it must not, add it to the next sequence, after {@link #execute}. Other threads may observe
 * intermediate states. Data moves directly between remote memory and local memory that the caller owns ({@link
 * ComputeThread#allocateLocal}). That memory is in use until {@link #execute} returns or, after {@link #post}, until
 * {@link ComputeThread#place} does. If {@code execute} throws, it is in use until this thread's next {@code execute},
 * READ or WRITE of local memory, which waits for that. {@link #executeAsync} executes the sequence and does not wait.
 *
 * <p>An operation takes effect at some time between the call that adds it and the end of {@code execute}: on some
 * fabrics at once. So always end a sequence that was begun. If an operation cannot be added, its exception gives the
 * reason, and earlier operations may have taken effect.
 *
 * <p>Belongs to its Compute Thread. No method allocates.
 */
public final class Sequence {
    private final AddressSpace space;
    private final RemoteSequence remote;
    private final ThreadMetrics metrics;
    private final AsyncOperations async;
    private long first;
    private int size;
    private boolean endsWithWrite;

    Sequence(AddressSpace space, RemoteSequence remote, ThreadMetrics metrics, AsyncOperations async) {
        this.space = space;
        this.async = async;
        this.remote = remote;
        this.metrics = metrics;
    }

    /** The maximum number of operations. */
    public static int capacity() {
        return RemoteSequence.CAPACITY;
    }

    Sequence clear() {
        size = 0;
        remote.clear();
        return this;
    }

    /**
     * READs {@code length} bytes, a multiple of 8. Each aligned word is whole, but the READ may be torn between words.
     */
    public Sequence read(long pointer, LocalBuffer to, long toOffset, int length) {
        add(Operation.READ, pointer, length, to, toOffset);
        remote.read(pointer, to, toOffset, length);
        metrics.countRead(length);
        return this;
    }

    /** WRITEs {@code length} bytes, a multiple of 8. A reader may see the WRITE torn between words. */
    public Sequence write(long pointer, LocalBuffer from, long fromOffset, int length) {
        add(Operation.WRITE, pointer, length, from, fromOffset);
        endsWithWrite = true;
        remote.write(pointer, from, fromOffset, length);
        metrics.bulkWrites++;
        metrics.bulkWriteBytes += length;
        return this;
    }

    /** COMPARE_AND_SWAPs a word. Its old value goes to a word of local memory. */
    public Sequence compareAndSwap(long pointer, long expected, long desired, LocalBuffer result, long resultOffset) {
        add(Operation.COMPARE_AND_SWAP, pointer, Long.BYTES, result, resultOffset);
        remote.compareAndSwap(pointer, expected, desired, result, resultOffset);
        metrics.compareAndSwaps++;
        return this;
    }

    /** FETCH_AND_ADDs to a word. Its old value goes to a word of local memory. */
    public Sequence fetchAndAdd(long pointer, long delta, LocalBuffer result, long resultOffset) {
        add(Operation.FETCH_AND_ADD, pointer, Long.BYTES, result, resultOffset);
        remote.fetchAndAdd(pointer, delta, result, resultOffset);
        metrics.fetchAndAdds++;
        return this;
    }

    private void add(Operation operation, long pointer, int length, LocalBuffer local, long localOffset) {
        space.admit(operation, pointer, length);
        local.check(localOffset, length);
        if (size == 0) {
            first = pointer;
        } else if (RdmaPtr.node(pointer) != RdmaPtr.node(first)) {
            throw new IllegalArgumentException("a sequence that began on Memory Node " + RdmaPtr.node(first)
                    + " cannot continue at (" + RdmaPtr.toString(pointer) + "): needs one Memory Node");
        }
        if (size == RemoteSequence.CAPACITY) {
            throw new IllegalStateException("a sequence of more than " + RemoteSequence.CAPACITY + " operations");
        }
        size++;
        endsWithWrite = false;
    }

    /**
     * Returns when all operations have been executed, and the WRITEs among them are placed. One round trip; none if
     * there are no operations.
     */
    public void execute() {
        if (size > 0) {
            remote.execute();
            metrics.notAwaited += size - 1;
            size = 0;
        }
    }

    /**
     * Posts the operations and returns at once. {@link RemoteFuture#await} returns when {@link #execute} would have.
     * Their local memory is in use until then. Many sequences may be in flight while the next one is filled.
     *
     * @throws IllegalStateException if there are no operations, or {@code --cn-ops-per-thread} are outstanding
     */
    public RemoteFuture executeAsync() {
        if (size == 0) {
            throw new IllegalStateException("a sequence without operations has nothing to await");
        }
        RemoteFuture future = async.execute(first, remote, endsWithWrite);
        metrics.notAwaited += size;
        size = 0;
        return future;
    }

    /**
     * Posts the operations and returns at once. They take effect after finite time. Before {@link ComputeThread#place},
     * they are not ordered with this thread's later operations. A WRITE may be lost, as any posted one, if the lane
     * breaks.
     */
    public void post() {
        if (size > 0) {
            remote.post();
            metrics.notAwaited += size;
            size = 0;
        }
    }
}
