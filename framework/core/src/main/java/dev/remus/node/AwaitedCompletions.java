// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.CompletionStatus;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The completions that one thread waits for; any thread may poll them. They are one word, so that a late completion of
 * an abandoned wait does not change the next wait:
 *
 * <pre>
 *   63            32 31          24 23           0
 *  +----------------+--------------+--------------+
 *  | epoch: number  | how the last | how many are |
 *  | of the wait    | that failed  | missing      |
 *  |                | ended        |              |
 *  +----------------+--------------+--------------+
 * </pre>
 *
 * <p>The result of a request is the ordinal of its status. SUCCESS has ordinal 0.
 */
final class AwaitedCompletions implements SharedLane.Waiter {
    private static final CompletionStatus[] STATUSES = CompletionStatus.values();
    private static final int EPOCH_SHIFT = 32;
    private static final long EPOCH = -1L << EPOCH_SHIFT;
    private static final int STATUS_SHIFT = 24;
    private static final long STATUS = 0xFFL << STATUS_SHIFT;
    private static final long MISSING = (1L << STATUS_SHIFT) - 1;

    private final AtomicLong word = new AtomicLong();

    private volatile @Nullable SharedLane failedLane;

    /** Begins a wait for so many completions, of requests that carry its {@link #epoch}. */
    void begin(int completions) {
        word.set((word.get() >>> EPOCH_SHIFT) + 1 << EPOCH_SHIFT | completions);
    }

    int epoch() {
        return (int) (word.get() >>> EPOCH_SHIFT);
    }

    @Override
    public boolean isOver() {
        return (word.get() & MISSING) == 0;
    }

    /** Abandons the wait for the missing completions. */
    void giveUp() {
        word.set(word.get() & EPOCH);
    }

    /** The result of the last request that failed; SUCCESS if none has. */
    CompletionStatus failure() {
        return STATUSES[(int) ((word.get() & STATUS) >>> STATUS_SHIFT)];
    }

    /** The lane on which it failed, if one has. */
    SharedLane failedLane() {
        SharedLane lane = failedLane;
        assert lane != null : "nothing has failed"; // it is set before the status
        return lane;
    }

    @Override
    public void completed(SharedLane lane, int epoch, CompletionStatus status) {
        long now = word.get();
        while ((int) (now >>> EPOCH_SHIFT) == epoch && (now & MISSING) != 0) {
            long next = now - 1;
            if (status != CompletionStatus.SUCCESS) {
                failedLane = lane;
                next = next & ~STATUS | (long) status.ordinal() << STATUS_SHIFT;
            }
            if (word.compareAndSet(now, next)) {
                return;
            }
            now = word.get();
        }
    }
}
