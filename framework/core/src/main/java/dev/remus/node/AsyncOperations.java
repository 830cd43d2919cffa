// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.Operation;
import dev.remus.fabric.RemoteSequence;
import dev.remus.memory.AddressSpace;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread's asynchronous operations: each posts a request and returns a future at once. {@link RemoteFuture#await}
 * guarantees what the blocking operation of the same name does ({@link ComputeThread}).
 *
 * <pre>{@code
 * RemoteFuture left = ct.async().read(leftPointer);
 * RemoteFuture right = ct.async().read(rightPointer);   // both are in flight
 * long sum = left.await() + right.await();              // one round trip
 * }</pre>
 *
 * <p>Until they are awaited they may execute in any order, also relative to the thread's other operations. At most
 * {@code --cn-ops-per-thread} may be outstanding or not yet awaited. Only the first call allocates.
 *
 * <p>Belongs to its Compute Thread.
 */
public final class AsyncOperations {
    private final AddressSpace space;
    private final ThreadOwner owner;
    private final ThreadMetrics metrics;
    private final Supplier<AsyncEngine> newEngine;

    /** Made when the first operation is posted. */
    private @Nullable AsyncEngine engine;

    /** By Memory Node. */
    private CompletionBarrier[] barriers = {};

    AsyncOperations(AddressSpace space, ThreadOwner owner, ThreadMetrics metrics, Supplier<AsyncEngine> newEngine) {
        this.space = space;
        this.owner = owner;
        this.metrics = metrics;
        this.newEngine = newEngine;
    }

    AsyncEngine engine() {
        if (engine == null) {
            engine = open();
        }
        return engine;
    }

    private AsyncEngine open() {
        owner.check();
        AsyncEngine opened = newEngine.get();
        barriers = new CompletionBarrier[opened.destinations.length];
        for (int i = 0; i < barriers.length; i++) {
            barriers[i] = new CompletionBarrier(opened, opened.destinations[i]);
        }
        return opened;
    }

    // ---------------------------------------------------------------------------------------------- posting

    /**
     * Posts a READ of the word at a pointer. Its future returns the word.
     *
     * @throws IllegalStateException if {@code --cn-ops-per-thread} operations are outstanding, none of them detached
     */
    public RemoteFuture read(long pointer) {
        space.admitted(Operation.READ, pointer);
        AsyncEngine engine = engine();
        RemoteFuture future = engine.begin(pointer);
        engine.read(future, pointer);
        metrics.wordReads++;
        metrics.notAwaited++;
        return future;
    }

    /**
     * Posts a WRITE of the word at a pointer. It is placed once its future was awaited. Not for a word that is also
     * changed by atomics.
     *
     * @throws IllegalStateException as {@link #read(long)}
     */
    public RemoteFuture write(long pointer, long value) {
        space.admitted(Operation.WRITE, pointer);
        AsyncEngine engine = engine();
        RemoteFuture future = engine.begin(pointer);
        engine.write(future, pointer, value);
        metrics.wordWrites++;
        metrics.notAwaited++;
        return future;
    }

    /**
     * Posts a COMPARE_AND_SWAP. Its future returns the word's old value.
     *
     * @throws IllegalStateException as {@link #read(long)}
     */
    public RemoteFuture compareAndSwap(long pointer, long expected, long desired) {
        space.admitted(Operation.COMPARE_AND_SWAP, pointer);
        AsyncEngine engine = engine();
        RemoteFuture future = engine.begin(pointer);
        engine.compareAndSwap(future, pointer, expected, desired);
        metrics.compareAndSwaps++;
        metrics.notAwaited++;
        return future;
    }

    /**
     * Posts a FETCH_AND_ADD. Its future returns the word's old value.
     *
     * @throws IllegalStateException as {@link #read(long)}
     */
    public RemoteFuture fetchAndAdd(long pointer, long delta) {
        space.admitted(Operation.FETCH_AND_ADD, pointer);
        AsyncEngine engine = engine();
        RemoteFuture future = engine.begin(pointer);
        engine.fetchAndAdd(future, pointer, delta);
        metrics.fetchAndAdds++;
        metrics.notAwaited++;
        return future;
    }

