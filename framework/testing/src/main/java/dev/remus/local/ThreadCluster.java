// SPDX-License-Identifier: Apache-2.0
package dev.remus.local;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Fabric;
import dev.remus.node.ComputeNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A cluster whose nodes are threads of this JVM. Bodies are lambdas, and may record results in shared Java objects that
 * are safe for threads.
 *
 * <pre>{@code
 * new ThreadCluster(LocalConfig.of(1, 2, 2).build()).run(ct -> { ... });
 * }</pre>
 */
public final class ThreadCluster {
    /** The time limit of {@link #run}, unless {@link #within} sets another. */
    public static final Duration TIME_LIMIT = Duration.ofSeconds(60);

    /** The time for threads to end after they were asked to: long, since Memory Nodes wait for others to take leave. */
    private static final Duration TO_END = Duration.ofSeconds(20);

    private static final long POLL_MILLIS = 10;

    private final ClusterConfig config;
    private Duration limit = TIME_LIMIT;

    /** Makes a cluster, which {@link #run} starts. */
    public ThreadCluster(ClusterConfig config) {
        this.config = LocalConfig.withHosts(config);
    }

    /** Sets the time after which {@link #run} ends the cluster and fails. */
    public ThreadCluster within(Duration time) {
        limit = TimeLimit.checked(time);
        return this;
    }

    /** The configuration of the cluster. */
    public ClusterConfig config() {
        return config;
    }

    /**
     * Starts the cluster, runs the body in every Compute Thread, and waits until all nodes have ended. May be called
     * again: each run is a new cluster.
     *
     * @throws Exception the first exception of a body; reports of other nodes that this node is lost come after it
     * @throws AssertionError if a body threw one, or the cluster has not finished within its time limit; the message
     *     then has the stack of each of its threads, and the cause is the first exception of a body, if any
     * @throws InterruptedException if this thread is interrupted; the cluster has ended then
     */
    public void run(ComputeNode.Body body) throws Exception {
        run(body, after(limit));
    }

    /** The same with any other reason to end the cluster as one that hangs. */
    void run(ComputeNode.Body body, BooleanSupplier late) throws Exception {
        ThreadGroup group = new ThreadGroup(config.cluster());
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<LocalNode> nodes = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        CountDownLatch connecting = new CountDownLatch(config.computeNodes());
        for (int id = config.lowestNode(); id <= config.highestNode(); id++) {
            LocalNode node = new LocalNode(config, id, body, connecting);
            Thread thread = new Thread(group, () -> run(node, failures, connecting), config.cluster() + "-node-" + id);
            thread.setDaemon(true);
            nodes.add(node);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
        try {
            if (!join(threads, late)) {
                Throwable first = first(failures); // others may wait for the thread that has failed
                AssertionError hangs = new AssertionError(TimeLimit.exceeded(limit) + ":\n" + Stacks.of(group), first);
                failures.stream().filter(failure -> failure != first).forEach(hangs::addSuppressed);
                end(nodes, group, threads, "the test's time limit is over");
                throw hangs;
            }
        } catch (InterruptedException e) {
            end(nodes, group, threads, "the test was interrupted");
            throw e;
        }
        throwFirst(List.copyOf(failures));
    }

    private static void run(LocalNode node, ConcurrentLinkedQueue<Throwable> failures, CountDownLatch connecting) {
        try {
            node.run();
        } catch (Throwable e) { // of any kind: the caller of run gets it
            failures.add(e);
            while (connecting.getCount() > 0) {
                connecting.countDown(); // the others need not wait for it
            }
        }
    }

    /** A condition that holds when the time is over. */
    static BooleanSupplier after(Duration time) {
        long deadline = System.nanoTime() + time.toNanos();
        return () -> System.nanoTime() - deadline > 0;
    }

    /** Whether all threads have ended in time. */
    private static boolean join(List<Thread> threads, BooleanSupplier late) throws InterruptedException {
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                thread.join(POLL_MILLIS);
                if (late.getAsBoolean()) {
                    return threads.stream().noneMatch(Thread::isAlive);
                }
            }
        }
        return true;
    }

    private void end(List<LocalNode> nodes, ThreadGroup group, List<Thread> threads, String reason)
            throws InterruptedException {
        nodes.forEach(node -> node.abort(reason));
        group.interrupt();
        if (join(threads, after(TO_END))) {
            Fabric.of(config).removeRemains(config);
        }
    }

    /** The first failure that is not a report of a lost node, or else the first of all; null if there is none. */
    private static @Nullable Throwable first(Collection<Throwable> failures) {
        return failures.stream()
                .filter(failure -> !NodeFailure.isReport(failure))
                .findFirst()
                .or(() -> failures.stream().findFirst())
                .orElse(null);
    }

    private static void throwFirst(List<Throwable> failures) throws Exception {
        Throwable first = first(failures);
        if (first == null) {
            return;
        }
        failures.stream().filter(failure -> failure != first).forEach(first::addSuppressed);
        if (first instanceof Exception e) {
            throw e;
        }
        throw (Error) first;
    }
}
