// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A Compute Node's side of the fabric. */
public interface ComputeEndpoint extends AutoCloseable {
    /** This Compute Node's id. */
    int node();

    /** The incarnation of this Compute Node: a number that differs from one start of it to the next. */
    long incarnation();

    /**
     * Connects to a Memory Node, after waiting until it listens.
     *
     * @param memoryNode its id
     * @param lanes how many lanes to open, at least 1
     * @param timeout how long to wait
     * @throws NodeLostException if the Memory Node did not listen in time
     * @throws FabricException if the Memory Node's offer cannot be used, for example because of another layout version
     */
    Link connect(int memoryNode, int lanes, Duration timeout);

    /**
     * Allocates local memory that requests on this endpoint's lanes may name. {@code bytes} is a multiple of 8, at most
     * 2^30.
     */
    LocalBuffer allocateLocal(long bytes);

    /**
     * Blocking operations that are cheaper than posting and polling, if this fabric has them. To be called once for
     * each thread, since the operations belong to one thread.
     *
     * @param links the connections whose segments the operations access
     */
    Optional<BlockingOperations> directOperations(List<Link> links);

    /**
     * Single operations that are cheaper than posting and polling, if this fabric has them but no {@link
     * #directOperations}. To be called once for each thread, since the operations belong to one thread.
     *
     * @param links the connections whose segments the operations access
     */
    default Optional<SingleOperations> singleOperations(List<Link> links) {
        return Optional.empty();
    }

    /**
     * Access to shadow words that is no part of what the program does, if this fabric has it. Otherwise the thread's
     * blocking operations serve. To be called once for each thread.
     *
     * @param links the connections whose segments the operations access
     */
    default Optional<ShadowOperations> shadowOperations(List<Link> links) {
        return Optional.empty();
    }

    /**
     * The place where this node can show a text to a program that watches the cluster, if the fabric has one. A new
     * text replaces the one before. Showing it may fail with any {@link RuntimeException}, which must not end anything
     * else.
     */
    default Optional<Consumer<String>> noticeBoard() {
        return Optional.empty();
    }

    /**
     * Closes all links without leaving in good order: Memory Nodes regard this node as lost, as if its process had
     * died. Does nothing after {@link #close}. May be called again.
     */
    void abandon();

    /** Leaves in good order, closing all links. Does nothing after {@link #abandon}. May be called again. */
    @Override
    void close();
}
