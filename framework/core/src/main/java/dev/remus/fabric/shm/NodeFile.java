// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.Incarnation;
import dev.remus.fabric.ProcessStat;
import dev.remus.fabric.Version;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The file that shows that a node is alive: locked by the node's process, with the node's offer as contents, and with
 * its incarnation, its version, the id of its process, and when that was started.
 *
 * <p>Such locks belong to a process and not to a file descriptor: if a process closes <em>any</em> descriptor of a
 * file, it loses its lock on it. So no code in this process may open a file that this process has locked. {@link #OWN}
 * holds those files, and a look at one of them does not open it.
 */
final class NodeFile implements AutoCloseable {
    /** The node files that this process has locked, or is about to. */
    private static final Map<Path, NodeFile> OWN = new ConcurrentHashMap<>();

    /**
     * Held by a thread that opens a node file of another process or creates one. The threads of a process share their
     * locks, and closing a file that has since become the process's own would drop the lock on it.
     */
    static final Object LOOKING = new Object();

    private static final SecureRandom RANDOM = new SecureRandom();

    /** A file without a version, as nodes of 0.1.0 wrote it, or one that was changed. */
    private static final Version UNKNOWN = new Version("", 0, 0);

    private static final int MAX_BYTES = 1 << 16;

    private static final int MAX_TRIES = 10;

    /** A process that reads a new file locks it briefly, so acquiring the lock may need a second try. */
    private static final long LOCK_TIMEOUT_MILLIS = 5_000;

    private final Path path;

    /** Not opened as a channel: those close themselves, and drop their locks, when their thread is interrupted. */
    private final RandomAccessFile file;

    private final long incarnation = Incarnation.next(RANDOM);

    private volatile Properties contents = new Properties();

    private final Version version;

    private NodeFile(Path path, Version version) throws IOException {
        this.path = path;
        this.version = version;
        OWN.put(path, this); // before the file is there, so that no thread of this process can open it
        RandomAccessFile opened = null;
        try {
            Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            opened = new RandomAccessFile(path.toFile(), "rw");
            if (!FileLocks.acquire(opened.getChannel(), LOCK_TIMEOUT_MILLIS)) {
                throw new FabricException(path + " is locked by another process");
            }
            write(opened, new Properties());
        } catch (IOException | RuntimeException e) {
            Undo.after(e, () -> Files.deleteIfExists(path));
            if (opened != null) {
                Undo.after(e, opened::close);
            }
            OWN.remove(path);
            throw e;
        }
        this.file = opened;
    }

    /** Creates and locks the file of a node of this process. The caller holds the start-up lock. */
    static NodeFile create(Path path, Version version) throws IOException {
        synchronized (LOOKING) {
            return new NodeFile(path, version);
        }
    }

    /** The incarnation of this node. */
    long incarnation() {
        return incarnation;
    }

    /** Writes the offer. A reader sees all of it or none. */
    void publish(Properties offer) {
        offer.setProperty("published", "true");
        try {
            write(file, offer);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + path, e);
        }
    }

    /** Writes the offer, with the registration of this process. */
    private void write(RandomAccessFile file, Properties offer) throws IOException {
        offer.setProperty("software", version.software());
        offer.setProperty("protocol", Integer.toString(version.protocol()));
        offer.setProperty("layout", Integer.toString(version.layout()));
        offer.setProperty("incarnation", Long.toString(incarnation));
        offer.setProperty("pid", Long.toString(ProcessHandle.current().pid()));
        ProcessStat.ofThisProcess().ifPresent(stat -> offer.setProperty("start", stat.start()));
        StringBuilder text = new StringBuilder();
        offer.stringPropertyNames().stream()
                .sorted()
                .forEach(name -> text.append(name)
                        .append('=')
                        .append(offer.getProperty(name))
                        .append('\n'));
        text.append("end=true\n");
        file.setLength(0);
        file.seek(0);
        file.write(text.toString().getBytes(StandardCharsets.UTF_8));
        contents = offer;
    }

    /** Removes the contents, then the file, then the lock: the node has ended in good order. */
    @Override
    public void close() {
        try {
            file.setLength(0);
            Files.deleteIfExists(path);
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + path, e);
        } finally {
            OWN.remove(path, this);
        }
    }

    /** Drops the lock, and keeps the file and its contents, as the end of the process would. */
    void abandon() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close " + path, e);
        } finally {
            OWN.remove(path, this);
        }
    }

    /** The result of a look at a node file. */
    record Look(boolean alive, Properties contents) {
        boolean published() {
            return contents.containsKey("published");
        }

        /** The id of the process; empty if it is not known. */
        String pid() {
            return contents.getProperty("pid", "");
        }

        /** The version that the node runs; empty if the file has no contents yet. A file of 0.1.0 has none. */
        Optional<Version> version() {
            if (contents.isEmpty()) {
                return Optional.empty();
            }
            return Version.of(contents.getProperty("software", ""), number("protocol"), number("layout"))
                    .or(() -> Optional.of(UNKNOWN));
        }

        private int number(String name) {
            try {
                return contents.containsKey("protocol") ? Integer.parseInt(contents.getProperty(name, "")) : 0;
            } catch (NumberFormatException e) {
                return 0;
            }
        }

        /** The incarnation of the node; 0 if it is not known. */
        long incarnation() {
            try {
                return Long.parseLong(contents.getProperty("incarnation", "0"));
            } catch (NumberFormatException e) {
                return 0; // the file was changed
            }
        }

        /** The process, if it has not ended and is certainly the one that has registered itself. */
        Optional<ProcessHandle> process() {
            String start = contents.getProperty("start", "");
            try {
                return ProcessHandle.of(Long.parseLong(pid()))
                        .filter(process -> ProcessStat.of(pid())
                                .filter(stat -> stat.start().equals(start) && !stat.hasEnded())
                                .isPresent());
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }
    }

    /** The file object of this process for the path; null if another process's node has the file, or none. */
    static @Nullable NodeFile own(Path path) {
        return OWN.get(path);
    }

    /**
     * Reads a node file; empty if there is none. A file that is neither locked nor has contents does not count: its
     * node is just starting, or has just ended in good order.
     *
     * @throws FabricException if the path is anything but a file of this user
     */
    static Optional<Look> look(Path path) {
        for (int tries = 1; ; tries++) {
            try {
                return path.toFile().exists() ? lookOnce(path) : Optional.empty();
            } catch (FileNotFoundException e) {
                if (Files.notExists(path)) {
                    return Optional.empty();
                }
                if (tries == MAX_TRIES) { // it is not a file that comes and goes, it cannot be opened
                    throw new UncheckedIOException("cannot read " + path, e);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read " + path, e);
            }
        }
    }

    private static Optional<Look> lookOnce(Path path) throws IOException {
        synchronized (LOOKING) {
            NodeFile own = OWN.get(path);
            if (own != null) {
                return Optional.of(new Look(true, own.contents));
            }
            if (!FolderEntry.exists(path)) {
                return Optional.empty();
            }
            try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r");
                    FileLock lock = file.getChannel().tryLock(0, Long.MAX_VALUE, true)) {
                boolean alive = lock == null;
                Properties contents = read(file); // with the lock held, so that no node can start in between
                return alive || !contents.isEmpty() ? Optional.of(new Look(alive, contents)) : Optional.empty();
            }
        }
    }

    /**
     * Opens the file of a node of another process; empty if there is no such file. After the file was removed, its
     * contents show how the node ended: they are empty if it ended in good order.
     */
    static Optional<RandomAccessFile> open(Path path) {
        synchronized (LOOKING) {
            try {
                return OWN.containsKey(path) || !FolderEntry.isOwnFile(path)
                        ? Optional.empty()
                        : Optional.of(new RandomAccessFile(path.toFile(), "r"));
            } catch (FileNotFoundException e) {
                return Optional.empty();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read " + path, e);
            }
        }
    }

    /** The contents; none if they are being written. */
    private static Properties read(RandomAccessFile file) throws IOException {
        byte[] bytes = new byte[(int) Math.min(file.length(), MAX_BYTES)];
        int size = 0;
        for (int n = 0; n >= 0 && size < bytes.length; size += Math.max(n, 0)) {
            n = file.read(bytes, size, bytes.length - size);
        }
        return parse(Arrays.copyOf(bytes, size));
    }

    /** The entries of a file; none if it is not complete. Any bytes are accepted. */
    static Properties parse(byte[] bytes) {
        Properties found = new Properties();
        for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n")) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                found.setProperty(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        return found.containsKey("end") ? found : new Properties();
    }
}
