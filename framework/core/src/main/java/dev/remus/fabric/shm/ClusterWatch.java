// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import dev.remus.fabric.LossKind;
import dev.remus.fabric.LossWord;
import dev.remus.fabric.shm.LocalClusters.Look;
import dev.remus.fabric.shm.LocalClusters.Lost;
import dev.remus.fabric.shm.LocalClusters.Node;
import dev.remus.memory.SegmentHeader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Watches one run of a cluster in shared memory from outside, beyond its end. When a run ends, its nodes remove their
 * files at once. A watch keeps them open, so it can still read how the run ended. Not for several threads.
 */
public final class ClusterWatch implements AutoCloseable {
    private final ClusterDirectory directory;
    private final Map<Integer, RandomAccessFile> memoryNodes = new TreeMap<>();
    private final Map<Integer, RandomAccessFile> computeNodes = new TreeMap<>();
    private final Map<Path, RandomAccessFile> segments = new TreeMap<>();

    /** The files of the Memory Nodes. */
    private final Map<Integer, String> processes = new TreeMap<>();

    private Optional<Look> last = Optional.empty();
    private boolean ended;

    /** @param cluster the name of the cluster */
    public ClusterWatch(String cluster) {
        this.directory = new ClusterDirectory(cluster);
    }

    /**
     * Reads the state of the cluster. Empty if there is none, and once the run has ended, even if another run with the
     * same name has begun.
     *
     * @throws IOException if shared memory cannot be read
     */
    public Optional<Look> look() throws IOException {
        if (ended) {
            return Optional.empty();
        }
        Optional<Look> look = LocalClusters.look(directory.cluster());
        if (look.isEmpty() || isAnotherRun(look.get())) {
            ended = last.isPresent();
            return Optional.empty();
        }
        last = look;
        for (Node node : look.get().nodes()) {
            keep(node);
        }
        return look;
    }

    /** Whether a run was seen and has ended since. */
    public boolean hasEnded() {
        return ended;
    }

    /** The newest state of the run. */
    public Optional<Look> last() {
        return last;
    }

    /**
     * The node whose loss the nodes detected first. If they detected none, a node whose process ended, but not in good
     * order. Empty if the run ended in good order, or goes on with all nodes.
     *
     * @throws IOException if shared memory cannot be read
     */
    public Optional<Lost> lost() throws IOException {
        for (int node : processes.keySet()) {
            Optional<long[]> loss = words(node, 0, SegmentHeader.LOSS, 1);
            if (loss.isPresent() && loss.get()[0] > 0) {
                return Optional.of(new Lost(LossWord.node(loss.get()[0]), LossWord.kind(loss.get()[0])));
            }
        }
        if (!ended) {
            return Optional.empty();
        }
        for (Map<Integer, RandomAccessFile> nodes : List.of(memoryNodes, computeNodes)) {
            for (Map.Entry<Integer, RandomAccessFile> node : nodes.entrySet()) {
                if (node.getValue().length() > 0) { // a node that ends in good order empties its file
                    return Optional.of(new Lost(node.getKey(), LossKind.ENDED));
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Reads words of the cluster's remote memory; empty if there are none at that place. The nodes may change the words
     * meanwhile, so some may be older than others.
     *
     * @param memoryNode the id of a Memory Node
     * @param segment the number of its segment
     * @param offset the offset of the first word in the segment
     * @param count the number of words
     * @throws IOException if shared memory cannot be read
     */
    public Optional<long[]> words(int memoryNode, int segment, long offset, int count) throws IOException {
        Path path = directory.segment(memoryNode, segment);
        RandomAccessFile file = segments.get(path);
        if (file == null) {
            if (ended || !FolderEntry.isOwnFile(path)) { // at its end, the file may be that of another run
                return Optional.empty();
            }
            try {
                file = new RandomAccessFile(path.toFile(), "r");
            } catch (FileNotFoundException e) {
                return Optional.empty();
            }
            segments.put(path, file);
        }
        byte[] bytes = new byte[count * Long.BYTES];
        if (offset > file.length() - bytes.length) {
            return Optional.empty();
        }
        file.seek(offset);
        file.readFully(bytes);
        long[] words = new long[count];
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).asLongBuffer().get(words);
        return Optional.of(words);
    }

    private boolean isAnotherRun(Look look) {
        return look.nodes().stream()
                .filter(node -> node.isMemoryNode() && !node.pid().isEmpty()) // it may be writing its file just now
                .anyMatch(node ->
                        !processes.computeIfAbsent(node.id(), id -> node.pid()).equals(node.pid()));
    }

    /** Opens the file that shows how the node ended. */
    private void keep(Node node) throws IOException {
        if (node.state() == LocalClusters.State.FINISHED) {
            return;
        }
        if (node.isMemoryNode()) {
            words(node.id(), 0, SegmentHeader.LOSS, 1);
        }
        Map<Integer, RandomAccessFile> nodes = node.isMemoryNode() ? memoryNodes : computeNodes;
        if (!nodes.containsKey(node.id())) {
            Path file = node.isMemoryNode() ? directory.memoryNode(node.id()) : directory.computeNode(node.id());
            NodeFile.open(file).ifPresent(opened -> nodes.put(node.id(), opened));
        }
    }

    @Override
    public void close() throws IOException {
        List<RandomAccessFile> files = new ArrayList<>(memoryNodes.values());
        files.addAll(computeNodes.values());
        files.addAll(segments.values());
        for (RandomAccessFile file : files) {
            file.close();
        }
    }
}
