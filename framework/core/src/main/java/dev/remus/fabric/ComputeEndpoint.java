package dev.remus.fabric;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A Compute Node's side of the fabric. */
public interface ComputeEndpoint extends AutoCloseable {
    /** This Compute Node's id. */
    int node();

    /**
     * Connects to a Memory Node, waiting until it listens.
     *
     * @param memoryNode its id
     * @param lanes how many lanes to open, at least 1
     * @param timeout how long to wait for it
     * @throws NodeLostException if it was not there in time
     * @throws FabricException if it offers something that cannot be used, such as another layout version
     */
    Link connect(int memoryNode, int lanes, Duration timeout);

    /** Local memory that requests on this endpoint's lanes may name; {@code bytes} a multiple of 8, at most 2^30. */
    LocalBuffer allocateLocal(long bytes);

    /**
     * Blocking operations that are cheaper than posting and polling, if this fabric has them. To be called once for
     * each thread, since what it returns belongs to one thread.
     *
     * @param links the connections whose segments it shall reach
     */
    Optional<BlockingOperations> directOperations(List<Link> links);

    /**
     * Where this node can show a text to people who watch the cluster, if the fabric has such a place. A new text
     * replaces the one before; it may fail with any {@link RuntimeException}, which is no reason to give up anything
     * else.
     */
    default Optional<Consumer<String>> noticeBoard() {
        return Optional.empty();
    }

    /**
     * Leaves without saying goodbye, closing all links: Memory Nodes see this node as lost, as if its process had died.
     * Does nothing after {@link #close}; may be called again.
     */
    void abandon();

    /** Leaves in good order, closing all links. Does nothing after {@link #abandon}; may be called again. */
    @Override
    void close();
}
