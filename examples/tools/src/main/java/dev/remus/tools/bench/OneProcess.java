// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.cli.cluster.GracefulShutdown;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Fabric;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.MemoryNode;
import java.util.concurrent.atomic.AtomicInteger;

/** A cluster in this process: a Memory Node and a Compute Node whose only Compute Thread is the caller. */
final class OneProcess implements AutoCloseable {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    static {
        ProgramRunner.watchParent(); // ends a fork whose parent was killed
    }

    private final ClusterConfig config;
    private final MemoryNode memory;
    private final ComputeNode compute;
    private final ComputeThread ct;
    private final GracefulShutdown end;
    private final Object starting = new Object();
    private boolean started;

    /** A cluster over shared memory. */
    OneProcess() {
        this(Fabric.of(config()), config());
    }

    /** A cluster over shared memory with this limit on outstanding asynchronous operations. */
    OneProcess(int operations) {
        this(config().toBuilder().opsPerThread(operations).build());
    }

    /** A cluster over shared memory, with one segment of the given size. */
    static OneProcess withSegment(int sizeLog2) {
        return new OneProcess(config().toBuilder()
                .segmentSizeLog2(sizeLog2)
                .segmentsPerNode(1)
                .build());
    }

    private OneProcess(ClusterConfig config) {
        this(Fabric.of(config), config);
    }

    OneProcess(Fabric fabric) {
        this(fabric, config());
    }

    private OneProcess(Fabric fabric, ClusterConfig config) {
        this.config = config;
        end = new GracefulShutdown(this::abort); // registered first, because the process may end at any moment
        synchronized (starting) {
            if (end.hasBegun()) {
                throw new IllegalStateException("this process was asked to end");
            }
            memory = startMemory(config, fabric);
            compute = ComputeNode.connect(config, 0, fabric);
            ct = compute.openThread(0);
            started = true;
        }
    }

    private MemoryNode startMemory(ClusterConfig chosen, Fabric fabric) {
        try {
            return MemoryNode.start(chosen, 0, fabric);
        } catch (RuntimeException e) {
            end.close();
            throw e;
        }
    }

    private static ClusterConfig config() {
        return ClusterConfig.builder()
                .cluster("bench-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet())
                .memoryNodes(0, 0)
                .computeNodes(0, 0)
                .build();
    }

    ClusterConfig configuration() {
        return config;
    }

    ComputeThread ct() {
        return ct;
    }

    /** Ends a running measurement: the next operation of the Compute Thread throws an exception. */
    private void abort() {
        synchronized (starting) {
            if (started) {
                compute.close();
                memory.close();
            }
        }
        end.close();
    }

    @Override
    public void close() {
        ct.close();
        compute.close();
        memory.close();
        end.close();
    }
}
