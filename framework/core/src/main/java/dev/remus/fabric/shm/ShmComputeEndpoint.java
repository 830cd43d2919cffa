// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.CostModel;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.InterruptedWaitException;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.LocalSlabs;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.SingleOperations;
import dev.remus.fabric.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A Compute Node that maps the segments of Memory Nodes on the same machine. */
final class ShmComputeEndpoint implements ComputeEndpoint {
    private static final long POLL_MILLIS = 5;

    private final ClusterDirectory directory;
    private final int node;
    private final NodeFile file;
    private final List<ShmLink> links = new ArrayList<>();
    private final LocalSlabs local = new LocalSlabs(LocalBuffer::unregistered);

    /** The hardware whose latency is emulated. */
    private final Optional<CostModel> emulated;

    /** Until when the emulated card of this node is busy. */
    private final AtomicLong card = new AtomicLong(System.nanoTime());

    private boolean closed;

    ShmComputeEndpoint(ClusterDirectory directory, int node, Optional<CostModel> emulated) {
        this.emulated = emulated;
        this.directory = directory;
        this.node = node;
        this.file = directory.enter(directory.computeNode(node), "Compute Node " + node);
    }

    @Override
    public int node() {
        return node;
    }

    @Override
    public long incarnation() {
        return file.incarnation();
    }

    @Override
    public Link connect(int memoryNode, int lanes, Duration timeout) {
        if (lanes < 1) {
            throw new IllegalArgumentException("a link with " + lanes + " lanes: needs at least 1");
        }
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            checkOpen();
            Optional<ShmLink> link = tryConnect(memoryNode, lanes);
            if (link.isPresent()) {
                add(link.get());
                return link.get();
            }
            if (System.nanoTime() - deadline > 0) {
                throw new NodeLostException(
                        memoryNode,
                        LossKind.NEVER_JOINED,
                        "Compute Node " + node + " found no Memory Node " + memoryNode + " of cluster '"
                                + directory.cluster() + "' on this machine within " + timeout.toMillis()
                                + " ms: it was not started, or its run is over");
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedWaitException("interrupted while connecting to Memory Node " + memoryNode, e);
            }
        }
    }

    private synchronized void checkOpen() {
        if (closed) {
            throw new IllegalStateException("Compute Node " + node + " is closed");
        }
    }

    private synchronized void add(ShmLink link) {
        if (closed) {
            link.close();
            throw new IllegalStateException("Compute Node " + node + " is closed");
        }
        links.add(link);
    }

    /** Maps the segments that the node file offers, unless the file is missing, not ready, or that of a dead node. */
    private Optional<ShmLink> tryConnect(int memoryNode, int lanes) {
        Path path = directory.memoryNode(memoryNode);
        Optional<NodeFile.Look> look = NodeFile.look(path);
        if (look.isEmpty() || !look.get().alive() || !look.get().published()) {
            return Optional.empty();
        }
        Version theirs = look.get().version().orElseThrow(); // it is published
        if (!directory.version().fits(theirs)) {
            throw directory.version().refusal("Memory Node " + memoryNode, theirs);
        }
        Offer offer = Offer.of(look.get().contents(), memoryNode);
        List<Mapping> mappings = new ArrayList<>();
        try {
            for (int i = 0; i < offer.rkeys().size(); i++) {
                Path segment = directory.segment(memoryNode, i);
                if (!FolderEntry.existsForThisUserAlone(segment)) {
                    return Optional.empty(); // the node has ended meanwhile
                }
                long bytes = Files.size(segment);
                if (bytes != offer.segmentBytes()) {
                    throw new FabricException(segment + " has " + bytes + " bytes, but Memory Node " + memoryNode
                            + " offers " + offer.segmentBytes() + ": the file was changed");
                }
                mappings.add(new Mapping(segment, bytes));
            }
        } catch (NoSuchFileException e) {
            return Optional.empty(); // the node has ended meanwhile
        } catch (IOException e) {
            throw new FabricException("cannot map the segments of Memory Node " + memoryNode + ": " + e, e);
        }
        return NodeWatch.of(path, () -> isStillFrom(offer, path)) // otherwise the files are those of another run
                .map(watch -> new ShmLink(new MappedNode(watch, mappings), memoryNode, offer, lanes, path(memoryNode)));
    }

    private @Nullable EmulatedPath path(int memoryNode) {
        return emulated.map(model -> new EmulatedPath(model, card, memoryNode == node))
                .orElse(null);
    }

    private static boolean isStillFrom(Offer offer, Path path) {
        return NodeFile.look(path)
                .map(look -> look.alive() && look.published() && offer.isFrom(look.contents()))
                .orElse(false);
    }

    @Override
    public LocalBuffer allocateLocal(long bytes) {
        return local.allocate(bytes);
    }

    /** None if a latency is emulated: then lanes have it, as on a card. */
    @Override
    public Optional<BlockingOperations> directOperations(List<Link> links) {
        return emulated.isPresent()
                ? Optional.empty()
                : Optional.of(
                        new ShmMemory(links.stream().map(ShmLink.class::cast).toList()));
    }

    /** With an emulated latency: they have it too, and take less of the processor than a lane. */
    @Override
    public Optional<SingleOperations> singleOperations(List<Link> links) {
        return emulated.map(model ->
                new EmulatedOperations(links.stream().map(ShmLink.class::cast).toList()));
    }

    @Override
    public Optional<Consumer<String>> noticeBoard() {
        return Optional.of(this::putUp);
    }

    private synchronized void putUp(String notice) {
        if (!closed) { // else the folder may be gone, and must not be kept
            ClusterDirectory.putUp(directory.computeNode(node), notice);
        }
    }

    @Override
    public synchronized void abandon() {
        if (!closed) {
            closed = true;
            links.forEach(ShmLink::close);
            directory.abandon(file);
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            links.forEach(ShmLink::close);
            ClusterDirectory.takeDown(directory.computeNode(node));
            directory.finish(file, node);
        }
    }
}
