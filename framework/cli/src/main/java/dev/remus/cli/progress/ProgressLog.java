// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.progress;

import java.util.ArrayList;
import java.util.List;

/** The progress reports of a run's nodes, with their times. Any thread may use it. */
public final class ProgressLog {
    /**
     * One report.
     *
     * @param seconds the time since the start of the log
     * @param node the id of the reporting node
     * @param phase the name of its phase
     * @param done the work that it had done in this phase
     */
    public record Entry(double seconds, int node, String phase, long done) {}

    private final long begun = System.nanoTime();
    private final List<Entry> entries = new ArrayList<>();

    /** Starts an empty log. */
    public ProgressLog() {}

    /** Adds a report of a node's work in a phase. */
    public synchronized void note(int node, String phase, long done) {
        entries.add(new Entry((System.nanoTime() - begun) / 1e9, node, phase, done));
    }

    /** All reports so far, in order. */
    public synchronized List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** A view that logs and forwards to another view, for a node without a parent process. */
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
