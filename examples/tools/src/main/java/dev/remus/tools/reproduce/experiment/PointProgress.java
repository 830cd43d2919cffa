// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.experiment;

import dev.remus.cli.progress.ProgressView;
import dev.remus.cli.progress.ProgressViews;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Shows the progress of a run over its points, and within points, with the time left, on its own thread. Several
 * threads may each have a current point.
 */
public final class PointProgress implements AutoCloseable {
    private static final String PHASE = "run";
    private static final long INTERVAL_MILLIS = 250;

    private final long total;
    private final ProgressView view;
    private final Thread thread;

    /** Supplies the work done of each thread's current point. */
    private final Map<Thread, LongSupplier> current = new HashMap<>();

    /** The work of completed points. */
    private long completed;

    PointProgress(long total, PrintStream err) {
        this(total, ProgressViews.forUser(err));
    }

    /** @param view shows the progress, until {@link #close} closes it */
    PointProgress(long total, ProgressView view) {
        this.total = total;
        this.view = view;
        this.thread = new Thread(this::show, "progress");
        thread.setDaemon(true);
        thread.start();
    }

    private void show() {
        try {
            while (true) {
                view.show(PHASE, Math.min(total, done()), total);
                Thread.sleep(INTERVAL_MILLIS);
            }
        } catch (InterruptedException e) {
            view.close();
        }
    }

    private synchronized long done() {
        return completed
                + current.values().stream().mapToLong(LongSupplier::getAsLong).sum();
    }

    /**
     * A point begins, on the calling thread.
     *
     * @param done the work done within the point, in the unit of the total; another thread calls it
     */
    public synchronized void begin(LongSupplier done) {
        current.put(Thread.currentThread(), done);
    }

    /**
     * A point begins, on the calling thread, whose work is done in other processes.
     *
     * @param work the work of the point, in the unit of the total
     * @return receives the progress of these processes
     */
    public ProgressView beginElsewhere(long work) {
        AtomicLong done = new AtomicLong();
        begin(done::get);
        return new ProgressView() {
            @Override
            public void show(String phase, long part, long whole) {
                done.set(whole == 0 ? 0 : (long) ((double) part / whole * work));
            }

            @Override
            public void showTime(String phase, long part, long millis, long ofMillis) {
                show(phase, millis, ofMillis);
            }

            @Override
            public void close() {}
        };
    }

    /** The current point of the calling thread is complete. */
    public synchronized void complete(long work) {
        current.remove(Thread.currentThread());
        completed += work;
    }

    /** Ends the display. */
    @Override
    public void close() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }
}
