package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Environment;
import dev.remus.fabric.LocalMemory;
import dev.remus.fabric.RemoteMemory;
import dev.remus.fabric.RemoteSequence;

/** Where an operation is an instruction, it has been executed and placed when it is posted. */
final class DirectOperations extends AsyncOperations {
    private final RemoteMemory memory;

    DirectOperations(
            ComputeThread ct,
            ClusterConfig config,
            ThreadMetrics metrics,
            Environment environment,
            CompletionWatch watch,
            RemoteMemory memory) {
        super(ct, config, metrics, environment, watch);
        this.memory = memory;
    }

    @Override
    boolean makeRoom() {
        return false; // those that are detached have ended
    }

    @Override
    void awaitRoom(CompletionBarrier to) {
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
    void read(RemoteFuture future, long pointer, LocalMemory to, long toOffset, int length) {
        memory.read(pointer, to, toOffset, length);
        executed(future, 0, false);
    }

    @Override
    void write(RemoteFuture future, long pointer, LocalMemory from, long fromOffset, int length) {
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
        future.destination().ended(future.id);
    }

    @Override
    boolean awaitEnd(RemoteFuture future, long deadline) {
        return true;
    }

    @Override
    long take(RemoteFuture future) {
        long value = future.result;
        future.destination().toldOf(future.id);
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
    long completed(CompletionBarrier barrier, CompletionGrade grade) {
        return barrier.lastPosted();
    }

    @Override
    long await(CompletionBarrier barrier, long id, CompletionGrade grade, long deadline) {
        return barrier.lastPosted();
    }

    @Override
    long poll(CompletionBarrier barrier, long id, CompletionGrade grade) {
        return barrier.lastPosted();
    }

    @Override
    void look(CompletionBarrier barrier) {
        // All has arrived.
    }

    @Override
    boolean isAnyOutstanding(CompletionBarrier barrier) {
        return false;
    }

    @Override
    boolean isArmedOver(CompletionBarrier barrier) {
        return true;
    }

    @Override
    void checkAlive(CompletionBarrier barrier) {
        // Nobody waits here.
    }

    @Override
    void throwFailure(CompletionBarrier barrier, long upTo) {
        // What fails throws when it is posted.
    }
}
