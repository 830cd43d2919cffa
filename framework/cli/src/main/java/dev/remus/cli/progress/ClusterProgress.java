package dev.remus.cli.progress;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Adds up what the nodes of a cluster report, and shows it. May be called by any thread. */
public final class ClusterProgress implements AutoCloseable {
    private final ProgressView view;
    private final Set<String> phases = new HashSet<>();
    private final Map<Integer, Long> doneByNode = new HashMap<>();
    private String current = "";
    private long latestMillis;
    private boolean closed;

    /** @param view shows the sum */
    public ClusterProgress(ProgressView view) {
        this.view = view;
    }

    /**
     * Notes what a node has done in a phase. The newest phase is the one that is shown; what comes late from one before
     * is ignored.
     *
     * @param total what all nodes have to do
     */
    public synchronized void report(int node, String phase, long done, long total) {
        if (isShown(phase)) {
            view.show(phase, Math.min(add(node, done), total), total);
        }
    }

    /**
     * The same for a phase that ends after a time.
     *
     * @param millis how many milliseconds of it have passed
     */
    public synchronized void reportTime(int node, String phase, long done, long millis, long ofMillis) {
        if (isShown(phase)) {
            latestMillis = Math.max(latestMillis, millis); // the nodes did not begin at the very same moment
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

    /** Prints what is no progress, without mixing it up with what is shown. */
    public synchronized void print(Runnable printing) {
        view.interrupt();
        printing.run();
    }

    /** Ends what is shown; later reports are ignored. */
    @Override
    public synchronized void close() {
        closed = true;
        view.close();
    }
}
