// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service.load;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** What all clients have seen. Any thread may use it. */
final class LoadTally {
    private static final long LONGEST_NANOS = 600_000_000_000L;
    private static final int SHOWN = 10;

    /** The latencies of requests in nanoseconds, from the first attempt to the answer. */
    final Histogram latencies = new ConcurrentHistogram(LONGEST_NANOS, 3);

    /** Answers that a request was not carried out, after which it was sent to another node. */
    final LongAdder refused = new LongAdder();

    /** Connections that were refused, with the same consequence. */
    final LongAdder unconnected = new LongAdder();

    /** Requests that were in flight at a node when it was killed. */
    final LongAdder inFlight = new LongAdder();

    private final long begin = System.nanoTime();
    private final AtomicLong errors = new AtomicLong();
    private final AtomicLong wrong = new AtomicLong();
    private final ConcurrentLinkedQueue<String> problems = new ConcurrentLinkedQueue<>();

    void answered(long nanos) {
        latencies.recordValue(Math.min(nanos, LONGEST_NANOS));
    }

    /** A request failed that was not in flight at a killed node. */
    void error(String what) {
        note(errors.incrementAndGet(), "error: " + what);
    }

    /** An answer was not what the key holds. */
    void wrong(String what) {
        note(wrong.incrementAndGet(), "wrong answer: " + what);
    }

    private void note(long number, String what) {
        if (number <= SHOWN) {
            problems.add(what + ", after " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin) + " s");
        }
    }

    long errors() {
        return errors.get();
    }

    long wrongAnswers() {
        return wrong.get();
    }

    /** The first few errors and wrong answers. */
    List<String> problems() {
        return List.copyOf(problems);
    }
}
