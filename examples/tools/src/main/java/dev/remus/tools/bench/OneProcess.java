package dev.remus.tools.bench;

import dev.remus.cli.cluster.GracefulShutdown;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Fabric;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.MemoryNode;
import java.util.concurrent.atomic.AtomicInteger;

/** A Memory Node and a Compute Node with one Compute Thread, the calling one, all in this process. */
final class OneProcess implements AutoCloseable {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    static {
        ProgramRunner.watchParent(); // a fork whose parent was killed would go on measuring
    }

    private final ClusterConfig config;
    private final MemoryNode memory;
    private final ComputeNode compute;
    private final ComputeThread ct;
    private final GracefulShutdown end;
    private final Object starting = new Object();
    private boolean started;

    /** Over shared memory. */
    OneProcess() {
        this(Fabric.of(config()), config());
    }

    /** The same with so many asynchronous operations outstanding. */
    OneProcess(int operations) {
        this(config().toBuilder().opsPerThread(operations).build());
    }

    /** Over shared memory, with one segment of a certain size. */
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
        end = new GracefulShutdown(this::giveUp); // first: the process may end at any moment
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

    /** In the middle of a measurement: what the Compute Thread does next throws an exception. */
    private void giveUp() {
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
