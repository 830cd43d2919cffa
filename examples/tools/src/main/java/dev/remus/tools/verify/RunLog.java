// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.verify;

import dev.remus.node.ComputeThread;
import dev.remus.verify.LogExchange;
import dev.remus.verify.OperationLog;
import dev.remus.verify.RecordedRun;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One thread's part in recording a run. It does nothing if the run is not verified. */
public final class RunLog {
    private final @Nullable OperationLog log;
    private final @Nullable LogExchange exchange;
    private final int capacity;

    private RunLog(@Nullable OperationLog log, @Nullable LogExchange exchange, int capacity) {
        this.log = log;
        this.exchange = exchange;
        this.capacity = capacity;
    }

    /** Records nothing. */
    public static RunLog none() {
        return new RunLog(null, null, Integer.MAX_VALUE);
    }

    /**
     * Begins to record. All threads must call it before the first operation that they record.
     *
     * @param operations the most operations that this thread makes
     * @param isTimed whether the run has a time limit, or their number is not known before; then this thread gets its
     *     share of the memory, and {@link #isFull} ends its run
     */
    public static RunLog begin(LogExchange exchange, long operations, boolean isTimed, ComputeThread ct) {
        exchange.begin(ct);
        long most = isTimed ? VerifyOption.MOST / ct.threads() : VerifyOption.MOST;
        int capacity = (int) Math.min(operations, most);
        return new RunLog(new OperationLog(capacity), exchange, capacity);
    }

    /** Whether it has no room for another operation; never if the run is not verified. */
    public boolean isFull() {
        return log != null && log.isFull();
    }

    /** How many operations it has recorded; 0 if the run is not verified. */
    public int size() {
        return log == null ? 0 : log.size();
    }

    /** For how many more operations it has room. */
    public int room() {
        return capacity - size();
    }

    /** As {@link OperationLog#call(int, long, long)}. */
    public void call(int kind, long value, long nanos) {
        if (log != null) {
            log.call(kind, value, nanos);
        }
    }

    /** As {@link OperationLog#returned(int, long, long)}. */
    public void returned(int outcome, long value, long nanos) {
        if (log != null) {
            log.returned(outcome, value, nanos);
        }
    }

    /** As {@link OperationLog#withdraw}. */
    public void withdraw() {
        if (log != null) {
            log.withdraw();
        }
    }

    /**
     * Collects the operations. All threads must call it after the last operation that they record.
     *
     * @return the run on the thread with id 0, if it is verified; else empty
     */
    public Optional<RecordedRun> collect(ComputeThread ct) {
        return log == null || exchange == null ? Optional.empty() : exchange.collect(log, ct);
    }
}
