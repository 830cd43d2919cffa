package dev.remus.tools.harness;

import java.util.function.LongSupplier;

/**
 * Tells one thread, before each of its operations, whether its time is over. It reads the clock about every 20 µs, and
 * before each operation where operations take longer, so that short ones hardly pay for it.
 */
public final class Deadline {
    private static final long BETWEEN_LOOKS_NANOS = 20_000;

    /** Operations without a look at the clock: few enough if the next ones take much longer. */
    private static final long MOST_WITHOUT_LOOK = 64;

    private final LongSupplier clock;
    private final long start;
    private final long nanos;
    private long lastLook;

    /** How many operations there are from the last look to the next. */
    private long stride;

    private long left;
    private boolean over;

    /** It is over so many nanoseconds from now; never with {@link Long#MAX_VALUE}. */
    Deadline(long nanos, LongSupplier clock) {
        this.nanos = nanos;
        this.clock = clock;
        this.start = clock.getAsLong();
        this.lastLook = start;
    }

    /** Whether the time is over. To be asked before each operation. */
    public boolean isOver() {
        return --left <= 0 && look();
    }

    private boolean look() {
        if (over) {
            return true; // and look again
        }
        if (nanos == Long.MAX_VALUE) {
            left = Long.MAX_VALUE;
            return false;
        }
        long now = clock.getAsLong();
        long each = stride == 0 ? BETWEEN_LOOKS_NANOS : (now - lastLook) / stride;
        lastLook = now;
        stride = Math.max(1, Math.min(MOST_WITHOUT_LOOK, BETWEEN_LOOKS_NANOS / (each + 1)));
        over = now - start >= nanos;
        left = over ? 0 : stride;
        return over;
    }
}
