// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.lock.RemoteLock;
import dev.remus.lock.RemoteQueueLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.record.VersionedRecord;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.baseline.CentralizedLockQueue;
import dev.remus.structures.baseline.DecentralizedLockQueue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * While nothing happens, a waiter takes few round trips per second of virtual time, wherever it waits: it must not
 * take the time of the card, or of the thread that it waits for.
 */
@Tag("any-jdk")
class WaitingCostTest {
    /** The longest pause is about 33 ms, and a poll takes a few round trips. */
    static final long MAX_TRIPS_PER_SECOND = 200;

    /** Each node looks at the others several times a second. */
    private static final int MAX_WATCHES_PER_SECOND = 50;

    static final long SECOND = 1_000_000_000;

    /** By then all pauses are long. */
    static final long SETTLED_NANOS = SECOND / 2;

    /** Much longer than all that a test observes. */
    private static final long QUIET_NANOS = 10 * SECOND;

    private static final int OBSERVER = 0;
    private static final int WAITER = 1;
    private static final int BLOCKER = 2;
    private static final int ITEMS = 2;

    /** A stopped thread is stopped at one of its first waits, which cover several operations. */
    private static final int LATEST_STOP = 120;

    /** Prepares a shared object, and has two threads use it. */
    abstract static class Place {
        private boolean isOver;
        private int operations;

        /** Creates what is waited for; in one thread, before the others begin. */
        abstract RdmaPtr<?> create(ComputeThread ct);

        /** Makes the other thread wait, and ends its wait when that has been observed. */
        void block(RdmaPtr<?> shared, ComputeThread ct) {}

        /** Waits; calls {@link #operated} whenever it has got on. */
        abstract void await(RdmaPtr<?> shared, ComputeThread ct);

        final void operated() {
            operations++;
        }

        final boolean isOver() {
            return isOver;
        }

        final void pauseWhile(BooleanSupplier condition, ComputeThread ct) {
            while (condition.getAsBoolean()) {
                ct.pause();
            }
        }
    }

