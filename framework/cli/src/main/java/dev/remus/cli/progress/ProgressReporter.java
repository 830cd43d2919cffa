package dev.remus.cli.progress;

/**
 * Looks at the progress of this process's node a few times a second and shows it, from a thread of its own: those that
 * work only count.
 */
public final class ProgressReporter implements AutoCloseable {
    private static final long INTERVAL_MILLIS = 250;

    private final Progress progress;
    private final ProgressView view;
    private final boolean wholeCluster;
    private final Thread thread;
    private volatile boolean closing;

    /**
     * Starts to look.
     *
     * @param wholeCluster whether what this node has done is compared with what all nodes have to do, and not only with
     *     what this node has to
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
            show(); // asked to end
        } finally {
            view.close();
        }
    }

    private void show() {
        progress.current().ifPresent(phase -> phase.showTo(view, wholeCluster));
    }

    /** Shows the last figures and ends. */
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
