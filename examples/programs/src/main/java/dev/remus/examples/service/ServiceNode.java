// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service;

import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeNode;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A Compute Node that serves the map through an HTTP front.
 *
 * <pre>{@code
 * try (ServiceNode node = new ServiceNode(config, 1, limits, 8081)) { // listens: /health is 503, starting
 *     node.start();                                                   // joins the cluster: /health is 200
 *     awaitStop();
 * }                                                                   // leaves it in good order
 * }</pre>
 *
 * <p>{@link #close} stops gracefully: {@code /health} turns to 503 while requests are still served, then running
 * requests end, the Compute Threads close, and the node leaves. A node that has left, or was killed, comes back under
 * its id with {@code --returns}.
 */
final class ServiceNode implements AutoCloseable {
    private final ClusterConfig config;
    private final int id;
    private final Limits limits;
    private final PrintStream err;
    private final Meters meters = new Meters();
    private final Front front;
    private volatile Health health = new Health(Health.State.STARTING, "starting");
    private @Nullable ComputeNode node;
    private @Nullable ThreadPool threads;

    /**
     * Opens the front.
     *
     * @param port 0 for a free one
     * @param err receives where a thread is whose operation has not ended in time
     * @throws IOException if the port is in use
     */
    ServiceNode(ClusterConfig config, int id, Limits limits, int port, PrintStream err) throws IOException {
        this.config = config;
        this.id = id;
        this.limits = limits;
        this.err = err;
        String who = "node " + id + ", process " + ProcessHandle.current().pid();
        this.front = new Front(port, config.threadsPerNode(), limits, meters, () -> health, who);
    }

    /** Where the front listens. */
    String url() {
        return front.url();
    }

    /** Whether the node serves, and if not, why. */
    Health health() {
        return health;
    }

    /**
     * Joins the cluster, and serves from then on. To be called once.
     *
     * @throws dev.remus.fabric.FabricException if it cannot join
     */
    void start() {
        ComputeNode joined = ComputeNode.connect(config, id);
        node = joined;
        ThreadPool pool = new ThreadPool(joined, limits, this::fail, this::report);
        threads = pool;
        meters.watch(joined, pool);
        front.serveWith(pool);
        become(Health.State.SERVING, "serving");
    }

    private void fail(Throwable e) {
        become(Health.State.FAILED, String.valueOf(e.getMessage()));
    }

    private void report(String what) {
        err.println("remus: node " + id + ": " + what);
    }

    /** A state may only be followed by a later one. */
    private synchronized void become(Health.State state, String reason) {
        if (state.compareTo(health.state()) > 0) {
            health = new Health(state, reason);
            notifyAll();
        }
    }

    /** Waits until the node cannot go on, or this thread is interrupted. */
    synchronized void awaitFailure() throws InterruptedException {
        while (health.state() != Health.State.FAILED) {
            wait();
        }
    }

    /** Stops as described above. May be called again. */
    @Override
    public void close() {
        boolean interrupted = Thread.interrupted();
        try {
            if (health.isServing()) {
                become(Health.State.STOPPING, "stopping");
                TimeUnit.NANOSECONDS.sleep(limits.drainTime().toNanos());
                front.awaitIdle(limits.requestTime());
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        front.close();
        if (threads != null) {
            threads.close();
        }
        if (node != null) {
            node.close();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
