// SPDX-License-Identifier: Apache-2.0
package dev.remus.local;

import dev.remus.fabric.NodeLostException;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The exception that has ended a node, in a file that its parent reads. An exception that cannot be serialized is
 * replaced by an {@link AssertionError} with its description and its stack trace.
 */
final class NodeFailure {
    private NodeFailure() {}

    /** Writes the file. */
    static void write(Throwable failure, Path file) throws IOException {
        try {
            writeObject(failure, file);
        } catch (IOException | RuntimeException e) {
            AssertionError similar = new AssertionError(failure.toString());
            similar.setStackTrace(failure.getStackTrace());
            writeObject(similar, file);
        }
    }

    private static void writeObject(Throwable failure, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file);
                ObjectOutputStream objects = new ObjectOutputStream(out)) {
            objects.writeObject(failure);
        }
    }

    /** Reads the file; empty if the node was killed before it had written one. */
    static Optional<Throwable> read(Path file) {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(file);
                ObjectInputStream objects = new ObjectInputStream(in)) {
            return Optional.of((Throwable) objects.readObject());
        } catch (IOException | ClassNotFoundException | RuntimeException e) {
            return Optional.empty(); // the node's output has the stack trace
        }
    }

    /** Whether the failure only reports that another node was lost, perhaps wrapped by the body. */
    static boolean isReport(Throwable failure) {
        return failure instanceof NodeLostException
                || Optional.ofNullable(failure.getCause())
                        .filter(NodeFailure::isReport)
                        .isPresent();
    }
}
