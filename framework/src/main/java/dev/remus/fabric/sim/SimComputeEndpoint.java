package dev.remus.fabric.sim;

import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalMemory;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.PeerState;
import dev.remus.fabric.RemoteMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A simulated Compute Node's side of the fabric. */
final class SimComputeEndpoint implements ComputeEndpoint {
    private final SimFabric fabric;
    private final SimFabric.Id id;
    private final List<SimLink> links = new ArrayList<>();
    private volatile boolean closed;

    SimComputeEndpoint(SimFabric fabric, SimFabric.Id id) {
        this.fabric = fabric;
        this.id = id;
    }

    SimFabric.Id id() {
        return id;
    }

    @Override
    public int node() {
        return id.node();
    }

    List<SimLink> links() {
        return links;
    }

    @Override
    public Link connect(int memoryNode, int lanes, Duration timeout) {
        if (lanes < 1) {
            throw new IllegalArgumentException("a link with " + lanes + " lanes: needs at least 1");
        }
        long deadline = fabric.now() + timeout.toNanos();
        for (int attempt = 0; ; attempt++) {
            checkOpen();
            Optional<SimMemoryEndpoint> memory = fabric.published(new SimFabric.Id(id.cluster(), memoryNode));
            if (memory.isPresent()) {
                SimLink link = new SimLink(fabric, id.node(), memory.get(), lanes);
                synchronized (fabric.simulator()) {
                    links.add(link);
                }
                memory.get().setPeer(id.node(), PeerState.JOINED);
                return link;
            }
            if (fabric.now() - deadline > 0) {
                throw new NodeLostException(
                        memoryNode,
                        "Compute Node " + id.node() + " found no Memory Node " + memoryNode + " within "
                                + timeout.toMillis() + " ms");
            }
            fabric.pause(attempt);
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("Compute Node " + id.node() + " is closed");
        }
    }

    @Override
    public LocalMemory allocateLocal(long bytes) {
        return LocalMemory.unregistered(bytes);
    }

    /** None: the blocking operations are to be simulated as what they are, posted chains. */
    @Override
    public Optional<RemoteMemory> directMemory(List<Link> links) {
        return Optional.empty();
    }

    @Override
    public void abandon() {
        leave(PeerState.LOST);
    }

    @Override
    public void close() {
        leave(PeerState.FINISHED);
    }

    private void leave(PeerState how) {
        if (!closed) {
            closed = true;
            for (SimLink link : links) {
                link.close();
                link.memory().setPeer(id.node(), how);
            }
            fabric.remove(this);
        }
    }
}
