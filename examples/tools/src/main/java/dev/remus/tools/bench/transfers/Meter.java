// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.transfers;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.CompletionBarrier;
import dev.remus.node.CompletionGrade;
import dev.remus.node.ComputeThread;
import java.util.Arrays;

/**
 * Measures transfers of one Compute Thread to and from one block of remote memory. Each outstanding transfer has its
 * own part of the local memory. A measurement allocates nothing.
 */
final class Meter {
    private static final int MAX_SAMPLES = 20_000;

    /** The shortest sample: one transfer, or as many as take this long, because reading the clock itself takes time. */
    private static final long SHORTEST_SAMPLE_NANOS = 2_000;

    private static final long MAX_TRANSFERS_PER_SAMPLE = 1_000;
    /**
     * Bytes in one timed stretch. The bandwidth is the median of all stretches, which is robust against interruptions.
     */
    private static final int STRETCH_BYTES = 1 << 20;

    private static final int MAX_TRANSFERS_PER_STRETCH = 256;
    private static final int PERCENT = 100;

    private final ComputeThread ct;
    private final long block;
    private final LocalBuffer local;
    private final CompletionBarrier barrier;
    private final Effort effort;
    private final long[] samples = new long[MAX_SAMPLES];

    /** @param local local memory for all outstanding transfers */
    Meter(ComputeThread ct, long block, LocalBuffer local, Effort effort) {
        this.ct = ct;
        this.block = block;
        this.local = local;
        this.effort = effort;
        this.barrier = ct.async().barrier(RdmaPtr.node(block));
    }

    /** Measures one transfer after the other; a WRITE ends when it is placed. */
    Latency latency(Direction direction, int bytes) {
        long transfers = sampleSize(direction, bytes);
        long most = Math.min(MAX_SAMPLES, effort.transfers(bytes, 1));
        long start = ct.nanoTime();
        long last = start;
        int n = 0;
        while (n == 0 || n < most && last - start < effort.nanos()) {
            block(direction, bytes, transfers);
            long now = ct.nanoTime();
            samples[n++] = now - last;
            last = now;
        }
        Arrays.sort(samples, 0, n);
        return new Latency(
                direction,
                bytes,
                (double) samples[n / 2] / transfers,
                (double) samples[(int) ((long) n * (PERCENT - 1) / PERCENT)] / transfers,
                n);
    }

    /** Warms up, and returns the number of transfers in a sample. */
    private long sampleSize(Direction direction, int bytes) {
        long start = ct.nanoTime();
        long most = effort.transfers(bytes, 1);
        long done = 0;
        long lastHalf;
        do {
            long before = ct.nanoTime();
            long part = Math.max(1, done);
            block(direction, bytes, part);
            lastHalf = (ct.nanoTime() - before) / part;
            done += part;
        } while (done < most && ct.nanoTime() - start < effort.nanos() / 2);
        return Math.min(MAX_TRANSFERS_PER_SAMPLE, 1 + SHORTEST_SAMPLE_NANOS / (1 + lastHalf));
    }

    private void block(Direction direction, int bytes, long times) {
        for (long i = 0; i < times; i++) {
            if (direction == Direction.READ) {
                ct.read(block, local, 0, bytes);
            } else {
                ct.write(block, local, 0, bytes);
            }
        }
    }

    /**
     * Measures with each transfer posted when the oldest outstanding one completes. The first stretch does not count.
     */
    Bandwidth bandwidth(Direction direction, int bytes, int outstanding) {
        int stretch = Math.max(2 * outstanding, Math.min(MAX_TRANSFERS_PER_STRETCH, STRETCH_BYTES / bytes));
        long most = Math.min(MAX_SAMPLES, effort.transfers(bytes, outstanding) / stretch);
        transfer(direction, bytes, outstanding, outstanding);
        transfer(direction, bytes, outstanding, stretch);
        long start = ct.nanoTime();
        long last = start;
        int n = 0;
        while (n == 0 || n < most && last - start < effort.nanos()) {
            transfer(direction, bytes, outstanding, stretch);
            long now = ct.nanoTime();
            samples[n++] = now - last;
            last = now;
        }
        barrier.await(barrier.lastPosted(), CompletionGrade.REMOTE);
        Arrays.sort(samples, 0, n);
        return new Bandwidth(direction, bytes, outstanding, stretch * 1e9 / Math.max(1, samples[n / 2]));
    }

    private void transfer(Direction direction, int bytes, int outstanding, int times) {
        for (int i = 0; i < times; i++) {
            long next = barrier.lastPosted() + 1;
            barrier.await(Math.max(0, next - outstanding), CompletionGrade.LOCAL);
            post(direction, next % outstanding * bytes, bytes);
        }
    }

    private long post(Direction direction, long offset, int bytes) {
        return direction == Direction.READ
                ? ct.async().read(block, local, offset, bytes).detach()
                : ct.async().write(block, local, offset, bytes).detach();
    }
}
