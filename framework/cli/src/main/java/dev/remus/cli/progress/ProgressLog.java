package dev.remus.cli.progress;

import java.util.ArrayList;
import java.util.List;

/** What the nodes of a run have reported of their progress, with the time of each report. May be used by any thread. */
public final class ProgressLog {
    /**
     * One report.
     *
     * @param seconds since the log was begun
     * @param node who reported
     * @param phase what it was doing
     * @param done how much of that it had done
     */
    public record Entry(double seconds, int node, String phase, long done) {}

    private final long begun = System.nanoTime();
    private final List<Entry> entries = new ArrayList<>();

    /** Begins a log. */
    public ProgressLog() {}

    /** Notes what a node has done in a phase up to now. */
    public synchronized void note(int node, String phase, long done) {
        entries.add(new Entry((System.nanoTime() - begun) / 1e9, node, phase, done));
    }

    /** All reports up to now, in their order. */
    public synchronized List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** A view that notes what another one shows: for a node that is not watched by a parent. */
    public ProgressView around(int node, ProgressView view) {
        return new ProgressView() {
            @Override
            public void show(String phase, long done, long total) {
                note(node, phase, done);
                view.show(phase, done, total);
            }

            @Override
            public void showTime(String phase, long done, long millis, long ofMillis) {
                note(node, phase, done);
                view.showTime(phase, done, millis, ofMillis);
            }

            @Override
            public void interrupt() {
                view.interrupt();
            }

            @Override
            public void close() {
                view.close();
            }
        };
    }
}
