// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.MemoryNode;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;

/**
 * A lock-free stack, after R. K. Treiber, "Systems Programming: Coping with
 * Parallelism" (IBM RJ 5118, 1986).
 */
public final class RemoteStack {
    /** A view: its fields are in remote memory. */
    static final class Node extends RemoteRecord {
        final RemoteLong value = longField();
        final RemoteRef<Node> next = refField();
    }

    static final class Shared extends RemoteRecord {
        final RemoteRef<Node> top = refField();
    }

    // data is distributed ...
    private final Shared This = new Shared();

    // ... code is replicated: one handle for each thread
    private final Node node = new Node();

    static RdmaPtr<Shared> create(ComputeThread ct) {
        Shared shared = new Shared();
        shared.allocate(ct);
        shared.top.store(RdmaPtr.NULL, ct);
        return new RdmaPtr<>(shared.pointer());
    }

    RemoteStack(RdmaPtr<Shared> This) {
        this.This.at(This);
    }

    void push(long value, ComputeThread ct) {
        node.allocate(ct);
        // placed when it returns: a thread that sees the link sees the value
        node.value.store(value, ct);
        long top = This.top.load(ct);
        while (true) {
            node.next.store(top, ct);
            long found = This.top.compareAndExchange(top, node.pointer(), ct);
            if (found == top) {
                return;
            }
            top = found;
            ct.pause(); // in every loop that tries again
        }
    }

    /**
     * The value pushed last, or -1. Its node is not reused while threads are
     * inside, so top cannot come back (ABA).
     */
    long pop(ComputeThread ct) {
        while (true) {
            long top = This.top.load(ct);
            if (top == RdmaPtr.NULL) {
                return -1;
            }
            node.at(top);
            if (This.top.compareAndSet(top, node.next.load(ct), ct)) {
                node.schedReclaim(ct);
                return node.value.load(ct);
            }
            ct.pause();
        }
    }

    /** A Memory Node and a Compute Node of four threads, in this process. */
    public static void main(String[] args) throws Exception {
        ClusterConfig config = ClusterConfig.builder()
                .cluster("stack-" + ProcessHandle.current().pid())
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
                RemoteStack stack = new RemoteStack(ct.root().get());
                for (int i = 0; i < 1000; i++) {
                    stack.push(ct.id() * 1000 + i, ct);
                    ct.quiescent(); // here this thread holds no pointers
                }
                ct.barrier();
                long popped = 0;
                while (stack.pop(ct) >= 0) {
                    popped++;
                    ct.quiescent();
                }
                ct.barrier();
                System.out.println("thread " + ct.id() + " popped " + popped + ", " + ct.metrics());
            });
        }
    }
}
