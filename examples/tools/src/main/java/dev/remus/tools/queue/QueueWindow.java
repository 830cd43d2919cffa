// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.sim.Simulator;
import dev.remus.node.ComputeThread;
import dev.remus.structures.RemoteQueue;
import dev.remus.tools.harness.SharedRun;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Measures a queue while all threads use it continuously: from a quarter of a given number of round trips until all of
 * them. The run then ends in the middle of operations. The time of a measurement thus hardly depends on the number of
 * threads and the length of operations. That of a whole run grows with the square of the number of threads if each
 * operation passes the work of all threads.
 *
 * <p>It works only in the simulator, where one thread runs at a time: the threads share this object.
 */
final class QueueWindow {
    /** The window starts after this fraction of the round trips. */
    private static final int RAMP = 4;

    /** The most checks, per run, whether there were enough round trips. */
    private static final long CHECKS = 1_000;

    private final QueueWorkload workload;
    private final long roundTrips;
    private final Simulator simulator;
    private final List<ComputeThread> threads = new ArrayList<>();
    private final List<QueueAudit> books = new ArrayList<>();
    private long tripsBefore;
    private long stepsAtLastCheck;
    private boolean isOpen;
    private long start;
    private long nanos;
    private long[] atStart = new long[QueueMetric.values().length];
    private long[] totals = new long[QueueMetric.values().length];

    /** @param roundTrips the round trips of all threads together after which the run ends */
    QueueWindow(QueueWorkload workload, long roundTrips, Simulator simulator) {
        this.workload = workload;
        this.roundTrips = roundTrips;
        this.simulator = simulator;
    }

    /** Runs one thread's part. All threads must call it; it never returns. */
    void run(ComputeThread ct) {
        SharedRun<QueueOperationKind> shared = workload.share(false, ct);
        QueueWorkload agreed = workload.agreed(shared, ct);
        RemoteQueue<Long> queue = agreed.queue().openPhased(shared.structure(ct), ct);
        QueueAudit own = new QueueAudit(queue, false, ct);
        ct.barrier();
        threads.add(ct);
        books.add(own);
        tripsBefore += ct.metrics().roundTrips();
        SplittableRandom random = new SplittableRandom(agreed.seed() + ct.id() * 0x9E3779B97F4A7C15L).split();
        while (true) {
            own.operate(agreed, random);
            if ((simulator.steps() - stepsAtLastCheck) * CHECKS >= roundTrips) {
                stepsAtLastCheck = simulator.steps();
                check(ct);
            }
        }
    }

    private void check(ComputeThread ct) {
        long trips = -tripsBefore;
        for (ComputeThread thread : threads) {
            trips += thread.metrics().roundTrips(); // including those of unfinished operations
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
        for (QueueAudit one : books) {
            long[] counts = one.counts();
            for (int i = 0; i < sums.length; i++) {
                sums[i] += counts[i];
            }
        }
        sums[QueueMetric.ROUND_TRIPS.ordinal()] = trips;
        return sums;
    }

    /** The result, after the run. */
    QueueRunResult result(ClusterConfig config) {
        return QueueRunResult.ofWindow(workload, config, totals, nanos);
    }
}
