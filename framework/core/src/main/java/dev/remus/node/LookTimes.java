// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.Environment;
import java.time.Duration;

/**
 * When a thread looks at the {@link EpochTable}: after a number of quiescent states, or after some time if it waits.
 *
 * <p>A thread that works passes a quiescent state after each operation, and looks in one of 64. That also serves the
 * others, which wait for its announcement.
 *
 * <p>A thread that waits passes hardly any quiescent states if it waits inside operations, and very many if it polls
 * between them. Inside an operation a look is in vain: the thread cannot announce what it sees. Between operations, it
 * looks for the others only. So a quiescent state that follows a pause does not count, unless the thread itself has
 * retired enough to want the epoch moved on. Such a state is due by the clock. The time is short while the epoch moves,
 * because then others reclaim memory. It doubles with each look that finds the epoch where it was.
 */
final class LookTimes {
    private static final int MIN_STATES = 64;
    private static final int THREADS_PER_STATE = 8;
    private static final long MAX_GARBAGE = 64 << 10;
    private static final int GARBAGE_SHIFT = 8;

    /** How long a thread that waits may delay an epoch, as long as they move, in nanoseconds. */
    static final long SHORTEST_NANOS = 10_000_000;

    /**
     * The looks of such a thread at least while an allocation waits. A thread that collects garbage needs four epochs.
     */
    private static final int LOOKS_OF_AN_ALLOCATION = 32;

    private final Environment environment;
    private final RetiredBlocks retired;

    /** The number of quiescent states from one look to the next. */
    private final int interval;

    /** The retired bytes from which on the thread moves the epoch on. */
    private final long enough;

    private final long longest;

    /** How many quiescent states are left of this interval, and how many of those that count. */
    private int statesLeft;

    private int workLeft;
    private boolean hasPaused;

    /** When the table was read last, and how long a waiting thread leaves it alone from then on. */
    private long lookedAt;

    private long patience;

    /**
     * The times of one thread.
     *
     * @param threads the number of threads in the cluster
     * @param memoryBytes the bytes of all segments
     * @param wait how long an allocation may wait
     * @param retired what the thread has retired
     */
    LookTimes(Environment environment, int threads, long memoryBytes, Duration wait, RetiredBlocks retired) {
        this.environment = environment;
        this.retired = retired;
        this.interval = Math.max(MIN_STATES, threads / THREADS_PER_STATE);
        this.enough = Math.min(MAX_GARBAGE, (memoryBytes >> GARBAGE_SHIFT) / threads);
        this.longest = Math.max(SHORTEST_NANOS, wait.toNanos() / LOOKS_OF_AN_ALLOCATION);
    }

    /** To be called in each quiescent state: whether this is one in which the thread looks. */
    boolean isDue() {
        statesLeft--;
        if (!hasPaused) {
            return --workLeft <= 0;
        }
        hasPaused = false;
        long since = environment.nanoTime() - lookedAt;
        boolean isCounted = hasEnough() ? --workLeft <= 0 : statesLeft <= 0 && since >= patience;
        return isCounted || since >= longest;
    }

    /** Whether the thread has retired so much that it wants the epoch to move on. */
    boolean hasEnough() {
        return isEnough(retired.bytes());
    }

    /** Whether so many retired bytes are enough to want the epoch to move on. */
    boolean isEnough(long bytes) {
        return bytes > 0 && bytes >= enough;
    }

    /** Whether a thread that waits offline looks now, which holds nobody up. */
    boolean isDueOffline() {
        long now = environment.nanoTime();
        if (now - lookedAt < patience) {
            return false;
        }
        lookedAt = now; // also if the look fails
        return true;
    }

    /** Called when the thread pauses. */
    void paused() {
        hasPaused = true;
    }

    /** Others may be waiting for this thread, so it looks in its next quiescent state. */
    void hurry() {
        statesLeft = 0;
        workLeft = 0;
        patience = 0;
    }

    /** Called when the table was read. */
    void looked(boolean isNewEpoch, long now) {
        lookedAt = now;
        patience = isNewEpoch ? SHORTEST_NANOS : Math.min(longest, Math.max(SHORTEST_NANOS, 2 * patience));
    }

    /** Called when the table was read in a quiescent state. */
    void beginInterval() {
        statesLeft = interval;
        workLeft = interval;
    }
}
