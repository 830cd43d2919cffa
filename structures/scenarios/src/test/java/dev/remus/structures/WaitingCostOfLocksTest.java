// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.lock.LeaderSlot;
import dev.remus.lock.RemoteCohortLock;
import dev.remus.lock.RemoteLatch;
import dev.remus.lock.RemoteReadWriteLock;
import dev.remus.lock.RemoteSemaphore;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.structures.WaitingCostTest.Place;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@link WaitingCostTest} measures, of locks for many threads, semaphores, latches, leaders and their queues. */
class WaitingCostOfLocksTest {
    private static final int ITEMS = 2;

    /** One thread takes something, and keeps it until it is over; the other waits for it. */
    private static <T> Place held(
            Function<ComputeThread, RdmaPtr<?>> creator,
            BiFunction<RdmaPtr<?>, ComputeThread, T> opener,
            BiConsumer<T, ComputeThread> take,
            BiConsumer<T, ComputeThread> giveBack,
            BiConsumer<T, ComputeThread> await) {
        return new Place() {
            @Override
            RdmaPtr<?> create(ComputeThread ct) {
                return creator.apply(ct);
            }

            @Override
            void block(RdmaPtr<?> shared, ComputeThread ct) {
                T handle = opener.apply(shared, ct);
                take.accept(handle, ct);
                pauseWhile(() -> !isOver(), ct);
                giveBack.accept(handle, ct);
            }

            @Override
            void await(RdmaPtr<?> shared, ComputeThread ct) {
                T handle = opener.apply(shared, ct);
                WaitingCostTest.sleep(WaitingCostTest.SETTLED_NANOS / 2, ct);
                await.accept(handle, ct);
                operated();
            }
        };
    }

    private static Place readWriteLock(
            BiConsumer<RemoteReadWriteLock, ComputeThread> take,
            BiConsumer<RemoteReadWriteLock, ComputeThread> giveBack,
            BiConsumer<RemoteReadWriteLock, ComputeThread> await) {
        return held(
                ct -> {
                    RemoteReadWriteLock lock = new RemoteReadWriteLock(ct.threads());
                    lock.allocate(ct);
                    lock.init(ct);
                    return new RdmaPtr<>(lock.pointer());
                },
                (shared, ct) -> {
                    RemoteReadWriteLock lock = new RemoteReadWriteLock(ct.threads());
                    lock.at(shared);
                    return lock;
                },
                take,
                giveBack,
                await);
    }

    private static void write(RemoteReadWriteLock lock, ComputeThread ct) {
        lock.acquireWrite(ct);
        lock.releaseWrite(ct);
    }

    private static Place cohortLock() {
        return held(
                ct -> {
                    RemoteCohortLock lock = new RemoteCohortLock(ct.threads());
                    lock.allocate(ct);
                    lock.init(ct);
                    return new RdmaPtr<>(lock.pointer());
                },
                (shared, ct) -> {
                    RemoteCohortLock lock = new RemoteCohortLock(ct.threads());
                    lock.at(shared);
                    return lock;
                },
                RemoteCohortLock::acquire,
                RemoteCohortLock::release,
                (lock, ct) -> {
                    lock.acquire(ct);
                    lock.release(ct);
                });
    }

    private static Place scalableQueue(BiConsumer<ScalableQueue<Long>, ComputeThread> await) {
        return held(
                ct -> ScalableQueue.create(ITEMS, Codecs.LONG, ct),
                (shared, ct) -> new ScalableQueue<>(new RdmaPtr<>(shared.raw()), Codecs.LONG, ct),
                (queue, ct) -> {},
                (queue, ct) -> { // makes room, or brings an item
                    if (!queue.tryDequeue(ct).isItem()) {
                        queue.enqueue(1L, ct);
                    }
                },
                await);
    }

    private static Map<String, Place> places() {
        Map<String, Place> places = new LinkedHashMap<>();
        places.put(
                "a lock that a writer holds, as a reader",
                readWriteLock(RemoteReadWriteLock::acquireWrite, RemoteReadWriteLock::releaseWrite, (lock, ct) -> {
                    lock.acquireRead(ct);
                    lock.releaseRead(ct);
                }));
        places.put(
                "a lock that a writer holds, as a writer",
                readWriteLock(
                        RemoteReadWriteLock::acquireWrite,
                        RemoteReadWriteLock::releaseWrite,
                        WaitingCostOfLocksTest::write));
        places.put(
                "a lock that a reader holds, as a writer",
                readWriteLock(
                        RemoteReadWriteLock::acquireRead,
                        RemoteReadWriteLock::releaseRead,
                        WaitingCostOfLocksTest::write));
        places.put("a cohort lock that another node holds", cohortLock());
        places.put(
                "a semaphore without permits",
                held(
                        ct -> RemoteSemaphore.create(1, ct),
                        (shared, ct) -> new RemoteSemaphore(new RdmaPtr<>(shared.raw()), ct),
                        RemoteSemaphore::acquire,
                        RemoteSemaphore::release,
                        (semaphore, ct) -> {
                            semaphore.acquire(ct);
                            semaphore.release(ct);
                        }));
        places.put(
                "a latch",
                held(
                        ct -> RemoteLatch.create(new int[] {0, 0, 1, 0}, ct),
                        (shared, ct) -> new RemoteLatch(new RdmaPtr<>(shared.raw()), ct),
                        (latch, ct) -> {},
                        RemoteLatch::countDown,
                        RemoteLatch::await));
        places.put(
                "a leader that resigns",
                held(
                        LeaderSlot::create,
                        (shared, ct) -> new LeaderSlot(new RdmaPtr<>(shared.raw())),
                        LeaderSlot::tryLead,
                        LeaderSlot::resign,
                        (slot, ct) -> {
                            while (!slot.tryLead(ct)) {
                                ct.pause();
                            }
                            slot.resign(ct);
                        }));
        places.put("an item of the scalable queue", scalableQueue(ScalableQueue::dequeue));
        places.put("room in the scalable queue", scalableQueue((queue, ct) -> {
            for (long i = 0; i <= queue.capacity(); i++) {
                queue.enqueue(i, ct);
            }
        }));
        places.put(
                "an item of the sharded queue, in a loop of the program's own",
                held(
                        ct -> ShardedQueue.create(ITEMS, 2, Codecs.LONG, ct),
                        (shared, ct) -> new ShardedQueue<Long>(new RdmaPtr<>(shared.raw()), Codecs.LONG, ct),
                        (queue, ct) -> {},
                        (queue, ct) -> queue.tryEnqueue(1L, ct),
                        (queue, ct) -> {
                            while (!queue.tryDequeue(ct).isItem()) {
                                ct.pause();
                            }
                        }));
        return places;
    }

    static Iterable<String> names() {
        return places().keySet();
    }

    @ParameterizedTest
    @MethodSource("names")
    void aWaiterTakesFewRoundTripsWhileNothingHappens(String name) throws Exception {
        assertThat(WaitingCostTest.roundTripsPerSecond(places().get(name), 1))
                .as(name)
                .isBetween(0L, WaitingCostTest.MAX_TRIPS_PER_SECOND);
    }
}
