package dev.remus.cli.progress;

/** Shows progress to somebody. Called by one thread at a time. */
public interface ProgressView extends AutoCloseable {
    /**
     * Shows how far a phase is. Another name than at the last call means that the phase before has ended.
     *
     * @param done at most {@code total}
     */
    void show(String phase, long done, long total);

    /**
     * Shows how far a phase is that ends after a time.
     *
     * @param done how much was done up to now
     * @param millis how many milliseconds of it have passed, at most {@code ofMillis}
     */
    void showTime(String phase, long done, long millis, long ofMillis);

    /** Makes room for a line that somebody else is about to print. */
    default void interrupt() {}

    /** Ends the phase that is shown, if any. */
    @Override
    void close();
}
