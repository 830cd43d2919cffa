// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.progress;

/** A view that shows progress. One thread at a time may call it. */
public interface ProgressView extends AutoCloseable {
    /**
     * Shows the progress of a phase. A new name means that the previous phase has ended.
     *
     * @param done the work done, at most {@code total}
     */
    void show(String phase, long done, long total);

    /**
     * Shows the progress of a timed phase.
     *
     * @param done the work done so far
     * @param millis the elapsed milliseconds, at most {@code ofMillis}
     */
    void showTime(String phase, long done, long millis, long ofMillis);

    /** Clears the display before other output is printed. */
    default void interrupt() {}

    /** Ends the phase that is shown, if any. */
    @Override
    void close();
}
