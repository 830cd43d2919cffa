// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import dev.remus.fabric.LossKind;
import dev.remus.fabric.LossWord;
import dev.remus.fabric.ProcessStat;
import dev.remus.memory.SegmentHeader;
import java.io.IOException;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Reads the state of this user's clusters in shared memory from outside: their nodes, the nodes' texts on the notice
 * board, and how full the segments are. Changes nothing and joins no cluster.
 */
public final class LocalClusters {
    /** The state of a node. */
    public enum State {
        /** Its process runs. */
        RUNNING,
        /** Its process is stopped, as by SIGSTOP or Ctrl-Z, and can go on. */
        STOPPED,
        /** It is a Compute Node that has left in good order. */
        FINISHED,
        /** Its process has ended, but not in good order. */
        LOST
    }

    /**
     * A node.
     *
     * @param id its id
     * @param isMemoryNode whether this is the node's part as a Memory Node
     * @param state the node's state
     * @param pid the id of its process, if known
     * @param notice the entries of the node's notice, by name; empty if there is none
     */
    public record Node(int id, boolean isMemoryNode, State state, String pid, Map<String, String> notice) {
        /** Copies the notice. */
        public Node {
            notice = Map.copyOf(notice);
        }
    }

    /**
     * A segment.
     *
     * @param memoryNode the id of its Memory Node
     * @param segment its number there
     * @param used the bytes that were ever allocated, including the header
     * @param bytes the segment's size
     */
    public record Segment(int memoryNode, int segment, long used, long bytes) {}

    /**
     * A cluster at one moment.
     *
     * @param name its name
     * @param nodes the nodes that were seen, Memory Nodes first
     * @param segments the segments of all Memory Nodes
     * @param lost the first node that was detected as lost, if any
     */
    public record Look(String name, List<Node> nodes, List<Segment> segments, Optional<Lost> lost) {
        /** Copies the lists. */
        public Look {
            nodes = List.copyOf(nodes);
            segments = List.copyOf(segments);
        }
    }

    /**
     * A node that was lost.
     *
     * @param node its id
     * @param kind how it was lost
     */
    public record Lost(int node, LossKind kind) {}

    private static final String MEMORY = "memory-";
    private static final String COMPUTE = "compute-";

    private LocalClusters() {}

    /**
     * The names of all clusters that have files in shared memory.
     *
     * @throws IOException if shared memory cannot be read
     */
    public static List<String> names() throws IOException {
        return ClusterDirectory.clusters();
    }

    /**
     * Reads the state of a cluster; empty if it does not exist, or no longer.
     *
     * @throws IOException if shared memory cannot be read
     */
    public static Optional<Look> look(String name) throws IOException {
        ClusterDirectory directory = new ClusterDirectory(name);
        List<Node> memory = new ArrayList<>();
        List<Node> compute = new ArrayList<>();
        List<Segment> segments = new ArrayList<>();
        Optional<Lost> lost = Optional.empty();
        for (Path file : directory.files()) {
            String words = file.getFileName().toString();
            if (words.startsWith(ClusterDirectory.FINISHED + COMPUTE)) {
                int id = number(words, ClusterDirectory.FINISHED + COMPUTE);
                compute.add(new Node(id, false, State.FINISHED, "", Map.of()));
            } else if (words.startsWith(COMPUTE) && !words.contains(".")) {
                node(file, number(words, COMPUTE), false, notice(file)).ifPresent(compute::add);
            } else if (words.startsWith(MEMORY) && !words.contains(".")) {
                node(file, number(words, MEMORY), true, notice(file)).ifPresent(memory::add);
            } else if (words.startsWith(MEMORY) && words.contains(".seg-")) {
                int dot = words.indexOf(".seg-");
                Optional<ByteBuffer> header = header(file);
                if (header.isPresent()) {
                    int id = number(words.substring(0, dot), MEMORY);
                    segments.add(segment(id, number(words.substring(dot), ".seg-"), header.get()));
                    long word = header.get().getLong(SegmentHeader.LOSS);
                    lost = word == 0 || lost.isPresent()
                            ? lost
                            : Optional.of(new Lost(LossWord.node(word), LossWord.kind(word)));
                }
            }
        }
        if (memory.isEmpty() && compute.isEmpty()) {
            return Optional.empty();
        }
        memory.sort((a, b) -> Integer.compare(a.id(), b.id()));
        compute.sort((a, b) -> Integer.compare(a.id(), b.id()));
        memory.addAll(compute);
        segments.sort((a, b) -> Integer.compare(a.memoryNode() << 8 | a.segment(), b.memoryNode() << 8 | b.segment()));
        return Optional.of(new Look(name, List.copyOf(memory), List.copyOf(segments), lost));
    }

    private static Optional<Node> node(Path file, int id, boolean isMemoryNode, Map<String, String> notice) {
        return NodeFile.look(file).map(look -> new Node(id, isMemoryNode, state(look), look.pid(), notice));
    }

    private static State state(NodeFile.Look look) {
        if (!look.alive()) {
            return State.LOST;
        }
        return ProcessStat.of(look.pid()).filter(ProcessStat::isStopped).isPresent() ? State.STOPPED : State.RUNNING;
    }

    private static Map<String, String> notice(Path node) throws IOException {
        Map<String, String> notice = new LinkedHashMap<>();
        Path file = ClusterDirectory.notice(node);
        if (!FolderEntry.isOwnFile(file)) {
            return notice; // it has written none yet
        }
        Properties found = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            found.load(reader);
        } catch (NoSuchFileException e) {
            return notice; // it has ended meanwhile
        }
        found.stringPropertyNames().forEach(key -> notice.put(key, found.getProperty(key)));
        return notice;
    }

    /** The header; empty if the segment is not ready, or has gone. */
    private static Optional<ByteBuffer> header(Path file) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(SegmentHeader.BYTES).order(ByteOrder.nativeOrder());
        try (FileChannel channel = FileChannel.open(file)) {
            while (header.hasRemaining() && channel.read(header, header.position()) > 0) {}
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        boolean ready =
                !header.hasRemaining() && header.getLong(SegmentHeader.MAGIC) == SegmentHeader.MAGIC_AND_VERSION;
        return ready ? Optional.of(header) : Optional.empty();
    }

    private static Segment segment(int memoryNode, int segment, ByteBuffer header) {
        long end = header.getLong(SegmentHeader.END);
        return new Segment(memoryNode, segment, Math.min(header.getLong(SegmentHeader.ALLOCATED), end), end);
    }

    private static int number(String name, String prefix) {
        return Integer.parseInt(name.substring(prefix.length()));
    }
}
