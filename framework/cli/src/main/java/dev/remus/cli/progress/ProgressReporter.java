// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.progress;

/** Shows the progress of this process's node a few times a second, on its own thread: worker threads only count. */
public final class ProgressReporter implements AutoCloseable {
    private static final long INTERVAL_MILLIS = 250;

    private final Progress progress;
    private final ProgressView view;
    private final boolean wholeCluster;
    private final Thread thread;
    private volatile boolean closing;

    /**
     * Starts the thread.
     *
     * @param wholeCluster whether the total is the work of all nodes, rather than that of this node
     */
    public ProgressReporter(Progress progress, ProgressView view, boolean wholeCluster) {
        this.progress = progress;
        this.view = view;
        this.wholeCluster = wholeCluster;
        this.thread = new Thread(this::report, "progress");
        thread.setDaemon(true);
        thread.start();
    }

    private void report() {
        try {
            while (!closing) {
                show();
                Thread.sleep(INTERVAL_MILLIS);
            }
            show();
        } catch (InterruptedException e) {
            show(); // closed
        } finally {
            view.close();
        }
    }

    private void show() {
        progress.current().ifPresent(phase -> phase.showTo(view, wholeCluster));
    }

    /** Shows the last figures and ends the thread. */
    @Override
    public void close() {
        closing = true;
        thread.interrupt();
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(2 * INTERVAL_MILLIS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
