// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.verify;

import dev.remus.verify.RecordedRun;

/** The interval in which each operation of a queue must take effect. */
final class Intervals {
    private final RecordedRun run;
    private final boolean isStretched;
    private final long[] called;
    private final long[] returned;

    private Intervals(RecordedRun run, boolean isStretched) {
        this.run = run;
        this.isStretched = isStretched;
        called = new long[isStretched ? run.size() : 0];
        returned = new long[called.length];
    }

    /** From call to return, for linearizability. */
    static Intervals of(RecordedRun run) {
        return new Intervals(run, false);
    }

    /**
     * For quiescent consistency: to the nearest moments before and after at which no enqueue is in flight, as in {@link
     * dev.remus.check.QuiescentConsistencyChecker}. Moments are places among all calls and returns.
     */
    static Intervals stretched(RecordedRun run) {
        int size = run.size();
        Intervals intervals = new Intervals(run, true);
        // Event i is a call below size, else a return. At one moment calls come first: the operations overlap.
        int[] events = Sorting.sorted(2 * size, (a, b) -> Long.compare(moment(run, a), moment(run, b)));
        int[] waiting = new int[size];
        int waits = 0;
        int enqueues = 0;
        int busySince = 0;
        for (int rank = 0; rank < events.length; rank++) {
            int op = events[rank] % Math.max(1, size);
            boolean isReturn = events[rank] >= size;
            int counts = run.kind(op) == QueueCodes.ENQUEUE ? 1 : 0;
            if (isReturn && run.isPending(op)) {
                intervals.returned[op] = RecordedRun.PENDING;
            } else if (isReturn) {
                enqueues -= counts;
                waiting[waits++] = op;
            } else {
                busySince = enqueues == 0 ? rank : busySince;
                enqueues += counts;
                intervals.called[op] = busySince;
            }
            for (; enqueues == 0 && waits > 0; waits--) {
                intervals.returned[waiting[waits - 1]] = rank;
            }
        }
        for (; waits > 0; waits--) {
            intervals.returned[waiting[waits - 1]] = events.length;
        }
        return intervals;
    }

    private static long moment(RecordedRun run, int event) {
        return event < run.size() ? run.called(event) : run.returned(event - run.size());
    }

    long called(int op) {
        return isStretched ? called[op] : run.called(op);
    }

    long returned(int op) {
        return isStretched ? returned[op] : run.returned(op);
    }
}
