// SPDX-License-Identifier: Apache-2.0
package example;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.MemoryNode;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;

/** A counter in remote memory. */
public final class Counter {
    /** What all threads share. */
    public static final class Shared extends RemoteRecord {
        final RemoteLong count = longField();
    }

    private final Shared This = new Shared();

    /** Creates a counter in remote memory. */
    public static RdmaPtr<Shared> create(ComputeThread ct) {
        Shared shared = new Shared();
        shared.allocate(ct);
        shared.count.store(0, ct);
        return new RdmaPtr<>(shared.pointer());
    }

    /** Creates this thread's handle. */
    public Counter(RdmaPtr<Shared> This) {
        this.This.at(This);
    }

    /** Adds 1, and returns the count before. */
    public long increment(ComputeThread ct) {
        return This.count.fetchAdd(1, ct);
    }

    /** Counts in four threads on shared memory. */
    public static void main(String[] args) throws Exception {
        ClusterConfig config = ClusterConfig.builder()
                .cluster("set-up-" + ProcessHandle.current().pid())
                .memoryNodes(0, 0)
                .computeNodes(0, 0)
                .threadsPerNode(4)
                .build();
        try (MemoryNode memory = MemoryNode.start(config, 0);
                ComputeNode compute = ComputeNode.connect(config, 0)) {
            compute.runThreads(ct -> {
                if (ct.id() == 0) {
                    ct.root().set(create(ct));
                }
                ct.barrier();
                Counter counter = new Counter(ct.root().get());
                for (int i = 0; i < 1000; i++) {
                    counter.increment(ct);
                }
                ct.barrier();
                if (ct.id() == 0) {
                    System.out.println("counted " + counter.increment(ct));
                }
                ct.barrier();
            });
        }
    }
}
