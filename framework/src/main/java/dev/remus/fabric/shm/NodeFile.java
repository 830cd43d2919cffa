package dev.remus.fabric.shm;

import dev.remus.fabric.FabricException;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The file by which a node shows that it lives: locked by its process, and saying what the node offers.
 *
 * <p>Such locks belong to a process and not to a file descriptor: if a process closes <em>any</em> descriptor of a file,
 * it loses its lock on it. So nothing in this process may open a file that this process has locked; {@link #OWN} holds
 * those, and looking at one of them does not touch the file.
 */
final class NodeFile implements AutoCloseable {
    /** The node files that this process has locked, or is about to. */
    private static final Map<Path, NodeFile> OWN = new ConcurrentHashMap<>();

    /** Whoever looks at a new file locks it for an instant, so that taking the lock may need a second try. */
    private static final long LOCK_TIMEOUT_MILLIS = 5_000;

    private final Path path;
    private final FileChannel channel;
    private volatile Properties contents = new Properties();

    private NodeFile(Path path) throws IOException {
        this.path = path;
        OWN.put(path, this); // before the file is there, so that no thread of this process can open it
        FileChannel opened = null;
        try {
            opened = FileChannel.open(
                    path,
                    EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            lock(opened);
        } catch (IOException | RuntimeException e) {
            if (opened != null) {
                Files.deleteIfExists(path);
                opened.close();
            }
            OWN.remove(path);
            throw e;
        }
        this.channel = opened;
        Properties pid = new Properties();
        pid.setProperty("pid", Long.toString(ProcessHandle.current().pid()));
        write(pid);
    }

    /** Creates and locks the file of a node of this process. The caller holds the start-up lock. */
    static NodeFile create(Path path) throws IOException {
        return new NodeFile(path);
    }

    private void lock(FileChannel channel) throws IOException {
        long deadline = System.nanoTime() + LOCK_TIMEOUT_MILLIS * 1_000_000;
        while (true) {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return; // held until the channel is closed or the process ends
            }
            if (System.nanoTime() - deadline > 0) {
                throw new FabricException(path + " is locked by somebody else");
            }
            sleep();
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(2);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FabricException("interrupted while starting a node", e);
        }
    }

    /** Says what the node offers; a reader sees all of it or none. */
    void publish(Properties offer) {
        offer.setProperty("pid", Long.toString(ProcessHandle.current().pid()));
        offer.setProperty("published", "true");
        write(offer);
    }

    private void write(Properties offer) {
        StringBuilder text = new StringBuilder();
        offer.stringPropertyNames().stream()
                .sorted()
                .forEach(name -> text.append(name)
                        .append('=')
                        .append(offer.getProperty(name))
                        .append('\n'));
        text.append("end=true\n");
        try {
            ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
            channel.truncate(0);
            channel.position(0);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + path, e);
        }
        contents = offer;
    }

    /** Ends the node's life in good order: the file goes, then the lock. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(path);
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + path, e);
        } finally {
            OWN.remove(path, this);
        }
    }

    /** What a look at somebody's node file showed. */
    record Look(boolean alive, Properties contents) {
        boolean published() {
            return contents.containsKey("published");
        }
    }

    /** Looks at a node file: empty if there is none. */
    static Optional<Look> look(Path path) {
        NodeFile own = OWN.get(path);
        if (own != null) {
            return Optional.of(new Look(true, own.contents));
        }
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            boolean alive;
            try (FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
                alive = lock == null;
            }
            return Optional.of(new Look(alive, read(channel)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look at " + path, e);
        }
    }

    /** The contents, or nothing if they are just being written. */
    private static Properties read(FileChannel channel) throws IOException {
        byte[] bytes = new byte[(int) Math.min(channel.size(), 1 << 16)];
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining() && channel.read(buffer) >= 0) {}
        Properties found = new Properties();
        found.load(new StringReader(new String(bytes, 0, buffer.position(), StandardCharsets.UTF_8)));
        return found.containsKey("end") ? found : new Properties();
    }
}
