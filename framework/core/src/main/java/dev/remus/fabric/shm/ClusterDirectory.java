// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import dev.remus.config.ClusterSettings;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.ThisUser;
import dev.remus.fabric.Version;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A cluster's folder in shared memory: its nodes, and the files of dead ones. */
final class ClusterDirectory {
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /** The prefix of a Compute Node's file after the node has left. */
    static final String FINISHED = "finished.";

    private static final long LOCK_TIMEOUT_MILLIS = 20_000;

    /** Serialises the threads of this process, between which file locks do not work. */
    private static final Object IN_THIS_PROCESS = new Object();

    private final Path base;
    private final Path user;
    private final Path directory;
    private final String cluster;
    private final Version version;

    ClusterDirectory(String cluster) {
        this(cluster, Version.PRESENT);
    }

    /** @param version what the nodes of this process run */
    ClusterDirectory(String cluster, Version version) {
        this.cluster = cluster;
        this.version = version;
        this.base = ThisUser.sharedMemory();
        this.user = ThisUser.folder();
        this.directory = user.resolve(cluster);
    }

    Path path() {
        return directory;
    }

    Path memoryNode(int node) {
        return directory.resolve("memory-" + node);
    }

    Path segment(int node, int segment) {
        return directory.resolve("memory-" + node + ".seg-" + segment);
    }

    Path computeNode(int node) {
        return directory.resolve("compute-" + node);
    }

    /** The file with a node's text on the notice board, given {@link #memoryNode} or {@link #computeNode}. */
    static Path notice(Path node) {
        return node.resolveSibling(node.getFileName() + ".notice");
    }

    /** Replaces a node's notice in one step: readers see either the old one or the new one. */
    static void putUp(Path node, String notice) {
        Path path = notice(node);
        Path next = path.resolveSibling(path.getFileName() + ".next");
        try {
            Files.deleteIfExists(next); // so that an entry that is already there is not opened
            Files.writeString(next, notice, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + path, e);
        }
    }

    static void takeDown(Path node) {
        try {
            Files.deleteIfExists(notice(node));
        } catch (IOException e) {
            // removed with the folder of the cluster
        }
    }

    /** The names of this user's clusters that have files here. */
    static List<String> clusters() throws IOException {
        List<String> names = new ArrayList<>();
        for (Path there : list(new ClusterDirectory("").user)) {
            if (isCluster(there)) {
                names.add(there.getFileName().toString());
            }
        }
        names.sort(null);
        return names;
    }

    /** Whether it is the folder of a cluster. The name of a cluster does not start with a dot. */
    private static boolean isCluster(Path there) throws IOException {
        return !there.getFileName().toString().startsWith(".") && FolderEntry.isOwnFolder(there);
    }

    /** All files of this cluster. Files of other origin are left out. */
    List<Path> files() throws IOException {
        return FolderEntry.isOwnFolder(directory) ? ours(directory) : List.of();
    }

