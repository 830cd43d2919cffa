// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.fabric.FabricException;
import dev.remus.node.ComputeThread;
import dev.remus.node.SegmentUse;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Frees a block of 64 bytes and allocates it again, which needs no remote operation: the first block of a segment
 * ({@code reference...}) and the last one ({@code thread...}).
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls start() first
public class AllocationBenchmark {
    private static final int BYTES = 64;
    private static final int LARGEST_LOG2 = 30;
    private static final int SMALLEST_LOG2 = 20;

    private OneProcess cluster;
    private long first;
    private long last;

    /** Starts a cluster and allocates its whole segment. */
    @Setup
    public void start() {
        cluster = largest();
        ComputeThread ct = cluster.ct();
        first = ct.allocate(BYTES);
        SegmentUse segment = SegmentUse.of(ct).get(0);
        ct.allocate(segment.bytes() - segment.used() - BYTES);
        last = ct.allocate(BYTES);
    }

    /** A cluster with a segment of 2^30 bytes, or the largest that fits in shared memory. */
    private static OneProcess largest() {
        for (int log2 = LARGEST_LOG2; ; log2--) {
            try {
                return OneProcess.withSegment(log2);
            } catch (FabricException e) {
                if (log2 == SMALLEST_LOG2) {
                    throw e;
                }
            }
        }
    }

    /** Stops the cluster. */
    @TearDown
    public void stop() {
        cluster.close();
    }

    @Benchmark
    public long referenceAllocate() {
        return allocateAgain(first);
    }

    @Benchmark
    public long threadAllocate() {
        return allocateAgain(last);
    }

    private long allocateAgain(long block) {
        cluster.ct().free(block, BYTES);
        return cluster.ct().allocate(BYTES);
    }
}
