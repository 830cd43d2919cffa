// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.progress;

import java.io.PrintStream;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/** A view that prints a plain line at most every 2 s, and none after a phase is complete, for logs. */
final class LineView implements ProgressView {
    private static final long INTERVAL_NANOS = 2_000_000_000L;

    private final PrintStream out;
    private final LongSupplier clock;
    private String phase = "";
    private long begun;
    private long shown;
    private boolean complete;

    LineView(PrintStream out) {
        this(out, System::nanoTime);
    }

    LineView(PrintStream out, LongSupplier clock) {
        this.out = out;
        this.clock = clock;
    }

    @Override
    public void show(String name, long done, long total) {
        show(name, done >= total, nanos -> line(name, done, total, nanos));
    }

    @Override
    public void showTime(String name, long done, long millis, long ofMillis) {
        show(name, millis >= ofMillis, nanos -> timeLine(name, done, millis, ofMillis));
    }

    /** @param line makes the line from the nanoseconds since the start of the phase */
    private void show(String name, boolean isComplete, LongFunction<String> line) {
        long now = clock.getAsLong();
        if (!name.equals(phase)) {
            phase = name;
            begun = now;
            shown = now;
            complete = false;
        } else if (!complete && now - shown >= INTERVAL_NANOS) {
            shown = now;
            complete = isComplete;
            out.println(line.apply(now - begun));
        }
    }

    /** A line such as {@code run: 1,234 of 8,000 (15 %), 11 s left}. */
    static String line(String phase, long done, long total, long nanos) {
        String line = String.format(
                Locale.ROOT, "%s: %,d of %,d (%.0f %%)", phase, done, total, total == 0 ? 100 : 100.0 * done / total);
        if (done == 0) {
            return line;
        }
        double left = nanos / 1e9 / done * (total - done);
        return line + String.format(Locale.ROOT, ", %,.0f s left", Math.ceil(left));
    }

    /** A line such as {@code run: 1,234 in 3.0 of 10 s (30 %)}. */
    static String timeLine(String phase, long done, long millis, long ofMillis) {
        return String.format(
                Locale.ROOT,
                "%s: %,d in %s of %s s (%.0f %%)",
                phase,
                done,
                BigDecimal.valueOf(millis / 100, 1),
                BigDecimal.valueOf(ofMillis, 3).stripTrailingZeros().toPlainString(),
                ofMillis == 0 ? 100 : 100.0 * millis / ofMillis);
    }

    @Override
    public void close() {
        phase = "";
    }
}
