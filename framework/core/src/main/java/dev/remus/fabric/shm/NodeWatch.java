// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a node is alive, for a node that checks several times a second. The file of a node of another process stays
 * open, so a check is one system call. {@link NodeFile#look} opens the file, reads it and closes it again.
 *
 * <p>A watch follows the run of the node for which it was made. Later runs have files of their own.
 */
final class NodeWatch implements AutoCloseable {
    private final Path path;

    /** The node, if it is one of this process, because its file must not be opened; otherwise null. */
    private final @Nullable NodeFile own;

    private final @Nullable RandomAccessFile other;

    private NodeWatch(Path path, @Nullable NodeFile own, @Nullable RandomAccessFile other) {
        this.path = path;
        this.own = own;
        this.other = other;
    }

    /** A watch for the node that has a node file now; empty if there is none. */
    static Optional<NodeWatch> of(Path path) {
        synchronized (NodeFile.LOOKING) {
            NodeFile own = NodeFile.own(path);
            return own != null
                    ? Optional.of(new NodeWatch(path, own, null))
                    : NodeFile.open(path).map(other -> new NodeWatch(path, null, other));
        }
    }

    /**
     * A watch for a run of the node that the caller has seen.
     *
     * @param isThatRun whether the node file is still that of this run; called once the watch has opened it
     */
    static Optional<NodeWatch> of(Path path, BooleanSupplier isThatRun) {
        Optional<NodeWatch> watch = of(path);
        boolean keep = false;
        try {
            keep = watch.isPresent() && isThatRun.getAsBoolean();
        } finally {
            if (!keep) {
                watch.ifPresent(NodeWatch::close);
            }
        }
        return keep ? watch : Optional.empty();
    }

    /** Whether a process holds the lock on the node file. False after {@link #close}. */
    boolean isAlive() {
        synchronized (NodeFile.LOOKING) {
            if (other == null) {
                return own == NodeFile.own(path);
            }
            try (FileLock lock = other.getChannel().tryLock(0, Long.MAX_VALUE, true)) {
                return lock == null;
            } catch (ClosedChannelException e) {
                return false;
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read " + path, e);
            }
        }
    }

    @Override
    public void close() {
        if (other != null) {
            try {
                other.close();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot close " + path, e);
            }
        }
    }
}
