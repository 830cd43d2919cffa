// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * The notice board of a node on a fabric that keeps no files of its own: one small file of the node's machine, which
 * {@link Notices} reads. The text begins with the node's process, so a reader knows whether the node still lives.
 * Nothing depends on the file. Any thread may call its methods.
 */
public final class NoticeFile implements AutoCloseable {
    private final Path path;
    private String last = "";
    private boolean closed;

    /**
     * Prepares the file, and touches nothing yet.
     *
     * @param fabric the name of the fabric
     * @param cluster the name of the cluster
     * @param isMemoryNode whether this is the node's part as a Memory Node
     * @param node the id of the node
     */
    public NoticeFile(String fabric, String cluster, boolean isMemoryNode, int node) {
        this.path = Notices.path(fabric, cluster, isMemoryNode, node);
    }

    /**
     * Replaces the node's text in one step: readers see either the old one or the new one. Does nothing once the file
     * was closed. The first text removes what dead clusters have left.
     *
     * @param notice lines {@code name=value}
     * @throws RuntimeException if the file cannot be written; a later text may succeed
     */
    public synchronized void put(String notice) {
        if (closed) {
            return;
        }
        try {
            if (last.isEmpty()) {
                Notices.removeDead();
            }
            last = notice;
            write(process() + notice);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + path, e);
        }
    }

    private static String process() {
        return "pid=" + ProcessHandle.current().pid() + "\nstart="
                + ProcessStat.ofThisProcess().map(ProcessStat::start).orElse("") + '\n';
    }

    private void write(String text) throws IOException {
        Notices.createFolder();
        Path next = path.resolveSibling(path.getFileName() + Notices.NEXT);
        Files.deleteIfExists(next); // so that an entry that is already there is not opened
        Files.writeString(next, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** The node has left, but not in good order: its last text stays, and its readers see a lost node. */
    public synchronized void abandon() {
        if (!closed) {
            closed = true;
            try {
                if (!last.isEmpty()) {
                    write(process() + Notices.ABANDONED + "=true\n" + last);
                }
            } catch (IOException | RuntimeException e) {
                // nothing depends on it
            }
        }
    }

    /** The node has left in good order: removes the file, and those of lost nodes if no node of the cluster lives. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            try {
                Files.deleteIfExists(path);
                Notices.removeDead();
            } catch (IOException | RuntimeException e) {
                // the next node to start removes it
            }
        }
    }
}
