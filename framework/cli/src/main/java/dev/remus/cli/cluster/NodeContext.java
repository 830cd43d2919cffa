// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.cluster;

import dev.remus.cli.progress.Progress;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Supplier;

/** The environment of a {@link Job}: output, progress and the folder for results. All threads of a node may use it. */
public final class NodeContext {
    private final PrintStream out;
    private final boolean child;
    private final Supplier<Optional<Path>> results;
    private final Progress progress = new Progress();

    /** @param results gives the folder for results, and creates it if need be; empty if the job leaves none */
    NodeContext(PrintStream out, boolean child, Supplier<Optional<Path>> results) {
        this.out = out;
        this.child = child;
        this.results = results;
    }

    /** Prints a line of this node. */
    public void print(String line) {
        out.println(line);
    }

    /** Prints lines of the cluster as a whole. */
    public void conclude(String lines) {
        lines.lines().forEach(line -> out.println(child ? MachineLine.conclusion(line) : line));
    }

    /** The progress of this node's threads, which they update. */
    public Progress progress() {
        return progress;
    }

    /**
     * The folder for results, for the node that writes them: the first Compute Node or, if that is lost, the one whose
     * thread leads.
     *
     * @throws NoSuchElementException if the job leaves no results
     */
    public Path results() {
        return results.get().orElseThrow();
    }
}