    /**
     * Posts a READ of {@code length} bytes, a multiple of 8, directly into local memory ({@link
     * ComputeThread#allocateLocal}), which is in use until the future was awaited. Each aligned word is whole, but the
     * READ may be torn between words.
     *
     * @throws IllegalStateException as {@link #read(long)}
     */
    public RemoteFuture read(long pointer, LocalBuffer to, long toOffset, int length) {
        space.admit(Operation.READ, pointer, length);
        to.check(toOffset, length);
        AsyncEngine engine = engine();
        RemoteFuture future = engine.begin(pointer);
        engine.read(future, pointer, to, toOffset, length);
        metrics.countRead(length);
        metrics.notAwaited++;
        return future;
    }

    /**
     * Posts a WRITE of {@code length} bytes, a multiple of 8, directly from local memory ({@link
     * ComputeThread#allocateLocal}), which is in use until the future was awaited. The WRITE is placed then. A reader
     * may see it torn between words.
     *
     * @throws IllegalStateException as {@link #read(long)}
     */
    public RemoteFuture write(long pointer, LocalBuffer from, long fromOffset, int length) {
        space.admit(Operation.WRITE, pointer, length);
        from.check(fromOffset, length);
        AsyncEngine engine = engine();
        RemoteFuture future = engine.begin(pointer);
        engine.write(future, pointer, from, fromOffset, length);
        metrics.bulkWrites++;
        metrics.bulkWriteBytes += length;
        metrics.notAwaited++;
        return future;
    }

    /** Posts a sequence whose operations have been checked and counted. */
    RemoteFuture execute(long first, RemoteSequence sequence, boolean endsWithWrite) {
        AsyncEngine engine = engine();
        RemoteFuture future = engine.begin(first);
        future.writes = endsWithWrite;
        engine.execute(future, first, sequence);
        return future;
    }

    // ---------------------------------------------------------------------------------------------- gathering

    /**
     * Lets the operations that are posted from now on gather until this thread waits, asks whether one has ended, or
     * executes a blocking operation. A card then gets up to 32 of them at once, which costs this thread less than to
     * notify it of each. They start later, so this is for operations that are posted one right after the other:
     *
     * <pre>{@code
     * ct.async().gather();
     * for (int i = 0; i < 16; i++) {
     *     futures[i] = ct.async().read(pointers[i]);
     * }
     * ct.async().awaitAll();   // or the first await
     * }</pre>
     */
    public void gather() {
        owner.check();
        engine().gather();
    }

    // ---------------------------------------------------------------------------------------------- waiting

    /**
     * Returns when all asynchronous operations of this thread have ended and their WRITEs are placed: one round trip
     * for all of them. Each future must still be awaited, which then takes no time, and throws if the operation has
     * failed.
     *
     * @throws dev.remus.fabric.NodeLostException if one of their Memory Nodes is lost, or the run is over
     */
    public void awaitAll() {
        engine().awaitAll(Backoff.FOREVER);
    }

    /**
     * Waits as {@link #awaitAll} does, but not for longer than a limit. May be repeated.
     *
     * @param nanos how long to wait; 0 or less polls once
     * @return false if some have not ended or are not placed yet
     * @throws dev.remus.fabric.NodeLostException as {@link #awaitAll}
     */
    public boolean tryAwaitAll(long nanos) {
        AsyncEngine engine = engine();
        return engine.awaitAll(engine.deadline(nanos));
    }

    /**
     * Reports up to which id this thread's asynchronous operations to a Memory Node are complete.
     *
     * @param memoryNode the node's id
     * @throws IllegalArgumentException if no Memory Node has that id
     */
    public CompletionBarrier barrier(int memoryNode) {
        return barrier(engine().destination(memoryNode));
    }

