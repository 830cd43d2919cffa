// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.Environment;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.RemoteSequence;

/** Executes each asynchronous operation when it is posted, on fabrics where an operation is an instruction. */
final class AsyncDirectEngine extends AsyncEngine {
    private final BlockingOperations memory;

    AsyncDirectEngine(
            ThreadOwner owner,
            ClusterConfig config,
            ThreadMetrics metrics,
            Environment environment,
            CompletionWatch watch,
            BlockingOperations memory) {
        super(owner, config, metrics, environment, watch);
        this.memory = memory;
    }

    @Override
    boolean makeRoom() {
        return false; // detached operations have ended
    }

    @Override
    void awaitRoom(Destination to) {
        // Nothing is outstanding.
    }

    @Override
    void read(RemoteFuture future, long pointer) {
        executed(future, memory.read(pointer), false);
    }

    @Override
    void write(RemoteFuture future, long pointer, long value) {
        memory.write(pointer, value);
        executed(future, 0, true);
    }

    @Override
    void compareAndSwap(RemoteFuture future, long pointer, long expected, long desired) {
        executed(future, memory.compareAndSwap(pointer, expected, desired), false);
    }

    @Override
    void fetchAndAdd(RemoteFuture future, long pointer, long delta) {
        executed(future, memory.fetchAndAdd(pointer, delta), false);
    }

    @Override
    void read(RemoteFuture future, long pointer, LocalBuffer to, long toOffset, int length) {
        memory.read(pointer, to, toOffset, length);
        executed(future, 0, false);
    }

    @Override
    void write(RemoteFuture future, long pointer, LocalBuffer from, long fromOffset, int length) {
        memory.write(pointer, from, fromOffset, length);
        executed(future, 0, true);
    }

    @Override
    void execute(RemoteFuture future, long pointer, RemoteSequence sequence) {
        sequence.execute();
        executed(future, 0, future.writes);
    }

    private void executed(RemoteFuture future, long value, boolean writes) {
        setWrites(future, writes);
        future.executed(value);
        future.destination().unreported().ended(future.id);
    }

    @Override
    boolean awaitEnd(RemoteFuture future, long deadline) {
        return true;
    }

    @Override
    long take(RemoteFuture future) {
        long value = future.result;
        future.destination().unreported().reported(future.id);
        pool.release(future);
        return value;
    }

    @Override
    boolean lookAt(RemoteFuture future) {
        return true;
    }

    @Override
    void detached(RemoteFuture future) {
        pool.release(future);
    }

    @Override
    boolean finishAll(long deadline) {
        return true;
    }

    @Override
    long completed(Destination destination, CompletionGrade grade) {
        return destination.lastPosted();
    }

    @Override
    long await(Destination destination, long id, CompletionGrade grade, long deadline) {
        return destination.lastPosted();
    }

    @Override
    long poll(Destination destination, long id, CompletionGrade grade) {
        return destination.lastPosted();
    }

    @Override
    void look(Destination destination) {
        // Every result has arrived.
    }

    @Override
    boolean isAnyOutstanding(Destination destination) {
        return false;
    }

    @Override
    boolean isArmedOver(Destination destination) {
        return true;
    }

    @Override
    void checkAlive(Destination destination) {
        // No thread waits here.
    }

    @Override
    void throwFailure(Destination destination, long upTo) {
        // A failing operation throws when it is posted.
    }
}
