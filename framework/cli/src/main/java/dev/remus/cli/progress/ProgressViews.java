package dev.remus.cli.progress;

import java.io.PrintStream;

/** Makes the view of progress that fits where it is shown. */
public final class ProgressViews {
    private ProgressViews() {}

    /** A bar if the stream ends at a terminal in the foreground, else a plain line from time to time. */
    public static ProgressView forUser(PrintStream err) {
        return Terminal.watches(err) ? new BarView(err) : new LineView(err);
    }
}
