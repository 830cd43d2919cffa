package dev.remus.tools.queue;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.sim.Simulator;
import dev.remus.node.ComputeThread;
import dev.remus.structures.RemoteQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A queue measured while all threads use it without end: from when they have done a quarter of the round trips that they may
 * do until they have done all. The run ends there, in the middle of operations. So a point takes about as long as any
 * other, however many threads there are and however long an operation takes; that of a whole run grows with the
 * square of the number of threads where each operation goes past what all of them have done.
 *
 * <p>For the simulator only: the threads, of which one runs at a time, share this object.
 */
final class QueueWindow {
    /** One in so many of the round trips comes before the window. */
    private static final int RAMP = 4;

    /** So often, or a little less often, it is looked whether there have been enough of them. */
    private static final long LOOKS = 1_000;

    private final QueueWorkload workload;
    private final long roundTrips;
    private final Simulator simulator;
    private final List<ComputeThread> threads = new ArrayList<>();
    private final List<QueueBooks> books = new ArrayList<>();
    private long tripsBefore;
    private long stepsAtLastLook;
    private boolean isOpen;
    private long start;
    private long nanos;
    private long[] atStart = new long[QueueMetric.values().length];
    private long[] totals = new long[QueueMetric.values().length];

    /** @param roundTrips of all threads together, after which the run ends */
    QueueWindow(QueueWorkload workload, long roundTrips, Simulator simulator) {
        this.workload = workload;
        this.roundTrips = roundTrips;
        this.simulator = simulator;
    }

    /** One thread's part. All have to call it; it returns in none of them. */
    void run(ComputeThread ct) {
        SharedQueueExperiment shared = new SharedQueueExperiment();
        if (ct.id() == 0) {
            shared.publish(workload.queue().create(workload.capacity(), ct), workload, ct);
        }
        ct.barrier();
        QueueWorkload agreed = shared.find(workload, ct);
        RemoteQueue<Long> queue = agreed.queue().open(shared.queue(ct), ct);
        QueueBooks own = new QueueBooks(queue, false, ct);
        ct.barrier();
        threads.add(ct);
        books.add(own);
        tripsBefore += ct.metrics().roundTrips();
        SplittableRandom random = new SplittableRandom(agreed.seed() + ct.id() * 0x9E3779B97F4A7C15L).split();
        while (true) {
            own.operate(agreed, random);
            if ((simulator.steps() - stepsAtLastLook) * LOOKS >= roundTrips) {
                stepsAtLastLook = simulator.steps();
                look(ct);
            }
        }
    }

    private void look(ComputeThread ct) {
        long trips = -tripsBefore;
        for (ComputeThread thread : threads) {
            trips += thread.metrics().roundTrips(); // also of operations that have not ended
        }
        if (!isOpen && trips >= roundTrips / RAMP) {
            isOpen = true;
            simulator.startCounting();
            start = ct.nanoTime();
            atStart = totals(trips);
        } else if (isOpen && trips >= roundTrips) {
            nanos = ct.nanoTime() - start;
            totals = totals(trips);
            for (int i = 0; i < totals.length; i++) {
                totals[i] -= atStart[i];
            }
            simulator.finish();
        }
    }

    private long[] totals(long trips) {
        long[] sums = new long[QueueMetric.values().length];
        for (QueueBooks one : books) {
            long[] counts = one.counts();
            for (int i = 0; i < sums.length; i++) {
                sums[i] += counts[i];
            }
        }
        sums[QueueMetric.ROUND_TRIPS.ordinal()] = trips;
        return sums;
    }

    /** What was measured, after the run. */
    QueueTestResult result(ClusterConfig config) {
        return QueueTestResult.ofWindow(workload, config, totals, nanos);
    }
}