    private static List<Path> ours(Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path there : list(directory)) {
            if (FolderEntry.isOurs(there)) {
                files.add(there);
            }
        }
        return files;
    }

    String cluster() {
        return cluster;
    }

    /** The version that the nodes of this process run. */
    Version version() {
        return version;
    }

    /**
     * Adds a node of this process.
     *
     * @param file {@link #memoryNode} or {@link #computeNode}
     * @param who the node's name in messages
     * @throws FabricException if the node is already running, or something is in the way of its files
     */
    NodeFile enter(Path file, String who) {
        return locked(() -> {
            removeDeadClusters();
            createDirectory(directory);
            Optional<NodeFile.Look> there = NodeFile.look(file);
            if (there.isPresent() && there.get().alive()) {
                throw new FabricException(who + " of cluster '" + cluster + "' is already running (process "
                        + there.get().contents().getProperty("pid", "unknown")
                        + "). Choose another " + ClusterSettings.CLUSTER.names() + " or node id, or end that process");
            }
            requireEnded(there, who);
            FolderEntry.exists(finished(file));
            removeNode(file);
            try {
                NodeFile entered = NodeFile.create(file, version);
                Files.deleteIfExists(finished(file));
                return entered;
            } catch (IOException | RuntimeException e) {
                Undo.after(e, () -> removeIfDead(directory)); // the folder may have been made for this node
                throw e;
            }
        });
    }

    /**
     * Refuses a node as long as the process of an earlier one, which has given up, has not ended: its threads could
     * still do a store, and the file of the later one would hide that.
     */
    private void requireEnded(Optional<NodeFile.Look> earlier, String who) {
        earlier.flatMap(NodeFile.Look::process)
                .filter(process -> process.pid() != ProcessHandle.current().pid())
                .ifPresent(process -> {
                    throw new FabricException(who + " of cluster '" + cluster + "' has given up, but its process "
                            + process.pid() + " has not ended yet: start the node again when it has");
                });
    }

    /** Removes a Compute Node of this process and, if no node is left alive, the whole cluster. */
    void finish(NodeFile own, int computeNode) {
        exclusively(() -> {
            Files.createFile(finished(computeNode(computeNode)), OWNER_ONLY_FILE);
            own.close();
            removeIfDead(directory);
        });
    }

    /**
     * Leaves the files of a node of this process like those of a dead process. If no other node is alive, removes the
     * cluster.
     */
    void abandon(NodeFile own) {
        exclusively(() -> {
            own.abandon();
            removeIfDead(directory);
        });
    }

    /** Whether a Compute Node has left in good order while another node stayed. */
    boolean hasFinished(int computeNode) {
        return Files.exists(finished(computeNode(computeNode)));
    }

    private static Path finished(Path computeNode) {
        return computeNode.resolveSibling(FINISHED + computeNode.getFileName());
    }

    /** Removes a Memory Node of this process and, if no node is left alive, the whole cluster. */
    void leave(NodeFile own, List<Path> segments) {
        exclusively(() -> {
            for (Path segment : segments) {
                Files.deleteIfExists(segment);
            }
            own.close();
            removeIfDead(directory);
        });
    }

    /** Removes this cluster if no node of it is alive. */
    void removeIfDead() {
        exclusively(() -> removeIfDead(directory));
    }

    /** Removes every cluster of this user that has no live node, this cluster included. */
    private void removeDeadClusters() throws IOException {
        for (Path there : list(user)) {
            try {
                if (isCluster(there)) {
                    removeIfDead(there);
                }
            } catch (IOException | UncheckedIOException e) {
                // An unreadable cluster must not keep this node from starting.
            }
        }
    }

    /** Removes a cluster without live nodes. Files that no node made stay, and so does the folder then. */
    private static void removeIfDead(Path cluster) throws IOException {
        List<Path> files = ours(cluster);
        for (Path file : files) {
            if (FolderEntry.hasNodeName(file)
                    && NodeFile.look(file).map(NodeFile.Look::alive).orElse(false)) {
                return;
            }
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
        try {
            Files.deleteIfExists(cluster);
        } catch (DirectoryNotEmptyException e) {
            // it has no files of ours
        }
    }

    /** Removes the file of a dead node and its segments. */
    private void removeNode(Path file) throws IOException {
        for (Path there : list(directory)) {
            boolean its = there.equals(file) || there.getFileName().toString().startsWith(file.getFileName() + ".");
            if (its && FolderEntry.hasName(there) && FolderEntry.exists(there)) {
                Files.deleteIfExists(there);
            }
        }
    }

    private static List<Path> list(Path directory) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            files.forEach(found::add);
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        }
        return found;
    }

    /** Whether the cluster has no files in shared memory. */
    boolean isGone() {
        return !Files.exists(directory);
    }

    private interface Action<T> {
        T run() throws IOException;
    }

    /** A step that reads or changes the folders of clusters. */
    interface Task {
        void run() throws IOException;
    }

    /** Runs a task while no other node of this user starts, ends, or removes files of dead nodes. */
    void exclusively(Task task) {
        locked(() -> {
            task.run();
            return this;
        });
    }

    /** Runs an action while no other node of this user starts or ends. */
    private <T> T locked(Action<T> action) {
        synchronized (IN_THIS_PROCESS) {
            try {
                if (!Files.isDirectory(base)) {
                    throw new FabricException("there is no folder " + base + " for shared memory; create it,"
                            + " or set REMUS_SHM_DIR to another");
                }
                createDirectory(user);
                Path lock = user.resolve(".lock");
                try {
                    Files.createFile(lock, OWNER_ONLY_FILE);
                } catch (FileAlreadyExistsException e) {
                    FolderEntry.exists(lock); // the usual case
                }
                try (FileChannel channel =
                        FileChannel.open(lock, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
                    if (!FileLocks.acquire(channel, LOCK_TIMEOUT_MILLIS)) {
                        throw new FabricException(lock + " has been locked by another process for "
                                + LOCK_TIMEOUT_MILLIS / 1000 + " s; is a node stopped while it starts?");
                    }
                    return action.run();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "the shared memory folder " + user + " cannot be used: " + reason(e)
                                + ". Set REMUS_SHM_DIR to use another place",
                        e);
            }
        }
    }

    /** The message of a file system's exception is often only the name of the file. */
    private static String reason(IOException e) {
        String message = e.getMessage();
        boolean hasReason = !(e instanceof FileSystemException f) || f.getReason() != null;
        return message != null && hasReason ? message : e.toString();
    }

    /** Creates a folder that only its owner can enter. Refuses one that another user made. */
    private static void createDirectory(Path directory) throws IOException {
        try {
            Files.createDirectory(directory, OWNER_ONLY);
        } catch (FileAlreadyExistsException e) {
            FolderEntry.requirePrivateFolder(directory);
        }
    }
}