    /**
     * Sleeps until all operations up to an id that {@link CompletionBarrier#poll} has armed are complete, or one of
     * them has failed. Each such id is reported once. Earlier completions do not wake this thread. An id stays armed if
     * the wait ends with an exception; a poll for id 0 disarms it.
     *
     * @return the barrier whose id it is; its methods report what is complete
     * @throws IllegalStateException if no id is armed
     * @throws dev.remus.fabric.NodeLostException if the Memory Node of an armed id is lost, or the run is over
     * @throws dev.remus.fabric.InterruptedWaitException if this thread is interrupted
     */
    public CompletionBarrier awaitArmed() {
        return barrier(Objects.requireNonNull(engine().awaitArmed(Backoff.FOREVER)));
    }

    /**
     * Sleeps as {@link #awaitArmed} does, but not for longer than a limit. May be repeated: the id stays armed until it
     * is reported.
     *
     * @param nanos how long to wait; 0 or less polls once
     * @return null if there is nothing to report yet
     * @throws IllegalStateException as {@link #awaitArmed}
     * @throws dev.remus.fabric.NodeLostException as {@link #awaitArmed}
     */
    public @Nullable CompletionBarrier tryAwaitArmed(long nanos) {
        AsyncEngine engine = engine();
        Destination found = engine.awaitArmed(engine.deadline(nanos));
        return found == null ? null : barrier(found);
    }

    /**
     * Sleeps until any asynchronous operation of this thread completes, successfully or not, whether an id is armed or
     * not. Each completion is reported at most once. One report covers all operations to that Memory Node that have
     * completed by then. Returns at once if an operation has completed since this thread last checked, so none is
     * missed between a check and the sleep:
     *
     * <pre>{@code
     * while (!left.isDone() && !right.isDone()) {
     *     ct.async().awaitAny();
     * }
     * }</pre>
     *
     * <p>A completion is not reported again if the thread has learned of it otherwise: by the operation's future
     * ({@link RemoteFuture#isDone}, {@link RemoteFuture#tryAwait}, {@link RemoteFuture#await}), by {@link
     * CompletionBarrier#await} for its id or a later one, or by {@link #awaitAll} or {@link ComputeThread#place}. Other
     * results of a {@code CompletionBarrier} do not count, since they may cover several operations of which the caller
     * has named one. Nor does it count if there are 64 later operations to the same Memory Node by then, or as many as
     * may be outstanding, if that is more.
     *
     * <p>A completion has grade {@link CompletionGrade#LOCAL}: a WRITE has been acknowledged, and may not be placed
     * yet.
     *
     * @return the barrier of the operation's Memory Node
     * @throws IllegalStateException if no completion can come: no operation is outstanding, and all completions were
     *     reported
     * @throws dev.remus.fabric.NodeLostException if the Memory Node of an outstanding operation is lost, or the run is
     *     over
     */
    public CompletionBarrier awaitAny() {
        return barrier(Objects.requireNonNull(engine().awaitAny(Backoff.FOREVER)));
    }

    /**
     * Sleeps as {@link #awaitAny} does, but not for longer than a limit. May be repeated.
     *
     * @param nanos how long to wait; 0 or less polls once
     * @return null if no operation has completed yet
     * @throws IllegalStateException as {@link #awaitAny}
     * @throws dev.remus.fabric.NodeLostException as {@link #awaitAny}
     */
    public @Nullable CompletionBarrier tryAwaitAny(long nanos) {
        AsyncEngine engine = engine();
        Destination found = engine.awaitAny(engine.deadline(nanos));
        return found == null ? null : barrier(found);
    }

    private CompletionBarrier barrier(Destination destination) {
        return barriers[destination.index()];
    }

    /**
     * Waits for all posted operations, if there are any, and throws if one has failed whose failure was not reported.
     */
    void finish() {
        if (engine != null) {
            engine.awaitAll(Backoff.FOREVER);
            engine.throwFailure();
        }
    }
}
