package dev.remus.tools.reproduce.experiment;

import dev.remus.cli.progress.Progress;
import dev.remus.cli.progress.ProgressReporter;
import dev.remus.cli.progress.ProgressViews;
import java.io.PrintStream;

/** The progress of a run over its points, and within a point, with the time left. One thread at a time reports it. */
public final class PointProgress implements AutoCloseable {
    private static final String PHASE = "run";

    private final Progress.Counter counter;
    private final ProgressReporter reporter;
    private long finished;

    PointProgress(long total, PrintStream err) {
        Progress progress = new Progress();
        this.counter = progress.phase(PHASE, total, total).counter();
        this.reporter = new ProgressReporter(progress, ProgressViews.forUser(err), false);
    }

    /** A part of the current point's work is done. */
    public void within(long done) {
        counter.set(finished + done);
    }

    /** The current point is complete; the next one begins. */
    public void completed(long work) {
        finished += work;
        counter.set(finished);
    }

    /** Ends the display. */
    @Override
    public void close() {
        reporter.close();
    }
}
