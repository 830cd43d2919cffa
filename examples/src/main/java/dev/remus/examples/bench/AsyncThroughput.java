package dev.remus.examples.bench;

import dev.remus.fabric.Operation;
import dev.remus.node.ComputeThread;
import dev.remus.node.RemoteFuture;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** How many asynchronous operations of 8 bytes one Compute Thread does in a second, with several outstanding. */
final class AsyncThroughput {
    /** How many are outstanding; the cluster's {@code --cn-ops-per-thread} has to allow the last. */
    private static final int[] OUTSTANDING = {1, 4, 16};

    /** The most that are outstanding. */
    static final int MOST = 16;

    private static final int LOOK_AT_CLOCK = 64;
    private static final int ROUNDS = 3;

    private final ComputeThread ct;
    private final long block;
    private final long nanos;
    private final RemoteFuture[] futures = new RemoteFuture[MOST];
    private final Map<Operation, long[]> rates = new EnumMap<>(Operation.class);

    /**
     * @param block four words, one for each operation
     * @param millis of each measurement
     */
    AsyncThroughput(ComputeThread ct, long block, int millis) {
        this.ct = ct;
        this.block = block;
        this.nanos = TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Measures everything by turns; the best of each counts, since what disturbs only ever slows down. */
    void measure() {
        for (Operation operation : Operation.values()) {
            rates.put(operation, new long[OUTSTANDING.length]);
            rate(operation, MOST); // to warm up
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < OUTSTANDING.length; i++) {
                for (Operation operation : Operation.values()) {
                    long[] best = rates.get(operation);
                    best[i] = Math.max(best[i], rate(operation, OUTSTANDING[i]));
                }
            }
        }
    }

    /** Keeps so many outstanding: awaits the oldest, and posts the next. */
    private long rate(Operation operation, int outstanding) {
        for (int i = 0; i < outstanding; i++) {
            futures[i] = post(operation, i);
        }
        long done = 0;
        long start = System.nanoTime();
        long end = start;
        while (end - start < nanos) {
            for (int i = 0; i < LOOK_AT_CLOCK; i++) {
                int oldest = (int) (done % outstanding);
                futures[oldest].await();
                futures[oldest] = post(operation, done);
                done++;
            }
            end = System.nanoTime();
        }
        for (int i = 0; i < outstanding; i++) {
            futures[i].await();
        }
        return done * TimeUnit.SECONDS.toNanos(1) / (end - start);
    }

    private RemoteFuture post(Operation operation, long i) {
        long word = block + Long.BYTES * (long) operation.ordinal();
        return switch (operation) {
            case READ -> ct.readAsync(word);
            case WRITE -> ct.writeAsync(word, i);
            case COMPARE_AND_SWAP -> ct.compareAndSwapAsync(word, Long.MIN_VALUE, 0);
            case FETCH_AND_ADD -> ct.fetchAndAddAsync(word, 1);
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
        text.append('\n');
        rates.forEach((operation, best) -> {
            text.append(String.format(Locale.ROOT, "%-18s", operation));
            for (long rate : best) {
                text.append(String.format(Locale.ROOT, " %,12d", rate));
            }
            text.append('\n');
        });
        return text.toString();
    }

    /** A line for each operation and number, without a header: {@code asynchronous,READ,4,1234}. */
    String toCsv() {
        StringBuilder csv = new StringBuilder();
        rates.forEach((operation, best) -> {
            for (int i = 0; i < OUTSTANDING.length; i++) {
                csv.append("asynchronous,")
                        .append(operation)
                        .append(',')
                        .append(OUTSTANDING[i])
                        .append(',')
                        .append(best[i])
                        .append('\n');
            }
        });
        return csv.toString();
    }
}
