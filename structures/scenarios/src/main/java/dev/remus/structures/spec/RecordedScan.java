// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.Recorder;
import dev.remus.structures.LongLongMap.LongLongConsumer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * A scan of an ordered map, recorded as look-ups of all keys that it may meet, which are in flight together. That is
 * what a scan promises: it is no single step, but each key is there or missing as at some moment of it. So the checker
 * needs no specification of scans, and may judge each key by itself. A look-up whose key the scan did not reach,
 * because of its limit, stays pending.
 *
 * <p>The order of the entries, and their number, are checked here.
 */
final class RecordedScan {
    private final List<Long> keys;
    private final long limit;
    private final List<Integer> calls = new ArrayList<>();
    private int reached;
    private long passed;

    private RecordedScan(List<Long> keys, long limit) {
        this.keys = keys;
        this.limit = limit;
    }

    /**
     * Executes and records a scan.
     *
     * @param keys those that it may meet, in the order of the scan
     * @param limit the most entries that it may pass on
     * @param scan executes it, and returns how many entries it has passed on
     */
    static void record(
            int thread,
            List<Long> keys,
            long limit,
            ToLongFunction<LongLongConsumer> scan,
            Recorder<MapOperation<Long, Long>, Optional<Long>> recorder) {
        RecordedScan recorded = new RecordedScan(keys, limit);
        for (long key : keys) {
            recorded.calls.add(recorder.call(thread, MapOperation.get(key)));
        }
        List<Optional<Long>> results = new ArrayList<>();
        long count = scan.applyAsLong((key, value) -> recorded.accept(key, value, results));
        if (count != recorded.passed || count > limit) {
            throw new AssertionError("a scan with limit " + limit + " has returned " + count + ", and passed "
                    + recorded.passed + " entries on");
        }
        while (count < limit && results.size() < keys.size()) {
            results.add(Optional.empty()); // it went on to the end
        }
        for (int i = 0; i < results.size(); i++) {
            recorder.returned(recorded.calls.get(i), results.get(i));
        }
    }

    private void accept(long key, long value, List<Optional<Long>> results) {
        while (reached < keys.size() && keys.get(reached) != key) {
            results.add(Optional.empty());
            reached++;
        }
        if (reached == keys.size()) {
            throw new AssertionError("a scan of " + keys + " with limit " + limit + " passes key " + key
                    + " on, which is no key of it or comes too late");
        }
        results.add(Optional.of(value));
        reached++;
        passed++;
    }
}
