package dev.remus.examples.progress;

import java.io.PrintStream;
import java.util.Locale;

/** A plain line, at most every two seconds: for logs. */
final class LineView implements ProgressView {
    private static final long INTERVAL_NANOS = 2_000_000_000L;

    private final PrintStream out;
    private String phase = "";
    private long begun;
    private long shown;

    LineView(PrintStream out) {
        this.out = out;
    }

    @Override
    public void show(String name, long done, long total) {
        long now = System.nanoTime();
        if (!name.equals(phase)) {
            phase = name;
            begun = now;
            shown = now;
        } else if (now - shown >= INTERVAL_NANOS) {
            shown = now;
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
