package dev.remus.examples.progress;

import java.io.PrintStream;

/** Shows progress to somebody. Called by one thread at a time. */
public interface ProgressView extends AutoCloseable {
    /**
     * Shows how far a phase is. Another name than at the last call means that the phase before has ended.
     *
     * @param done at most {@code total}
     */
    void show(String phase, long done, long total);

    /** Makes room for a line that somebody else is about to print. */
    default void interrupt() {}

    /** Ends the phase that is shown, if any. */
    @Override
    void close();

    /** A bar if the stream ends at a terminal where somebody watches, else a plain line every now and then. */
    static ProgressView forUser(PrintStream err) {
        return Terminal.watches(err) ? new BarView(err) : new LineView(err);
    }
}
