// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.overlap;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.remus.config.ClusterConfig;
import dev.remus.config.ThreadKind;
import dev.remus.node.ComputeThread;
import dev.remus.tools.bench.suite.BenchCluster;
import java.lang.management.ManagementFactory;
import org.HdrHistogram.Histogram;

/**
 * Measures points in this process: one Memory Node, and one Compute Node whose virtual threads use one processor.
 *
 * <p>Processor time and allocation are those of the process, from the moment at which all threads begin to that at
 * which all have ended. On a busy machine, only figures by processor time compare.
 *
 * @param fabric the name of the fabric
 * @param keys the size of the range of keys; half of them are in the lists
 * @param millis the duration of a measurement
 */
record Measurer(String fabric, int keys, int millis) {
    private static final int SEGMENT_LOG2 = 24;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final double NANOS = 1e9;

    /** Of so many short operations, the first is timed, so that the clock does not count. */
    private static final int BATCH = 8;

    /** An operation of so many nanoseconds is not short. */
    private static final long LONG = 20_000;

    private static final long LONGEST = 10_000_000_000L;
    private static final int DIGITS = 2;

    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    Figures measure(OverlapPoint point) throws Exception {
        Totals totals = new Totals();
        new BenchCluster(
                        fabric,
                        1,
                        point.threads(),
                        SEGMENT_LOG2,
                        builder -> withLatency(builder, point)
                                .threadKind(point.kind())
                                .cores(point.kind() == ThreadKind.VIRTUAL ? 1 : 0))
                .run(ct -> run(point.work(), totals, ct));
        return totals.figures();
    }

    private static ClusterConfig.Builder withLatency(ClusterConfig.Builder builder, OverlapPoint point) {
        return point.micros() == OverlapPoint.OF_DEVICE
                ? builder
                : builder.emulatedLatency(Long.toString(point.micros()));
    }

    private void run(Work work, Totals totals, ComputeThread ct) {
        if (ct.id() == 0) {
            ct.root().set(work.create(keys, ct));
        }
        ct.barrier();
        Work.Loop loop = work.open(ct.root().get(), keys, ct);
        Histogram latencies = new Histogram(LONGEST, DIGITS);
        loop.once();
        ct.barrier();
        if (ct.id() == 0) {
            totals.begin();
        }
        ct.barrier();
        long start = System.nanoTime();
        long end = start + millis * NANOS_PER_MILLI;
        long done = 0;
        for (long now = start; now - end < 0; now = System.nanoTime()) {
            int completed = loop.once();
            long after = System.nanoTime();
            if (completed == 0) {
                ct.pause(); // the queue is full, or empty
                continue;
            }
            done += completed;
            latencies.recordValue(Math.min(after - now, LONGEST));
            if (after - now < LONG) {
                for (int i = 1; i < BATCH; i++) {
                    done += loop.once();
                }
            }
        }
        totals.add(done, System.nanoTime() - start, latencies);
        ct.barrier();
        if (ct.id() == 0) {
            totals.end();
        }
        ct.barrier();
    }

    /** What all threads have done. */
    private static final class Totals {
        private final Histogram latencies = new Histogram(LONGEST, DIGITS);
        private long operations;
        private long longest;
        private long processor;
        private long allocated;

        void begin() {
            allocated = -allocatedBytes();
            processor = -PROCESS.getProcessCpuTime();
        }

        synchronized void add(long done, long nanos, Histogram of) {
            operations += done;
            longest = Math.max(longest, nanos);
            latencies.add(of);
        }

        void end() {
            processor += PROCESS.getProcessCpuTime();
            allocated += allocatedBytes();
        }

        /** What all threads have allocated, with those that have ended. The method exists since Java 21. */
        private static long allocatedBytes() {
            try {
                return (long) ThreadMXBean.class
                        .getMethod("getTotalThreadAllocatedBytes")
                        .invoke(THREADS);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("this Java does not count what all threads allocate", e);
            }
        }

        synchronized Figures figures() {
            double done = operations;
            return new Figures(
                    done * NANOS / longest,
                    done * NANOS / processor,
                    processor / done,
                    latencies.getValueAtPercentile(50),
                    latencies.getValueAtPercentile(99),
                    allocated / done);
        }
    }
}
