package dev.remus.fabric.shm;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.PeerState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import net.openhft.chronicle.core.UnsafeMemory;

/** A Memory Node's segments as files. */
final class ShmMemoryEndpoint implements MemoryEndpoint {
    private static final int RESERVE_CHUNK = 1 << 20;

    private final ClusterDirectory directory;
    private final int node;
    private final long segmentBytes;
    private final NodeFile file;
    private final List<Path> paths = new ArrayList<>();
    private final List<Mapping> mappings = new ArrayList<>();
    private final Set<Integer> seen = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    ShmMemoryEndpoint(ClusterDirectory directory, int node, int segments, long segmentBytes) {
        this.directory = directory;
        this.node = node;
        this.segmentBytes = segmentBytes;
        this.file = directory.enter(directory.memoryNode(node), "Memory Node " + node);
        try {
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

    /** Writes the whole segment, so that a lack of memory shows now and not when a page is first touched. */
    private void reserve(Path path, int segments) throws IOException {
        try (FileChannel channel = FileChannel.open(
                path,
                EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(RESERVE_CHUNK, segmentBytes));
            for (long done = 0; done < segmentBytes; ) {
                zeros.clear().limit((int) Math.min(zeros.capacity(), segmentBytes - done));
                done += channel.write(zeros);
            }
        } catch (IOException e) {
            throw new FabricException(
                    "Memory Node " + node + " cannot reserve " + segments + " segments of " + segmentBytes
                            + " bytes in "
                            + path.getParent() + " ("
                            + Files.getFileStore(path.getParent()).getUsableSpace()
                            + " bytes are free there): " + e.getMessage()
                            + ". Lower --seg-size or --segs-per-mn, or make that file system larger",
                    e);
        }
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
        return UnsafeMemory.MEMORY.readVolatileLong(address(segment, offset));
    }

    @Override
    public void set(int segment, long offset, long value) {
        UnsafeMemory.MEMORY.writeVolatileLong(address(segment, offset), value);
    }

    private long address(int segment, long offset) {
        if (closed) {
            throw new IllegalStateException("Memory Node " + node + " is closed");
        }
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
    public void publish() {
        SecureRandom random = new SecureRandom();
        List<Integer> rkeys =
                Stream.generate(random::nextInt).limit(mappings.size()).toList();
        file.publish(new Offer(random.nextLong(), segmentBytes, rkeys).toProperties());
    }

    @Override
    public PeerState peer(int computeNode) {
        Optional<NodeFile.Look> look = NodeFile.look(directory.computeNode(computeNode));
        if (look.isEmpty()) {
            return seen.contains(computeNode) ? PeerState.FINISHED : PeerState.ABSENT;
        }
        seen.add(computeNode);
        return look.get().alive() ? PeerState.JOINED : PeerState.LOST;
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            directory.leave(file, paths);
        }
    }
}
