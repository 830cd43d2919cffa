package dev.remus.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.CostModel;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import org.junit.jupiter.api.Test;

/** What a queue lock costs on modelled hardware, when many threads want it at once. */
class QueueLockCostTest {
    private static final int NODES = 10;
    private static final int THREADS_PER_NODE = 10;
    private static final int THREADS = NODES * THREADS_PER_NODE;

    /** In the first, all threads arrive at once, and none can know how long a turn takes. */
    private static final int UNCOUNTED = 2;

    private static final int COUNTED = 4;
    private static final double MOST_TRIPS = 12;

    /** Two round trips of 2 to 3 µs, for the release and the poll that notices it, and what the pauses add. */
    private static final double MOST_NANOS_PER_TURN = 20_000;

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private long roundTrips;

    private long began = Long.MAX_VALUE;
    private long ended;

    @Test
    void aHundredWaitersTakeFewRoundTripsEachAndKeepTheLockBusy() throws Exception {
        ClusterConfig config = SimulatedCluster.small(THREADS)
                .memoryNodes(0, 0)
                .computeNodes(1, NODES)
                .threadsPerNode(THREADS_PER_NODE)
                .segmentSizeLog2(16)
                .checkMemory(false)
                .build();
        CostModel costs = CostModel.read("infiniband-fdr");
        Schedule schedule = Schedule.random(1).observedBy(s -> s.costs(costs).maxSteps(Long.MAX_VALUE));
        new SimulatedCluster(config, schedule)
                .prepared(QueueLockCostTest::create)
                .run(this::acquireInTurn);
        int turns = THREADS * COUNTED;
        assertThat((double) roundTrips / turns)
                .as("round trips to acquire and release")
                .isBetween(3.0, MOST_TRIPS);
        assertThat((double) (ended - began) / turns).as("nanoseconds per turn").isLessThan(MOST_NANOS_PER_TURN);
    }

    private static void create(ComputeThread ct) {
        if (ct.id() == 0) {
            RemoteQueueLock lock = new RemoteQueueLock(ct.threads());
            lock.allocate(ct);
            lock.init(ct);
            ct.root().set(new RdmaPtr<>(lock.pointer()));
        }
    }

    private void acquireInTurn(ComputeThread ct) {
        RemoteQueueLock lock = new RemoteQueueLock(ct.threads());
        lock.at(ct.root().get());
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
