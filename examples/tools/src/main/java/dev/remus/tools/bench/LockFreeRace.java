// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.node.ComputeThread;
import dev.remus.node.Root;
import dev.remus.structures.RemoteQueue;
import dev.remus.tools.queue.QueueKind;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A measurement of one queue: threads of one process or of several enqueue and dequeue with equal probability. Pools
 * are large enough that no element is reused.
 *
 * @param kind the queue
 * @param operations operations of each thread at most
 * @param millis the time limit
 */
record LockFreeRace(QueueKind kind, int operations, long millis) {
    /** The most that room for an item takes in remote memory. */
    private static final int MAX_ELEMENT_BYTES = 256;

    private static final int OPERATIONS_PER_LOOK = 64;

    /**
     * The result of one or several races.
     *
     * @param operations of all threads together
     * @param nanos the time that they took
     * @param roundTrips of all operations
     */
    record Result(long operations, long nanos, long roundTrips) {
        static final Result NONE = new Result(0, 0, 0);

        Result plus(Result other) {
            return new Result(operations + other.operations, nanos + other.nanos, roundTrips + other.roundTrips);
        }

        double operationsPerSecond() {
            return operations * 1e9 / nanos;
        }

        double roundTripsPerOperation() {
            return (double) roundTrips / operations;
        }
    }

    /** What the threads of all processes add up, in words that all can find. */
    private record Sums(Root operations, Root nanos, Root roundTrips, Root balance) {
        static Sums of(ComputeThread ct) {
            return new Sums(ct.root("operations"), ct.root("nanos"), ct.root("roundTrips"), ct.root("balance"));
        }

        Result result() {
            return new Result(operations.fetchAndAdd(0), nanos.fetchAndAdd(0), roundTrips.fetchAndAdd(0));
        }
    }

    /**
     * Repeats the race until the timed parts have taken the time limit together; called in each process.
     *
     * @return the same in all processes
     */
    Result repeat(LockFreeThreads threads) throws Exception {
        Result all = Result.NONE;
        while (all.nanos() < millis * 1_000_000) {
            AtomicReference<Result> one = new AtomicReference<>(Result.NONE);
            threads.run((operations + 2L) * MAX_ELEMENT_BYTES, ct -> one.set(run(ct)));
            all = all.plus(Objects.requireNonNull(one.get(), "set by a thread"));
        }
        return all;
    }

    /**
     * Runs the race once, in a cluster without a queue.
     *
     * @throws IllegalStateException if the items left in the queue do not match the operations
     */
    private Result run(ComputeThread ct) {
        Sums sums = Sums.of(ct);
        if (ct.id() == 0) {
            ct.root().set(kind.create(operations, ct));
        }
        ct.barrier();
        RemoteQueue<Long> queue = kind.open(ct.root().get(), ct);
        queue.tryEnqueue(0L, ct); // creates the pool, if creation is lazy
        ct.barrier();
        long start = ct.nanoTime();
        long before = ct.metrics().roundTrips();
        operate(queue, start, before, sums, ct);
        ct.barrier();
        if (ct.id() == 0) {
            sums.nanos().fetchAndAdd(ct.nanoTime() - start);
            check(queue, sums.balance().fetchAndAdd(0), ct);
        }
        ct.barrier();
        Result result = sums.result();
        ct.barrier(); // so that no node ends before
        return result;
    }

    private void operate(RemoteQueue<Long> queue, long start, long before, Sums sums, ComputeThread ct) {
        long balance = 1;
        long i = 0;
        for (; i < operations; i++) {
            if (i % OPERATIONS_PER_LOOK == 0 && ct.nanoTime() - start > millis * 1_000_000) {
                break;
            }
            if (ct.random().nextBoolean()) {
                balance += queue.tryEnqueue(i, ct) ? 1 : 0;
            } else {
                balance -= queue.tryDequeue(ct).isItem() ? 1 : 0;
            }
        }
        long roundTrips = ct.metrics().roundTrips() - before;
        sums.operations().fetchAndAdd(i);
        sums.roundTrips().fetchAndAdd(roundTrips);
        sums.balance().fetchAndAdd(balance);
    }

    private void check(RemoteQueue<Long> queue, long balance, ComputeThread ct) {
        long left = 0;
        while (queue.tryDequeue(ct).isItem()) {
            left++;
        }
        if (left != balance) {
            throw new IllegalStateException(
                    kind + ", " + ct.threads() + " threads: " + left + " items were left instead of " + balance);
        }
    }
}
