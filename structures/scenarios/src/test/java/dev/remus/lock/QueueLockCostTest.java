// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.CostModel;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a queue lock and a cohort lock cost on modelled hardware, when many threads want it at once. */
@Tag("any-jdk")
class QueueLockCostTest {
    private static final int NODES = 10;
    private static final int THREADS_PER_NODE = 10;
    private static final int THREADS = NODES * THREADS_PER_NODE;

    /** In the first, all threads arrive at once, and none can know how long a turn takes. */
    private static final int UNCOUNTED = 2;

    private static final int COUNTED = 4;
    private static final int TURNS = THREADS * COUNTED;
    private static final double MOST_TRIPS = 12;

    /** To draw and claim a ticket, to end it, and to wake the next waiter; and sometimes a look at the line. */
    private static final double MOST_TRIPS_IF_WOKEN = 4.1;

    /** Two round trips of 2 to 3 µs, for the release and the poll that notices it, and what the pauses add. */
    private static final double MOST_NANOS_PER_TURN = 20_000;

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private long roundTrips;

    private long began = Long.MAX_VALUE;
    private long ended;

    private interface Handle {
        void acquire(ComputeThread ct);

        void release(ComputeThread ct);
    }

    @Test
    void aHundredWaitersTakeFewRoundTripsEachAndKeepTheLockBusy() throws Exception {
        measure(QueueLockCostTest::queueLock, false);
        assertThat((double) roundTrips / TURNS)
                .as("round trips to acquire and release")
                .isBetween(3.0, MOST_TRIPS);
        assertThat((double) (ended - began) / TURNS).as("nanoseconds per turn").isLessThan(MOST_NANOS_PER_TURN);
    }

    @Test
    void aHundredWaitersWithWordsOfTheirOwnTakeAboutFourRoundTripsEach() throws Exception {
        measure(QueueLockCostTest::queueLock, true);
        assertThat((double) roundTrips / TURNS)
                .as("round trips to acquire and release")
                .isBetween(3.0, MOST_TRIPS_IF_WOKEN);
        assertThat((double) (ended - began) / TURNS).as("nanoseconds per turn").isLessThan(MOST_NANOS_PER_TURN);
    }

    @Test
    void theThreadsOfANodePassACohortLockOnWithoutARoundTrip() throws Exception {
        measure(QueueLockCostTest::cohortLock, false);
        assertThat((double) roundTrips / TURNS)
                .as("round trips to acquire and release")
                .isBetween(3.0 / RemoteCohortLock.MOST_TURNS, 3.0);
        assertThat((double) (ended - began) / TURNS).as("nanoseconds per turn").isLessThan(MOST_NANOS_PER_TURN);
    }

    /** @param isNear whether each Compute Node is a Memory Node too, and reads words of its own by loads */
    private void measure(Function<ComputeThread, Handle> opener, boolean isNear) throws Exception {
        ClusterConfig config = SimulatedCluster.small(THREADS)
                .memoryNodes(0, isNear ? NODES : 0)
                .computeNodes(1, NODES)
                .threadsPerNode(THREADS_PER_NODE)
                .segmentSizeLog2(16)
                .checkMemory(false)
                .build();
        CostModel costs = CostModel.read("infiniband-fdr");
        Schedule schedule = Schedule.random(1).observedBy(s -> s.costs(costs).maxSteps(Long.MAX_VALUE));
        SimulatedCluster cluster = new SimulatedCluster(config, schedule);
        if (isNear) {
            cluster.withLocalReads();
        }
        cluster.prepared(QueueLockCostTest::create).run(ct -> acquireInTurn(opener.apply(ct), ct));
    }

    /** A queue lock, and in the same layout the one of a cohort lock. */
    private static void create(ComputeThread ct) {
        if (ct.id() == 0) {
            RemoteQueueLock lock = new RemoteQueueLock(ct.threads());
            lock.at(ct.allocateOn(0, RemoteQueueLock.bytes(ct.threads())));
            lock.init(ct);
            ct.root().set(new RdmaPtr<>(lock.pointer()));
        }
    }

    private static Handle queueLock(ComputeThread ct) {
        RemoteQueueLock lock = new RemoteQueueLock(ct.threads());
        lock.at(ct.root().get());
        return handle(lock::acquire, lock::release);
    }

    private static Handle cohortLock(ComputeThread ct) {
        RemoteCohortLock lock = new RemoteCohortLock(ct.threads());
        lock.at(ct.root().get());
        return handle(lock::acquire, lock::release);
    }

    private static Handle handle(Consumer<ComputeThread> acquire, Consumer<ComputeThread> release) {
        return new Handle() {
            @Override
            public void acquire(ComputeThread ct) {
                acquire.accept(ct);
            }

            @Override
            public void release(ComputeThread ct) {
                release.accept(ct);
            }
        };
    }

    private void acquireInTurn(Handle lock, ComputeThread ct) {
        for (int i = 0; i < UNCOUNTED + COUNTED; i++) {
            long start = ct.nanoTime();
            long before = ct.metrics().roundTrips();
            lock.acquire(ct);
            lock.release(ct);
            if (i >= UNCOUNTED) {
                began = Math.min(began, start);
                ended = Math.max(ended, ct.nanoTime());
                roundTrips += ct.metrics().roundTrips() - before;
            }
        }
    }
}
