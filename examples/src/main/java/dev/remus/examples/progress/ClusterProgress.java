package dev.remus.examples.progress;

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
        if (phases.add(phase)) {
            current = phase;
            doneByNode.clear();
        }
        if (!closed && phase.equals(current)) {
            doneByNode.put(node, done);
            long sum = doneByNode.values().stream().mapToLong(Long::longValue).sum();
            view.show(phase, Math.min(sum, total), total);
        }
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
