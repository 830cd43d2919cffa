package dev.remus.examples.progress;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;

/** A plain line, at most every two seconds, and none after that of a phase that is complete: for logs. */
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
        long now = clock.getAsLong();
        if (!name.equals(phase)) {
            phase = name;
            begun = now;
            shown = now;
            complete = false;
        } else if (!complete && now - shown >= INTERVAL_NANOS) {
            shown = now;
            complete = done >= total;
            out.println(line(name, done, total, now - begun));
        }
    }

    /** For example {@code run: 1,234 of 8,000 (15 %), 11 s left}. */
    static String line(String phase, long done, long total, long nanos) {
        String line = String.format(
                Locale.ROOT, "%s: %,d of %,d (%.0f %%)", phase, done, total, total == 0 ? 100 : 100.0 * done / total);
        if (done == 0) {
            return line;
        }
        double left = nanos / 1e9 / done * (total - done);
        return line + String.format(Locale.ROOT, ", %,.0f s left", Math.ceil(left));
    }

    @Override
    public void close() {
        phase = "";
    }
}
