// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.fabric.Operation;
import dev.remus.node.ComputeThread;
import dev.remus.node.RemoteFuture;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Throughput of asynchronous operations of 8 bytes on one Compute Thread: with several outstanding, of which the oldest
 * is awaited before the next is posted, and with a batch posted and awaited as a whole, singly or gathered ({@link
 * dev.remus.node.AsyncOperations#gather}).
 */
final class AsyncThroughput {
    /** Numbers of outstanding operations; the cluster's {@code --cn-ops-per-thread} must allow the last. */
    private static final int[] OUTSTANDING = {1, 4, 16};

    /** The largest number of outstanding operations. */
    static final int MAX_OUTSTANDING = 16;

    /**
     * Operations in one timed stretch, short enough to be rarely interrupted. The result is the median of all
     * stretches.
     */
    private static final int STRETCH = 256;

    private static final int MAX_STRETCHES = 1 << 15;

    private static final int WARM_UPS = 5;

    private final ComputeThread ct;
    private final long block;
    private final long nanos;
    private final RemoteFuture[] futures = new RemoteFuture[MAX_OUTSTANDING];
    private final long[] stretches = new long[MAX_STRETCHES];
    private final Map<Operation, long[]> rates = new EnumMap<>(Operation.class);

    /** Of batches: posted singly, and gathered. */
    private final Map<Operation, long[]> batchRates = new EnumMap<>(Operation.class);

    /**
     * @param block four words, one for each operation
     * @param millis duration of each measurement
     */
    AsyncThroughput(ComputeThread ct, long block, int millis) {
        this.ct = ct;
        this.block = block;
        this.nanos = TimeUnit.MILLISECONDS.toNanos(millis);
    }

    void measure() {
        for (Operation operation : Operation.values()) {
            warmUp(operation);
        }
        for (Operation operation : Operation.values()) {
            long[] rate = new long[OUTSTANDING.length];
            rates.put(operation, rate);
            for (int i = 0; i < OUTSTANDING.length; i++) {
                rate[i] = rate(operation, OUTSTANDING[i]);
            }
            batchRates.put(operation, new long[] {batchRate(operation, false), batchRate(operation, true)});
        }
    }

    /** Warms up long enough for the compiler, even on an emulated processor. */
    private void warmUp(Operation operation) {
        for (int i = 0; i < WARM_UPS; i++) {
            rate(operation, MAX_OUTSTANDING);
            batchRate(operation, true);
        }
    }

    /** Keeps this many operations outstanding: awaits the oldest, then posts the next. */
    long rate(Operation operation, int outstanding) {
        for (int i = 0; i < outstanding; i++) {
            futures[i] = post(operation, i);
        }
        int n = 0;
        int oldest = 0;
        long start = System.nanoTime();
        long last = start;
        while (last - start < nanos && n < MAX_STRETCHES) {
            for (int i = 0; i < STRETCH; i++) {
                futures[oldest].await();
                futures[oldest] = post(operation, i);
                oldest = oldest + 1 == outstanding ? 0 : oldest + 1;
            }
            long now = System.nanoTime();
            stretches[n++] = now - last;
            last = now;
        }
        for (int i = 0; i < outstanding; i++) {
            futures[i].await();
        }
        return medianRate(STRETCH, n);
    }

    /** Posts {@link #MAX_OUTSTANDING} operations, and awaits all of them, repeatedly. */
    long batchRate(Operation operation, boolean gathered) {
        int n = 0;
        long start = System.nanoTime();
        long last = start;
        while (last - start < nanos && n < MAX_STRETCHES) {
            if (gathered) {
                ct.async().gather();
            }
            for (int i = 0; i < MAX_OUTSTANDING; i++) {
                futures[i] = post(operation, i);
            }
            ct.async().awaitAll();
            for (int i = 0; i < MAX_OUTSTANDING; i++) {
                futures[i].await();
            }
            long now = System.nanoTime();
            stretches[n++] = now - last;
            last = now;
        }
        return medianRate(MAX_OUTSTANDING, n);
    }

    /** Operations per second in the median of {@code n} stretches of so many operations. */
    private long medianRate(int operations, int n) {
        Arrays.sort(stretches, 0, n);
        return operations * TimeUnit.SECONDS.toNanos(1) / Math.max(1, stretches[n / 2]);
    }

    private RemoteFuture post(Operation operation, long i) {
        long word = block + Long.BYTES * (long) operation.ordinal();
        return switch (operation) {
            case READ -> ct.async().read(word);
            case WRITE -> ct.async().write(word, i);
            case COMPARE_AND_SWAP -> ct.async().compareAndSwap(word, Long.MIN_VALUE, 0);
            case FETCH_AND_ADD -> ct.async().fetchAndAdd(word, 1);
        };
    }

    String toText() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "Asynchronous operations of 8 bytes per second of one Compute Thread%n%-18s",
                "outstanding"));
        for (int outstanding : OUTSTANDING) {
            text.append(String.format(Locale.ROOT, " %,12d", outstanding));
        }
        text.append(String.format(Locale.ROOT, "   %,4d singly  %,4d gathered%n", MAX_OUTSTANDING, MAX_OUTSTANDING));
        rates.forEach((operation, measured) -> {
            text.append(String.format(Locale.ROOT, "%-18s", operation));
            for (long rate : measured) {
                text.append(String.format(Locale.ROOT, " %,12d", rate));
            }
            long[] batches = Objects.requireNonNull(batchRates.get(operation), "measured");
            text.append(String.format(Locale.ROOT, "  %,12d   %,12d%n", batches[0], batches[1]));
        });
        return text.toString();
    }

    /**
     * A header, then one line for each measurement, such as {@code asynchronous,READ,4,1234}; the kinds of batches are
     * {@code singly} and {@code gathered}.
     */
    String toCsv() {
        StringBuilder csv = new StringBuilder("kind,operation,outstanding,operations_per_second\n");
        rates.forEach((operation, measured) -> {
            for (int i = 0; i < OUTSTANDING.length; i++) {
                csv.append("asynchronous,")
                        .append(operation)
                        .append(',')
                        .append(OUTSTANDING[i])
                        .append(',')
                        .append(measured[i])
                        .append('\n');
            }
            long[] batches = Objects.requireNonNull(batchRates.get(operation), "measured");
            csv.append(String.format(Locale.ROOT, "singly,%s,%d,%d%n", operation, MAX_OUTSTANDING, batches[0]));
            csv.append(String.format(Locale.ROOT, "gathered,%s,%d,%d%n", operation, MAX_OUTSTANDING, batches[1]));
        });
        return csv.toString();
    }
}