    /** Observes a wait; returns the round trips per second, or null if the thread got on meanwhile. */
    static @Nullable Long roundTripsPerSecond(Place place, long seed, Strike... strikes) throws Exception {
        ComputeThread[] waiter = new ComputeThread[1];
        Long[] observed = new Long[1];
        SimulatedCluster cluster = new SimulatedCluster(4, Schedule.random(seed).withStrikes(strikes));
        cluster.simulator().quietAfter(QUIET_NANOS);
        cluster.prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(place.create(ct));
                    }
                })
                .run(ct -> {
                    RdmaPtr<?> shared = ct.root().get();
                    if (ct.id() == WAITER) {
                        waiter[0] = ct;
                        place.await(shared, ct);
                    } else if (ct.id() == BLOCKER) {
                        place.block(shared, ct);
                    } else if (ct.id() == OBSERVER) {
                        sleep(SETTLED_NANOS, ct);
                        int operations = place.operations;
                        long before = waiter[0].metrics().roundTrips();
                        sleep(SECOND, ct);
                        if (place.operations == operations) {
                            observed[0] = waiter[0].metrics().roundTrips() - before;
                        }
                        place.isOver = true;
                    }
                });
        return observed[0];
    }

    static void sleep(long nanos, ComputeThread ct) {
        long start = ct.nanoTime();
        while (ct.nanoTime() - start < nanos) {
            ct.pause();
        }
    }

    // ---------------------------------------------------------------------------------------------- the framework

    static Map<String, Place> framework() {
        Map<String, Place> places = new LinkedHashMap<>();
        places.put("a lock that is held", new Place() {
            @Override
            RdmaPtr<?> create(ComputeThread ct) {
                RemoteLock lock = new RemoteLock(ct.threads());
                lock.allocate(ct);
                lock.init(ct);
                return new RdmaPtr<>(lock.pointer());
            }

            @Override
            void block(RdmaPtr<?> shared, ComputeThread ct) {
                RemoteLock lock = open(shared, ct);
                lock.acquire(ct);
                pauseWhile(() -> !isOver(), ct);
                lock.release(ct);
            }

            @Override
            void await(RdmaPtr<?> shared, ComputeThread ct) {
                RemoteLock lock = open(shared, ct);
                sleep(SETTLED_NANOS / 2, ct);
                lock.acquire(ct);
                operated();
                lock.release(ct);
            }

            private RemoteLock open(RdmaPtr<?> shared, ComputeThread ct) {
                RemoteLock lock = new RemoteLock(ct.threads());
                lock.at(shared);
                return lock;
            }
        });
        places.put("a queue lock that is held", new Place() {
            @Override
            RdmaPtr<?> create(ComputeThread ct) {
                RemoteQueueLock lock = new RemoteQueueLock(ct.threads());
                lock.allocate(ct);
                lock.init(ct);
                return new RdmaPtr<>(lock.pointer());
            }

            @Override
            void block(RdmaPtr<?> shared, ComputeThread ct) {
                RemoteQueueLock lock = open(shared, ct);
                lock.acquire(ct);
                pauseWhile(() -> !isOver(), ct);
                lock.release(ct);
            }

            @Override
            void await(RdmaPtr<?> shared, ComputeThread ct) {
                RemoteQueueLock lock = open(shared, ct);
                sleep(SETTLED_NANOS / 2, ct);
                lock.acquire(ct);
                operated();
                lock.release(ct);
            }

            private RemoteQueueLock open(RdmaPtr<?> shared, ComputeThread ct) {
                RemoteQueueLock lock = new RemoteQueueLock(ct.threads());
                lock.at(shared);
                return lock;
            }
        });
        places.put("the barrier", new Place() {
            @Override
            RdmaPtr<?> create(ComputeThread ct) {
                return RdmaPtr.nullPointer();
            }

            @Override
            void block(RdmaPtr<?> shared, ComputeThread ct) {
                pauseWhile(() -> !isOver(), ct);
                ct.barrier(2);
            }

            @Override
            void await(RdmaPtr<?> shared, ComputeThread ct) {
                ct.barrier(2);
                operated();
            }
        });
        places.put("a versioned record with a writer that has stopped", new Place() {
            @Override
            RdmaPtr<?> create(ComputeThread ct) {
                Pair pair = new Pair();
                pair.allocate(ct);
                pair.storeNew(ct);
                ct.write(pair.pointer(), 1); // the version of a record that is being written
                return new RdmaPtr<>(pair.pointer());
            }

            @Override
            void await(RdmaPtr<?> shared, ComputeThread ct) {
                Pair pair = new Pair();
                pair.at(shared);
                pauseWhile(() -> !isOver() && !pair.fetchConsistent(ct), ct);
            }
        });
        return places;
    }

    private static final class Pair extends VersionedRecord {
        Pair() {
            longField();
            longField();
        }
    }

    // ---------------------------------------------------------------------------------------------- queues

    /** A queue of one consumer that is full, or empty. */
    private abstract static class RingPlace extends Place {
        private final boolean isRelaxed;

        RingPlace(boolean isRelaxed) {
            this.isRelaxed = isRelaxed;
        }

        @Override
        RdmaPtr<?> create(ComputeThread ct) {
            return isRelaxed
                    ? RelaxedBufferedQueue.create(ITEMS, Codecs.LONG, ct)
                    : BufferedQueue.create(ITEMS, Codecs.LONG, ct);
        }

        RingQueue<Long> open(RdmaPtr<?> shared, ComputeThread ct) {
            return isRelaxed
                    ? new RelaxedBufferedQueue<>(new RdmaPtr<>(shared.raw()), Codecs.LONG, ct)
                    : new BufferedQueue<>(new RdmaPtr<>(shared.raw()), Codecs.LONG, ct);
        }
    }

    static Map<String, Place> queues() {
        Map<String, Place> places = new LinkedHashMap<>();
        for (boolean isRelaxed : new boolean[] {false, true}) {
            String name = isRelaxed ? "the relaxed queue" : "the buffered queue";
            places.put("room in " + name, new RingPlace(isRelaxed) {
                @Override
                void block(RdmaPtr<?> shared, ComputeThread ct) {
                    RingQueue<Long> queue = open(shared, ct);
                    pauseWhile(() -> !isOver(), ct);
                    queue.dequeue(ct);
                }

                @Override
                void await(RdmaPtr<?> shared, ComputeThread ct) {
                    RingQueue<Long> queue = open(shared, ct);
                    for (long i = 0; i <= ITEMS; i++) {
                        queue.enqueue(i, ct);
                        operated();
                    }
                }
            });
            places.put("room in " + name + ", for some time", new RingPlace(isRelaxed) {
                @Override
                void await(RdmaPtr<?> shared, ComputeThread ct) {
                    RingQueue<Long> queue = open(shared, ct);
                    for (long i = 0; i <= ITEMS; i++) {
                        queue.tryEnqueue(i, 2 * SECOND, ct);
                        operated();
                    }
                }
            });
            places.put("an item of " + name, new RingPlace(isRelaxed) {
                @Override
                void block(RdmaPtr<?> shared, ComputeThread ct) {
                    RingQueue<Long> queue = open(shared, ct);
                    pauseWhile(() -> !isOver(), ct);
                    queue.enqueue(1L, ct);
                }

                @Override
                void await(RdmaPtr<?> shared, ComputeThread ct) {
                    open(shared, ct).dequeue(ct);
                    operated();
                }
            });
            places.put("an item of " + name + ", for some time", new RingPlace(isRelaxed) {
                @Override
                void await(RdmaPtr<?> shared, ComputeThread ct) {
                    open(shared, ct).tryDequeue(2 * SECOND, ct);
                    operated();
                }
            });
        }
        places.put("an item of nd, in a loop of the program's own", new Place() {
            @Override
            RdmaPtr<?> create(ComputeThread ct) {
                return createPooled("nd", ct);
            }

            @Override
            void await(RdmaPtr<?> shared, ComputeThread ct) {
                RemoteQueue<Long> queue = openPooled("nd", shared, ct);
                pauseWhile(() -> !isOver() && !queue.tryDequeue(ct).isItem(), ct);
            }
        });
        return places;
    }

    private static RdmaPtr<?> createPooled(String kind, ComputeThread ct) {
        return switch (kind) {
            case "nd" -> LockFreeQueue.create(ITEMS, Codecs.LONG, ct);
            case "bd" -> DecentralizedLockQueue.create(ITEMS, Codecs.LONG, ct);
            default -> CentralizedLockQueue.create(ITEMS, Codecs.LONG, ct);
        };
    }

    private static RemoteQueue<Long> openPooled(String kind, RdmaPtr<?> shared, ComputeThread ct) {
        return switch (kind) {
            case "nd" -> new LockFreeQueue<>(new RdmaPtr<>(shared.raw()), Codecs.LONG, ct);
            case "bd" -> new DecentralizedLockQueue<>(new RdmaPtr<>(shared.raw()), Codecs.LONG, ct);
            default -> new CentralizedLockQueue<>(new RdmaPtr<>(shared.raw()), Codecs.LONG, ct);
        };
    }

    @ParameterizedTest
    @MethodSource("names")
    void aWaiterTakesFewRoundTripsWhileNothingHappens(String name) throws Exception {
        assertThat(roundTripsPerSecond(all().get(name), 1)).as(name).isBetween(0L, MAX_TRIPS_PER_SECOND);
    }

    static Iterable<String> names() {
        return all().keySet();
    }

    private static Map<String, Place> all() {
        Map<String, Place> all = framework();
        all.putAll(queues());
        return all;
    }

    @Test
    void theNodesOfAnIdleClusterReadLittleToNoticeALoss() throws Exception {
        int[] requests = new int[1];
        SimulatedCluster cluster = new SimulatedCluster(4, Schedule.random(1));
        cluster.simulator().traced();
        cluster.run(ct -> {
            sleep(SETTLED_NANOS, ct);
            if (ct.id() == OBSERVER) {
                int before = requests(cluster);
                sleep(SECOND, ct);
                requests[0] = requests(cluster) - before;
            } else {
                sleep(2 * SECOND, ct);
            }
        });
        int pairs = 2 * 2;
        assertThat(requests[0] / pairs)
                .as("requests of each Compute Node to each Memory Node")
                .isBetween(1, MAX_WATCHES_PER_SECOND);
    }

    private static int requests(SimulatedCluster cluster) {
        return (int) cluster.simulator()
                .trace()
                .lines()
                .filter(line -> line.contains(" at node "))
                .count();
    }

    // ---------------------------------------------------------------------------------------------- stopped threads

    /** Two threads do the same operations, until one of them stops in the middle of one. */
    private abstract static class Operations extends Place {
        abstract Runnable open(RdmaPtr<?> shared, ComputeThread ct);

        @Override
        void block(RdmaPtr<?> shared, ComputeThread ct) {
            operateUntilOver(open(shared, ct), ct, () -> {});
        }

        @Override
        void await(RdmaPtr<?> shared, ComputeThread ct) {
            operateUntilOver(open(shared, ct), ct, this::operated);
        }

        private void operateUntilOver(Runnable operation, ComputeThread ct, Runnable then) {
            while (!isOver()) {
                operation.run();
                then.run();
                sleep(SETTLED_NANOS / 20, ct);
            }
        }
    }

    private static Operations operations(String kind) {
        return new Operations() {
            @Override
            RdmaPtr<?> create(ComputeThread ct) {
                return switch (kind) {
                    case "lazylist" -> LongLazyListSet.create(ct);
                    case "fastlist" -> LongFastLazyListSet.create(ct);
                    case "cachedlist" -> LongCachedLazyListSet.create(ct);
                    case "tree" -> LongLongTree.create(ct);
                    case "buffered" -> BufferedQueue.create(ITEMS, Codecs.LONG, ct);
                    case "buffered-relaxed" -> RelaxedBufferedQueue.create(ITEMS, Codecs.LONG, ct);
                    default -> createPooled(kind, ct);
                };
            }

            @Override
            Runnable open(RdmaPtr<?> shared, ComputeThread ct) {
                return switch (kind) {
                    case "lazylist" -> changes(new LongLazyListSet(new RdmaPtr<>(shared.raw())), ct);
                    case "fastlist" -> changes(new LongFastLazyListSet(new RdmaPtr<>(shared.raw())), ct);
                    case "cachedlist" -> changes(new LongCachedLazyListSet(new RdmaPtr<>(shared.raw()), 4), ct);
                    case "tree" -> changes(new LongLongTree(new RdmaPtr<>(shared.raw()), -1, ct), ct);
                    case "buffered" -> handOver(new BufferedQueue<>(new RdmaPtr<>(shared.raw()), Codecs.LONG, ct), ct);
                    case "buffered-relaxed" ->
                        handOver(new RelaxedBufferedQueue<>(new RdmaPtr<>(shared.raw()), Codecs.LONG, ct), ct);
                    default -> exchanges(openPooled(kind, shared, ct), ct);
                };
            }
        };
    }

    private static Runnable changes(RemoteLongSet set, ComputeThread ct) {
        return () -> {
            set.insert(5, ct);
            set.remove(5, ct);
        };
    }

    private static Runnable changes(LongLongTree tree, ComputeThread ct) {
        return () -> {
            tree.put(5, 1, ct);
            tree.remove(5, ct);
        };
    }

    private static Runnable exchanges(RemoteQueue<Long> queue, ComputeThread ct) {
        return () -> {
            queue.tryEnqueue(1L, ct);
            queue.tryDequeue(ct);
        };
    }

    /** The blocker is the producer, the waiter the consumer. */
    private static Runnable handOver(RingQueue<Long> queue, ComputeThread ct) {
        return () -> {
            if (ct.id() == BLOCKER) {
                queue.enqueue(1L, ct);
            } else {
                queue.dequeue(ct);
            }
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"lazylist", "fastlist", "cachedlist", "tree", "bd", "bc", "buffered", "buffered-relaxed"})
    void aThreadThatWaitsForAStoppedOneTakesFewRoundTrips(String kind) throws Exception {
        int waits = 0;
        for (int stop = 1; stop <= LATEST_STOP; stop++) {
            Long trips = roundTripsPerSecond(operations(kind), stop, new Strike(Fault.STOPPED_THREADS, BLOCKER, stop));
            waits += trips != null ? 1 : 0;
            assertThat(trips == null ? 0 : trips)
                    .as("%s, stopped at its wait %s", kind, stop)
                    .isLessThanOrEqualTo(MAX_TRIPS_PER_SECOND);
        }
        assertThat(waits).as("runs in which the other thread had to wait").isPositive();
    }
}
