// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import dev.remus.config.ClusterSettings;
import dev.remus.fabric.Environment;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.PeerState;
import dev.remus.fabric.RealEnvironment;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.openhft.chronicle.core.UnsafeMemory;
import org.jspecify.annotations.Nullable;

/** A Memory Node whose segments are files. */
final class ShmMemoryEndpoint implements MemoryEndpoint {
    private static final int RESERVE_CHUNK = 1 << 20;

    private final ClusterDirectory directory;
    private final int node;
    private final long segmentBytes;
    private final NodeFile file;
    private final List<Path> paths = new ArrayList<>();
    private final List<Mapping> mappings = new ArrayList<>();
    private final Set<Integer> seen = ConcurrentHashMap.newKeySet();

    /** The last known incarnation of each Compute Node, by id. */
    private final Map<Integer, Long> incarnations = new ConcurrentHashMap<>();

    /** The present Compute Nodes, by id. */
    private final Map<Integer, NodeWatch> watches = new ConcurrentHashMap<>();

    /** Shared by all threads that read: whichever of them keeps a processor soon yields. */
    private final Environment.Pauses turns = RealEnvironment.INSTANCE.newPauses();

    private boolean published;
    private volatile boolean closed;

    ShmMemoryEndpoint(ClusterDirectory directory, int node, int segments, long segmentBytes) {
        this.directory = directory;
        this.node = node;
        this.segmentBytes = segmentBytes;
        this.file = directory.enter(directory.memoryNode(node), "Memory Node " + node);
        try {
            checkSpace(segments);
            for (int i = 0; i < segments; i++) {
                Path path = directory.segment(node, i);
                paths.add(path);
                reserve(path, segments);
                mappings.add(new Mapping(path, segmentBytes));
            }
        } catch (IOException | RuntimeException | Error e) {
            directory.leave(file, paths);
            if (e instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            throw new FabricException("Memory Node " + node + " cannot create its segments: " + e, e);
        }
    }

    /**
     * Checks the free space before anything is written, so that an excessive demand does not first fill the machine's
     * memory.
     */
    private void checkSpace(int segments) {
        long free = usableSpace();
        if (segmentBytes > free / segments) {
            throw noSpace(segments, "not enough free space", null);
        }
    }

    /** Writes the whole segment, so that a lack of memory shows now and not when a page is first touched. */
    private void reserve(Path path, int segments) throws IOException {
        Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        // Not a channel: channels close themselves when their thread is interrupted.
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            byte[] zeros = new byte[(int) Math.min(RESERVE_CHUNK, segmentBytes)];
            for (long done = 0; done < segmentBytes; done += zeros.length) {
                file.write(zeros); // both sizes are powers of two
            }
        } catch (IOException e) {
            throw noSpace(segments, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * The folder's free space. A {@code FileStore} would look for its mount point, which a process in a chroot cannot
     * find.
     */
    private long usableSpace() {
        return directory.path().toFile().getUsableSpace();
    }

    private FabricException noSpace(int segments, String reason, @Nullable IOException cause) {
        return new FabricException(
                "Memory Node " + node + " cannot reserve " + segments + " segments of " + segmentBytes + " bytes in "
                        + directory.path() + " (" + usableSpace() + " bytes are free there): "
                        + reason + ". Lower " + ClusterSettings.SEGMENT_SIZE_LOG2.names() + " or "
                        + ClusterSettings.SEGMENTS_PER_NODE.names() + ", or make that file system larger",
                cause);
    }

    @Override
    public int node() {
        return node;
    }

    @Override
    public int segments() {
        return paths.size();
    }

    @Override
    public long segmentBytes() {
        return segmentBytes;
    }

    @Override
    public long get(int segment, long offset) {
        turns.yieldIfDue();
        return UnsafeMemory.MEMORY.readVolatileLong(address(segment, offset));
    }

    @Override
    public void set(int segment, long offset, long value) {
        UnsafeMemory.MEMORY.writeVolatileLong(address(segment, offset), value);
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("Memory Node " + node + " is closed");
        }
    }

    private long address(int segment, long offset) {
        checkOpen();
        if (segment < 0
                || segment >= mappings.size()
                || offset < 0
                || offset > segmentBytes - Long.BYTES
                || (offset & 7) != 0) {
            throw new IndexOutOfBoundsException("offset " + offset + " of segment " + segment + " of Memory Node "
                    + node + ", which has " + mappings.size() + " segments of " + segmentBytes + " bytes");
        }
        return mappings.get(segment).address() + offset;
    }

    @Override
    public synchronized void publish() {
        checkOpen();
        if (published) {
            throw new IllegalStateException("Memory Node " + node + " is published already");
        }
        published = true;
        SecureRandom random = new SecureRandom();
        List<Integer> rkeys =
                Stream.generate(random::nextInt).limit(mappings.size()).toList();
        file.publish(new Offer(random.nextLong(), segmentBytes, rkeys).toProperties());
    }

    @Override
    public PeerState peer(int computeNode) {
        NodeWatch watch = watches.get(computeNode);
        return watch != null && watch.isAlive() ? PeerState.JOINED : lookAt(computeNode);
    }

    private PeerState lookAt(int computeNode) {
        Path file = directory.computeNode(computeNode);
        watch(computeNode, file);
        Optional<NodeFile.Look> look = NodeFile.look(file);
        if (look.isEmpty()) {
            return directory.hasFinished(computeNode) || seen.contains(computeNode)
                    ? PeerState.FINISHED
                    : PeerState.ABSENT;
        }
        if (isRefused(look.get())) {
            unwatch(computeNode);
            return PeerState.ABSENT;
        }
        seen.add(computeNode);
        if (look.get().incarnation() != 0) {
            incarnations.put(computeNode, look.get().incarnation());
        } else {
            incarnations.remove(computeNode); // a later one is about to register itself
        }
        return look.get().alive() ? PeerState.JOINED : PeerState.LOST;
    }

    /** Whether a Compute Node runs a version that does not fit. It refuses this node by name, and ends. */
    private boolean isRefused(NodeFile.Look look) {
        return look.version().filter(other -> !directory.version().fits(other)).isPresent();
    }

    /** Watches the node's present run, in place of an earlier one. */
    private synchronized void watch(int computeNode, Path file) {
        unwatch(computeNode);
        if (!closed && file.toFile().exists()) {
            NodeWatch.of(file).ifPresent(watch -> watches.put(computeNode, watch));
        }
    }

    private synchronized void unwatch(int computeNode) {
        NodeWatch watch = watches.remove(computeNode);
        if (watch != null) {
            watch.close();
        }
    }

    @Override
    public long incarnation(int computeNode) {
        if (!incarnations.containsKey(computeNode)) {
            lookAt(computeNode); // the file had no contents yet
        }
        return incarnations.getOrDefault(computeNode, 0L);
    }

    /**
     * Shared memory cannot be taken away from a process, so only the end of the process is a fence: one that is merely
     * stopped could still do the store that it was about to do, and so could a thread of a process that has abandoned
     * the cluster. The kernel drops the lock on the node file after the last thread of the process has left it. A node
     * in this process has no thread left when it abandons the cluster.
     */
    @Override
    public boolean fence(int computeNode, long incarnation) {
        Optional<NodeFile.Look> look = NodeFile.look(directory.computeNode(computeNode));
        if (look.isEmpty() || look.get().incarnation() != 0 && look.get().incarnation() != incarnation) {
            return true; // its file was removed, or replaced by that of a later incarnation
        }
        return !look.get().alive()
                && look.get().process().filter(other -> !isThis(other)).isEmpty();
    }

    private static boolean isThis(ProcessHandle process) {
        return process.pid() == ProcessHandle.current().pid();
    }

    @Override
    public boolean kill(int computeNode) {
        return NodeFile.look(directory.computeNode(computeNode))
                .filter(NodeFile.Look::alive)
                .flatMap(NodeFile.Look::process)
                .filter(process -> !isThis(process))
                .map(ProcessHandle::destroyForcibly)
                .orElse(false);
    }

    @Override
    public Optional<Consumer<String>> noticeBoard() {
        return Optional.of(this::putUp);
    }

    private synchronized void putUp(String notice) {
        if (!closed) { // else the folder may be gone, and must not be kept
            ClusterDirectory.putUp(directory.memoryNode(node), notice);
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            ClusterDirectory.takeDown(directory.memoryNode(node));
            watches.values().forEach(NodeWatch::close);
            watches.clear();
            directory.leave(file, paths);
        }
    }
}
