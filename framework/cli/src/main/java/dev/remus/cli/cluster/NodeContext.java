package dev.remus.cli.cluster;

import dev.remus.cli.progress.Progress;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import java.util.Optional;

/** What a {@link Job} has besides its Compute Thread. May be used by all threads of a node. */
public final class NodeContext {
    private final PrintStream out;
    private final boolean child;
    private final Optional<Path> results;
    private final Progress progress = new Progress();

    NodeContext(PrintStream out, boolean child, Optional<Path> results) {
        this.out = out;
        this.child = child;
        this.results = results;
    }

    /** Prints a line that belongs to this node. */
    public void say(String line) {
        out.println(line);
    }

    /** Prints lines that belong to the cluster as a whole. */
    public void conclude(String lines) {
        lines.lines().forEach(line -> out.println(child ? MachineLine.conclusion(line) : line));
    }

    /** Is told how far this node's threads are. */
    public Progress progress() {
        return progress;
    }

    /**
     * The folder for results.
     *
     * @throws NoSuchElementException on all nodes but the first Compute Node, and if the job leaves no results
     */
    public Path results() {
        return results.orElseThrow();
    }
}
