// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * One test's cluster: Memory Nodes 0 and 1, Compute Nodes 1 to 4, two segments of 64 KiB each. It opens endpoints, and
 * closes those that the test leaves open, the last one first.
 */
final class TestEndpoints implements AutoCloseable {
    /** The time limit of a test's waits. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The size of a segment, unless {@link #withSegmentSize} sets another. */
    static final int SEGMENT_BYTES = 1 << 16;

    /** The number of lanes that {@link #client} opens. */
    static final int LANES = 4;

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final int FIRST_PORT = 21_000;
    private static final int PORTS = 10_000;

    private final Fabric fabric;
    private final UnaryOperator<ClusterConfig.Builder> configure;
    private final ClusterConfig config;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    TestEndpoints(Fabric fabric, UnaryOperator<ClusterConfig.Builder> configure) {
        this(fabric, configure, Integer.numberOfTrailingZeros(SEGMENT_BYTES));
    }

    private TestEndpoints(Fabric fabric, UnaryOperator<ClusterConfig.Builder> configure, int segmentSizeLog2) {
        int number = NUMBER.incrementAndGet();
        this.fabric = fabric;
        this.configure = configure;
        this.config = configure
                .apply(ClusterConfig.builder()
                        .fabric(fabric.name())
                        .cluster("test-" + ProcessHandle.current().pid() + "-" + number)
                        .memoryNodes(0, 1)
                        .computeNodes(1, 4)
                        .memoryPort(FIRST_PORT + number % PORTS)
                        .segmentSizeLog2(segmentSizeLog2)
                        .segmentsPerNode(2)
                        .lanes(LANES))
                .build();
    }

    /** Another cluster with another name and segments of 2^log2 bytes. It is closed together with this one. */
    TestEndpoints withSegmentSize(int log2) {
        return closing(new TestEndpoints(fabric, configure, log2));
    }

    Fabric fabric() {
        return fabric;
    }

    ClusterConfig config() {
        return config;
    }

    /** Opens a Memory Node to which no node can connect yet. */
    MemoryEndpoint openMemory(int node) {
        return closing(fabric.openMemory(config, node));
    }

    /** Opens and publishes Memory Node 0. */
    MemoryEndpoint memory() {
        return memory(0);
    }

    MemoryEndpoint memory(int node) {
        MemoryEndpoint memory = openMemory(node);
        memory.publish();
        return memory;
    }

    ComputeEndpoint openCompute(int node) {
        return closing(fabric.openCompute(config, node));
    }

    /** Opens a Compute Node and connects it to Memory Node 0. */
    TestClient client(int node) {
        ComputeEndpoint endpoint = openCompute(node);
        return new TestClient(endpoint, endpoint.connect(0, LANES, PATIENCE));
    }

    /** A thread's access to Memory Node 0, on the first lane of a Compute Node that is opened for it. */
    Caller caller(int node) {
        return client(node).caller(0);
    }

    /** Registers an object to be closed with this cluster. */
    <T extends AutoCloseable> T closing(T closeable) {
        synchronized (open) {
            open.push(closeable);
        }
        return closeable;
    }

    @Override
    public void close() {
        AssertionError failed = null;
        while (true) {
            AutoCloseable next;
            synchronized (open) {
                next = open.poll();
            }
            if (next == null) {
                break;
            }
            try {
                next.close();
            } catch (Exception e) {
                failed = failed == null ? new AssertionError("cannot close " + next, e) : failed;
            }
        }
        if (failed != null) {
            throw failed;
        }
    }

    /** After {@link #close}: starts and ends the same nodes once more, on zeroed memory. */
    void startAgain() {
        try (MemoryEndpoint memory = fabric.openMemory(config, 0);
                ComputeEndpoint compute = fabric.openCompute(config, 1)) {
            memory.publish();
            Link link = compute.connect(0, 1, PATIENCE);
            assertThat(new TestClient(compute, link).caller(0).read(0, 64)).isZero();
        }
    }
}
