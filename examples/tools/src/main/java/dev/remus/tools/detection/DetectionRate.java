// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.detection;

import dev.remus.simulation.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongFunction;
import org.HdrHistogram.Histogram;

/** How often and how soon a mistake is found, from several starts. */
final class DetectionRate {
    /** The distance of the first seeds of two starts. */
    private static final long STRIDE = 1_000_000_000;

    private final int starts;
    private final long limit;
    private final Histogram numbers;
    private int found;

    private DetectionRate(int starts, long limit) {
        this.starts = starts;
        this.limit = limit;
        this.numbers = new Histogram(5);
    }

    /**
     * Searches for a mistake from several starts.
     *
     * @param first the first seed of the first start
     * @param limit the largest number of schedules of a start
     * @param jobs the number of starts in parallel
     */
    static DetectionRate measure(
            KnownMistake mistake, LongFunction<Schedule> schedules, long first, int starts, long limit, int jobs)
            throws InterruptedException {
        ExecutorService workers = Executors.newFixedThreadPool(jobs, task -> {
            Thread worker = new Thread(task, "remus-detection");
            worker.setDaemon(true);
            return worker;
        });
        try {
            List<Future<Long>> searches = new ArrayList<>();
            for (int i = 0; i < starts; i++) {
                long start = first + i * STRIDE;
                searches.add(workers.submit(() -> numberOfFirst(mistake, schedules, start, limit)));
            }
            DetectionRate rate = new DetectionRate(starts, limit);
            for (Future<Long> search : searches) {
                rate.add(search.get());
            }
            return rate;
        } catch (ExecutionException e) {
            throw new IllegalStateException("the simulator itself failed", e.getCause());
        } finally {
            workers.shutdownNow();
        }
    }

    /** The number of the first schedule that shows the mistake, from 1; larger than the limit if none does. */
    private static long numberOfFirst(KnownMistake mistake, LongFunction<Schedule> schedules, long start, long limit) {
        for (long number = 1; number <= limit && !Thread.currentThread().isInterrupted(); number++) {
            if (mistake.showsIn(schedules.apply(start + number - 1))) {
                return number;
            }
        }
        return limit + 1;
    }

    private void add(long number) {
        numbers.recordValue(number);
        found += number <= limit ? 1 : 0;
    }

    /** Whether all starts found it. */
    boolean isComplete() {
        return found == starts;
    }

    /** Such as "20 of 20, 101, 393": the starts that found it, and the median and 95th percentile of the schedules. */
    @Override
    public String toString() {
        return found + " of " + starts + (found == 0 ? "" : ", " + percentile(50) + ", " + percentile(95));
    }

    private String percentile(double percentage) {
        long number = numbers.getValueAtPercentile(percentage);
        return number > limit ? "-" : String.format(Locale.ROOT, "%,d", number);
    }
}
