// SPDX-License-Identifier: Apache-2.0
package dev.remus.process;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The processes of a cluster on this machine. When a node fails, the others get some time to report the loss and end by
 * themselves; then they are stopped. One thread uses it.
 */
public final class NodeGroup {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long TO_STOP_MILLIS = 3_000;
    private static final long TO_DIE_MILLIS = 1_000;

    private final List<NodeProcess> nodes = new ArrayList<>();

    /** Adds a node, which runs. */
    public void add(NodeProcess node) {
        nodes.add(node);
    }

    /** The nodes, in the order in which they were added; a copy. */
    public List<NodeProcess> nodes() {
        return List.copyOf(nodes);
    }

    /**
     * Waits until all nodes have ended, or the time after a failure is over. An interrupt does not end the wait unless
     * {@code stop} reports it.
     *
     * @param stop ends the wait when it is true
     * @param millisAfterFailure the time for the other nodes after the first failure; called once a node has failed
     */
    public void await(BooleanSupplier stop, LongSupplier millisAfterFailure) {
        await(stop, NodeProcess::hasFailed, millisAfterFailure);
    }

    /**
     * The same for a cluster that goes on after the end of some nodes.
     *
     * @param isFailure whether the others end because of a node
     */
    public void await(BooleanSupplier stop, Predicate<NodeProcess> isFailure, LongSupplier millisAfterFailure) {
        long failedAt = 0;
        while (!stop.getAsBoolean() && nodes.stream().anyMatch(NodeProcess::isAlive)) {
            if (failedAt == 0 && nodes.stream().anyMatch(isFailure)) {
                failedAt = System.nanoTime();
            }
            if (failedAt != 0
                    && System.nanoTime() - failedAt > TimeUnit.MILLISECONDS.toNanos(millisAfterFailure.getAsLong())) {
                return;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Stops the nodes that still run, and waits until they have ended and all their lines are read. */
    public void stopAll() {
        nodes.forEach(NodeProcess::stop);
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TO_STOP_MILLIS);
        nodes.forEach(node -> node.await(Math.max(0, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()))));
        nodes.stream().filter(NodeProcess::isAlive).forEach(node -> {
            node.kill();
            node.await(TO_DIE_MILLIS);
        });
    }

    /** The nodes that have failed, in the order of their failures; those that had to be stopped are last. */
    public List<NodeProcess> failed() {
        return nodes.stream()
                .filter(NodeProcess::hasFailed)
                .sorted(Comparator.comparing(NodeProcess::wasStopped).thenComparing(NodeProcess::endedNanos))
                .toList();
    }
}
