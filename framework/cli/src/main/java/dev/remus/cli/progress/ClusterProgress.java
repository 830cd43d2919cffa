// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.progress;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Adds up the progress reports of a cluster's nodes, and shows the sum. Any thread may call it. */
public final class ClusterProgress implements AutoCloseable {
    private final ProgressView view;
    private final Set<String> phases = new HashSet<>();
    private final Map<Integer, Long> doneByNode = new HashMap<>();
    private String current = "";
    private long latestMillis;
    private boolean closed;

    /** @param view the view that shows the sum */
    public ClusterProgress(ProgressView view) {
        this.view = view;
    }

    /**
     * Records a node's progress in a phase. The newest phase is shown; late reports of earlier ones are ignored.
     *
     * @param total the work of all nodes
     */
    public synchronized void report(int node, String phase, long done, long total) {
        if (isShown(phase)) {
            view.show(phase, Math.min(add(node, done), total), total);
        }
    }

    /**
     * Records a node's progress in a timed phase.
     *
     * @param millis the elapsed milliseconds
     */
    public synchronized void reportTime(int node, String phase, long done, long millis, long ofMillis) {
        if (isShown(phase)) {
            latestMillis = Math.max(latestMillis, millis); // nodes start at slightly different times
            view.showTime(phase, add(node, done), latestMillis, ofMillis);
        }
    }

    private boolean isShown(String phase) {
        if (phases.add(phase)) {
            current = phase;
            doneByNode.clear();
            latestMillis = 0;
        }
        return !closed && phase.equals(current);
    }

    private long add(int node, long done) {
        doneByNode.put(node, done);
        return doneByNode.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Prints other output without mixing it with the progress shown. */
    public synchronized void print(Runnable printing) {
        view.interrupt();
        printing.run();
    }

    /** Ends the view; later reports are ignored. */
    @Override
    public synchronized void close() {
        closed = true;
        view.close();
    }
}
