// SPDX-License-Identifier: Apache-2.0
package dev.remus.verify;

import dev.remus.check.History;
import dev.remus.check.Invocation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The operations that all threads of a run recorded. Operations are numbered from 0, thread by thread, each thread's in
 * the order of their calls. Moments are those of one clock: the intervals of threads with other clocks are widened by
 * what is not known about these, so that an operation precedes another only if it certainly did.
 */
public final class RecordedRun {
    /** The moment of return of an operation that did not return. */
    public static final long PENDING = Invocation.PENDING;

    private final int[] threads;
    private final byte[] kinds;
    private final byte[] outcomes;
    private final long[] values;
    private final long[] called;
    private final long[] returned;
    private final long withdrawn;
    private final long clockError;

    private RecordedRun(List<Part> parts) {
        int size = parts.stream().mapToInt(Part::size).sum();
        threads = new int[size];
        kinds = new byte[size];
        outcomes = new byte[size];
        values = new long[size];
        called = new long[size];
        returned = new long[size];
        withdrawn = parts.stream().mapToLong(Part::withdrawn).sum();
        clockError =
                parts.stream().mapToLong(part -> part.clock().error()).max().orElse(0);
        int i = 0;
        for (Part part : parts) {
            for (int word = 0; word < part.words().length; word += OperationLog.WORDS) {
                threads[i] = part.thread();
                read(part, word, i++);
            }
        }
    }

    /** One thread's log, and its clock as seen from that of the run. */
    record Part(int thread, long[] words, long withdrawn, ClockBounds clock) {
        int size() {
            return words.length / OperationLog.WORDS;
        }
    }

    /** The run of threads with clocks that may differ. */
    static RecordedRun ofParts(List<Part> parts) {
        return new RecordedRun(parts);
    }

    /** The run of the threads of one machine; the log at place i of the list is that of thread i. */
    public static RecordedRun of(List<OperationLog> logs) {
        List<Part> parts = new ArrayList<>();
        for (int thread = 0; thread < logs.size(); thread++) {
            OperationLog log = logs.get(thread);
            long[] words = new long[log.words()];
            for (int i = 0; i < words.length; i++) {
                words[i] = log.word(i);
            }
            parts.add(new Part(thread, words, log.withdrawn(), ClockBounds.SAME));
        }
        return new RecordedRun(parts);
    }

    private void read(Part part, int word, int i) {
        long code = part.words()[word + 2];
        long took = code >>> 2 * OperationLog.CODE_BITS;
        long from = part.words()[word + 1];
        kinds[i] = (byte) code;
        outcomes[i] = (byte) (code >>> OperationLog.CODE_BITS);
        values[i] = part.words()[word];
        called[i] = part.clock().earliest(from);
        returned[i] = took == OperationLog.NO_RETURN ? PENDING : part.clock().latest(from + took);
    }

    /** Some of the operations as a run of its own, in which they are numbered anew. */
    public RecordedRun only(IntPredicate kept) {
        return new RecordedRun(this, IntStream.range(0, size()).filter(kept).toArray());
    }

    private RecordedRun(RecordedRun of, int[] kept) {
        threads = new int[kept.length];
        kinds = new byte[kept.length];
        outcomes = new byte[kept.length];
        values = new long[kept.length];
        called = new long[kept.length];
        returned = new long[kept.length];
        withdrawn = of.withdrawn;
        clockError = of.clockError;
        for (int i = 0; i < kept.length; i++) {
            threads[i] = of.threads[kept[i]];
            kinds[i] = of.kinds[kept[i]];
            outcomes[i] = of.outcomes[kept[i]];
            values[i] = of.values[kept[i]];
            called[i] = of.called[kept[i]];
            returned[i] = of.returned[kept[i]];
        }
    }

    /** The number of operations. */
    public int size() {
        return threads.length;
    }

    /** The number of operations that were withdrawn from the logs, because their results promise nothing. */
    public long withdrawn() {
        return withdrawn;
    }

    /** The most, in nanoseconds, by which another machine's clock was misjudged; 0 for the threads of one machine. */
    public long clockErrorNanos() {
        return clockError;
    }

    /** The thread that called an operation. */
    public int thread(int i) {
        return threads[i];
    }

    /** The code of what was called. */
    public int kind(int i) {
        return kinds[i] & OperationLog.MAX_CODE;
    }

    /** The code of the result; meaningless if the operation is pending. */
    public int outcome(int i) {
        return outcomes[i] & OperationLog.MAX_CODE;
    }

    /** The argument or result. */
    public long value(int i) {
        return values[i];
    }

    /** The earliest moment at which the operation can have been called. */
    public long called(int i) {
        return called[i];
    }

    /** The latest moment at which it can have returned; {@link #PENDING} if it did not. */
    public long returned(int i) {
        return returned[i];
    }

    /** Whether the operation did not return. */
    public boolean isPending(int i) {
        return returned[i] == PENDING;
    }

    /**
     * Explains the codes of a log.
     *
     * @param <O> operations
     * @param <R> results
     */
    public interface Codes<O, R> {
        /** The operation of a kind. */
        O operation(int kind, long value);

        /** The result of an operation; not called for pending ones, whose result is of no meaning. */
        R result(int kind, int outcome, long value);

        /** A result for pending operations, which nothing reads. */
        R pending();
    }

    /** Some of the operations as a history for any {@link dev.remus.check.Checker}; their numbers are their ids. */
    public <O, R> History<O, R> history(Codes<O, R> codes, IntPredicate kept) {
        List<Invocation<O, R>> invocations = new ArrayList<>();
        for (int i = 0; i < size(); i++) {
            if (kept.test(i)) {
                invocations.add(invocation(codes, i));
            }
        }
        return History.of(invocations);
    }

    private <O, R> Invocation<O, R> invocation(Codes<O, R> codes, int i) {
        R result = isPending(i) ? codes.pending() : codes.result(kind(i), outcome(i), value(i));
        return new Invocation<>(i, thread(i), codes.operation(kind(i), value(i)), result, called[i], returned[i]);
    }
}
