// SPDX-License-Identifier: Apache-2.0
package dev.remus.local;

import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The output of the nodes of a cluster. The thread that runs the test prints it, so that the test's report has it; the
 * last lines are kept for the message of a failure.
 */
final class NodeOutput {
    private static final int KEPT_LINES = 500;

    private final ConcurrentLinkedQueue<String> arrived = new ConcurrentLinkedQueue<>();
    private final ArrayDeque<String> last = new ArrayDeque<>();
    private boolean shortened;

    /** Takes a line. Any thread may call it. */
    void add(int node, String line) {
        arrived.add(prefix(node) + line);
    }

    private static String prefix(int node) {
        return "node " + node + " | ";
    }

    /** Prints the lines that have arrived. One thread calls this and {@link #lastLines}. */
    void print() {
        for (String line = arrived.poll(); line != null; line = arrived.poll()) {
            System.out.println(line);
            last.add(line);
            if (last.size() > KEPT_LINES) {
                last.remove();
                shortened = true;
            }
        }
    }

    /** Whether one of the kept lines is of this node and contains this text. */
    boolean contains(int node, String text) {
        String prefix = prefix(node);
        return last.stream().anyMatch(line -> line.startsWith(prefix) && line.contains(text));
    }

    /** The last lines that were printed, for a message. */
    String lastLines() {
        if (last.isEmpty()) {
            return "the nodes have printed nothing";
        }
        return (shortened ? "the last " + KEPT_LINES + " lines of the nodes:\n" : "output of the nodes:\n")
                + String.join("\n", last);
    }
}
