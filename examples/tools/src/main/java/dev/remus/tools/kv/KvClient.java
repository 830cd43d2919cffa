// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import dev.remus.tools.harness.Ledger;
import dev.remus.tools.latency.Latencies;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * One thread's operations on a map, and its books: how many keys it has added and removed, and what the values that it
 * wrote add up to, less those that it replaced or removed. Every operation that changes a value returns the one before.
 * So if each takes effect once, and at one moment, the books of all threads together equal what is in the map at the
 * end.
 */
final class KvClient {
    private final KvStore store;
    private final KvWorkload workload;
    private final SplittableRandom random;
    private final KeyChooser keys;
    private final LongSupplier clock;
    private final long[] counts = new long[KvMetric.values().length];
    private final Ledger ledger;
    private Latencies<KvOperationKind> latencies = new Latencies<>(KvOperationKind.class);

    /**
     * @param thread the number of this thread, from 0
     * @param threads the number of threads
     * @param clock in nanoseconds
     */
    KvClient(KvStore store, KvWorkload workload, int thread, int threads, LongSupplier clock) {
        this(store, workload, thread, threads, clock, Ledger.NONE);
    }

    /** @param ledger gets the keys that were loaded, added and removed, by the ordinals of {@link KvMetric} */
    KvClient(KvStore store, KvWorkload workload, int thread, int threads, LongSupplier clock, Ledger ledger) {
        this.ledger = ledger;
        this.store = store;
        this.workload = workload;
        this.random = workload.random(thread);
        this.keys = new KeyChooser(workload.choice(), workload.records(), thread, threads, random.split());
        this.clock = clock;
    }

    /** Adds the keys of a range. */
    void load(long from, long to, LongConsumer done) {
        for (long key = from; key < to; key++) {
            put(key, KvMetric.LOADED);
            done.accept(key - from + 1);
        }
    }

    /**
     * Adds all keys below a number to an empty map in one step, if it can do that; returns whether it did. A thread
     * that is lost meanwhile leaves books that do not show whether it did.
     *
     * @param done gets the number of keys so far
     */
    boolean loadAtOnce(int records, LongConsumer done) {
        long[] keys = new long[records];
        Arrays.setAll(keys, i -> i);
        long[] sumAndKeys = {0, 0};
        boolean isLoaded = store.load(keys, key -> {
            long value = value(key);
            sumAndKeys[0] += value;
            done.accept(++sumAndKeys[1]);
            return value;
        });
        if (isLoaded) {
            count(KvMetric.SUM, sumAndKeys[0]);
            count(KvMetric.LOADED, records);
        }
        return isLoaded;
    }

    /** Forgets what was measured so far, but not the books. */
    void forget() {
        for (int i = 0; i < KvMetric.LOADED.ordinal(); i++) {
            counts[i] = 0;
        }
        latencies = new Latencies<>(KvOperationKind.class);
    }

    /** Begins to keep latencies over time; all threads do that at the same moment. */
    void begin() {
        latencies.begin(clock.getAsLong());
    }

    /** How many keys it has inserted. */
    long inserted() {
        return keys.inserted();
    }

    /** Executes an operation, whose latency counts from now. */
    void operate() {
        operate(workload.latency() ? clock.getAsLong() : 0);
    }

    /** Executes an operation, whose latency counts from a given time. */
    void operate(long begin) {
        KvOperationKind kind = workload.mix().draw(random);
        boolean isHit = apply(kind);
        if (workload.latency()) {
            long end = clock.getAsLong();
            latencies.record(kind, end - begin, end);
        }
        count(kind.metric(isHit), 1);
        count(KvMetric.OP_COUNT, 1);
    }

    private boolean apply(KvOperationKind kind) {
        return switch (kind) {
            case READ -> store.get(keys.next()) != KvStore.MISSING;
            case UPDATE -> !put(keys.next(), KvMetric.ADDED);
            case INSERT -> put(keys.insert(), KvMetric.ADDED);
            case RMW -> readModifyWrite(keys.next());
            case REMOVE -> remove(keys.next());
            case SCAN -> scan(keys.next());
        };
    }

    /** Whether the store may have no room for another operation. */
    boolean isFull() {
        int steps = workload.mix().rmw() > 0 ? 2 : 1; // to read and to replace
        return store.room() < steps;
    }

    /** A value for the next operation on a key, which is not {@link KvStore#MISSING}. */
    private long value(long key) {
        return store.choose(key, random.nextLong() | 1);
    }

    /** Sets the value of a key; returns whether it was added, which the given metric counts. */
    private boolean put(long key, KvMetric added) {
        long value = value(key);
        long old = store.put(key, value);
        count(KvMetric.SUM, value - old);
        if (old == KvStore.MISSING) {
            countKey(added);
        }
        return old == KvStore.MISSING;
    }

    private boolean readModifyWrite(long key) {
        while (true) {
            long old = store.get(key);
            if (old == KvStore.MISSING) {
                return false;
            }
            long value = value(key);
            if (store.replace(key, old, value)) {
                count(KvMetric.SUM, value - old);
                return true;
            }
            if (isFull()) {
                return false;
            }
            count(KvMetric.RMW_AGAIN, 1);
        }
    }

    private boolean remove(long key) {
        long old = store.remove(key);
        if (old != KvStore.MISSING) {
            count(KvMetric.SUM, -old);
            countKey(KvMetric.REMOVED);
        }
        return old != KvStore.MISSING;
    }

    private boolean scan(long from) {
        int found = store.scan(from, 1 + random.nextInt(workload.scanLength()));
        count(KvMetric.SCANNED, found);
        return found > 0;
    }

    private void countKey(KvMetric metric) {
        count(metric, 1);
        ledger.record(metric.ordinal(), counts[metric.ordinal()]);
    }

    void count(KvMetric metric, long amount) {
        counts[metric.ordinal()] += amount;
    }

    /** All counts, by the ordinals of {@link KvMetric}. */
    long[] counts() {
        return counts.clone();
    }

    /** The latencies of the operations, in nanoseconds. */
    Latencies<KvOperationKind> latencies() {
        return latencies;
    }
}
