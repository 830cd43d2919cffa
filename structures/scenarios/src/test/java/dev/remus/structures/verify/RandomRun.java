// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.verify;

import dev.remus.verify.OperationLog;
import dev.remus.verify.RecordedRun;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Small runs of random threads on an object that is right, of which some results are then changed. Moments are few, so
 * that many coincide.
 */
final class RandomRun {
    private static final int CAPACITY = 8;

    private final SplittableRandom random;
    private final int threads;
    private final double wrong;
    private final double pending;

    /**
     * @param wrong the probability that a result is changed
     * @param pending the probability that an operation does not return
     */
    RandomRun(long seed, double wrong, double pending) {
        random = new SplittableRandom(seed);
        threads = random.nextInt(2, 5);
        this.wrong = wrong;
        this.pending = pending;
    }

    /** An operation in the order in which it takes effect. */
    private record Interval(int thread, long called, long returned) {}

    /** Intervals of which each contains the moment at which its operation takes effect, in that order. */
    private List<Interval> intervals() {
        long[] free = new long[threads];
        int[] used = new int[threads];
        List<Interval> intervals = new ArrayList<>();
        int operations = random.nextInt(2, 11);
        for (long moment = 1; intervals.size() < operations; moment += random.nextInt(4)) {
            int thread = random.nextInt(threads);
            if (used[thread]++ == CAPACITY || free[thread] > moment) {
                moment++;
                continue;
            }
            long called = Math.max(free[thread], moment - random.nextInt(12));
            long returned = Math.max(called + 1, moment + random.nextInt(12));
            free[thread] = returned;
            intervals.add(new Interval(thread, called, returned));
        }
        return intervals;
    }

    private List<OperationLog> logs() {
        List<OperationLog> logs = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            logs.add(new OperationLog(CAPACITY * 8));
        }
        return logs;
    }

    /** A run of a set of the keys 0 and 1; the key 1 is there at first. */
    RecordedRun ofSet() {
        Set<Long> set = new HashSet<>(Set.of(1L));
        List<OperationLog> logs = logs();
        for (Interval interval : intervals()) {
            long key = random.nextInt(4) == 0 ? 0 : 1;
            int kind = random.nextInt(3);
            boolean answer = kind == SetCodes.CONTAINS
                    ? set.contains(key)
                    : kind == SetCodes.INSERT ? set.add(key) : set.remove(key);
            OperationLog log = logs.get(interval.thread());
            log.call(kind, key, interval.called());
            if (random.nextDouble() >= pending) {
                log.returned(SetCodes.outcome(answer ^ random.nextDouble() < wrong), key, interval.returned());
            }
        }
        return RecordedRun.of(logs);
    }

    /** The number of threads. */
    int threads() {
        return threads;
    }

    /** A run of a map with the keys 0 and 1; the key 1 is there at first. */
    RecordedRun ofMap() {
        int[] map = {MapCodes.MISSING, MapCodes.AT_FIRST};
        List<List<Integer>> values = List.of(
                new ArrayList<>(List.of(MapCodes.MISSING)),
                new ArrayList<>(List.of(MapCodes.MISSING, MapCodes.AT_FIRST)));
        List<OperationLog> logs = logs();
        for (Interval interval : intervals()) {
            OperationLog log = logs.get(interval.thread());
            int key = random.nextInt(4) == 0 ? 0 : 1;
            int kind = random.nextInt(6);
            boolean isConditional = kind == MapCodes.REPLACE || kind == MapCodes.REMOVE_VALUE;
            int written = MapCodes.written(interval.thread(), log.size(), threads);
            int seen = isConditional && random.nextInt(3) == 0 ? any(values.get(key)) : map[key];
            boolean changes =
                    seen == map[key] && seen != MapCodes.MISSING && kind != MapCodes.GET || kind == MapCodes.PUT;
            changes = kind == MapCodes.PUT_IF_ABSENT ? seen == MapCodes.MISSING : changes;
            log.call(kind, MapCodes.value(key, isConditional ? seen : MapCodes.MISSING), interval.called());
            boolean isPending = random.nextDouble() < pending;
            if (changes && !(isPending && random.nextBoolean())) {
                boolean isRemove = kind == MapCodes.REMOVE || kind == MapCodes.REMOVE_VALUE;
                map[key] = isRemove ? MapCodes.MISSING : written;
                values.get(key).add(map[key]);
            }
            if (!isPending) {
                boolean isWrong = random.nextDouble() < wrong;
                if (isWrong && isConditional) {
                    changes = seen != MapCodes.MISSING && !changes;
                } else if (isWrong) {
                    seen = any(values.get(key));
                    changes = kind == MapCodes.REMOVE ? seen != MapCodes.MISSING : changes;
                    changes = kind == MapCodes.PUT_IF_ABSENT ? seen == MapCodes.MISSING : changes;
                }
                log.returned(MapCodes.outcome(changes), MapCodes.value(key, seen), interval.returned());
            }
        }
        return RecordedRun.of(logs);
    }

    private int any(List<Integer> values) {
        return values.get(random.nextInt(values.size()));
    }

    /** A run of a queue that is empty at first; each item is different. */
    RecordedRun ofQueue() {
        Deque<Long> queue = new ArrayDeque<>();
        List<OperationLog> logs = logs();
        long items = 0;
        for (Interval interval : intervals()) {
            OperationLog log = logs.get(interval.thread());
            boolean isPending = random.nextDouble() < pending;
            boolean takesEffect = !isPending || random.nextBoolean();
            if (random.nextInt(5) < 2) {
                log.call(QueueCodes.ENQUEUE, ++items, interval.called());
                if (takesEffect) {
                    queue.add(items);
                }
                if (!isPending) {
                    log.returned(QueueCodes.ENQUEUED, items, interval.returned());
                }
            } else {
                log.call(QueueCodes.DEQUEUE, 0, interval.called());
                long item = takesEffect && !queue.isEmpty() ? take(queue) : 0;
                if (!isPending && random.nextDouble() < wrong) {
                    item = random.nextLong(items + 2);
                }
                if (!isPending) {
                    log.returned(item == 0 ? QueueCodes.EMPTY : QueueCodes.ITEM, item, interval.returned());
                }
            }
        }
        return RecordedRun.of(logs);
    }

    /** Usually the first item; sometimes another, which is wrong. */
    private long take(Deque<Long> queue) {
        if (random.nextDouble() < wrong) {
            return queue.removeLast();
        }
        return queue.removeFirst();
    }
}
