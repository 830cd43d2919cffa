// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.Link;
import dev.remus.fabric.verbs.BareLoop;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.MemoryNode;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * A Memory Node at this machine's RDMA port with three clients, all in this process: a Compute Thread, a bare lane, and
 * a loop in C.
 */
final class VerbsCluster implements AutoCloseable {
    private static final int BLOCK = 64;
    private static final int NODES = 4;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final ComputeThread ct;
    private final Link link;
    private final ComputeEndpoint endpoint;
    private final BareLoop loop;
    private final long pointer;
    private final String host;

    /** @param hosts the hosts of the four nodes; empty to use the only RDMA port of this machine */
    VerbsCluster(List<String> hosts, int port) {
        ClusterConfig config = config(hosts, port);
        host = config.host(0);
        try {
            opened(MemoryNode.start(config, 0));
            ct = opened(opened(ComputeNode.connect(config, 1)).openThread(0));
            endpoint = opened(Fabric.of(config).openCompute(config, 2));
            link = opened(endpoint.connect(0, 1, config.connectTimeout()));
            loop = opened(new BareLoop(config, 3, 0));
            pointer = allocateInFirstSegment();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private static ClusterConfig config(List<String> hosts, int port) {
        ClusterConfig.Builder builder = ClusterConfig.builder()
                .fabric("verbs")
                .cluster("bench-" + ProcessHandle.current().pid())
                .memoryNodes(0, 0)
                .opsPerThread(AsyncThroughput.MAX_OUTSTANDING)
                .computeNodes(1, NODES - 1)
                .memoryPort(port);
        if (hosts.isEmpty()) {
            ClusterConfig config = builder.build();
            String host = Fabric.of(config).localHost(config).orElse("localhost");
            return builder.hosts(Collections.nCopies(NODES, host)).build();
        }
        return builder.hosts(hosts).build();
    }

    private <T extends AutoCloseable> T opened(T closeable) {
        open.push(closeable);
        return closeable;
    }

    private long allocateInFirstSegment() {
        long block = ct.allocate(BLOCK);
        while (RdmaPtr.segment(block) != 0) {
            block = ct.allocate(BLOCK);
        }
        for (int i = 0; i < BLOCK; i += Long.BYTES) {
            ct.write(block + i, 0);
        }
        return block;
    }

    ComputeThread ct() {
        return ct;
    }

    Link link() {
        return link;
    }

    ComputeEndpoint endpoint() {
        return endpoint;
    }

    BareLoop loop() {
        return loop;
    }

    /** The host of the Memory Node. */
    String host() {
        return host;
    }

    /** Eight words in segment 0, initially zero. */
    long pointer() {
        return pointer;
    }

    @Override
    public void close() {
        RuntimeException failure = null;
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                failure = failure == null ? new IllegalStateException("cannot close the cluster", e) : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
