// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.buffered;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;
import dev.remus.tools.latency.Latencies;
import dev.remus.tools.latency.LatencyExchange;
import dev.remus.tools.queue.QueueOperationKind;

/** The state that the threads of a {@link BufferedTrial} share in remote memory; the cluster's root meanwhile. */
final class BufferedTrialState extends RemoteRecord {
    private static final int METRICS = BufferedMetric.values().length;

    private final RemoteRef<Object> queue = refField();
    private final RemoteRef<LatencyExchange<QueueOperationKind>> latencies = refField();
    private final RemoteLongArray counts;
    private final int threads;

    private final LatencyExchange<QueueOperationKind> exchange = new LatencyExchange<>(QueueOperationKind.class);

    BufferedTrialState(int threads) {
        this.threads = threads;
        this.counts = longArrayField(threads * METRICS);
    }

    /** Allocates it and makes it the cluster's root. */
    void publish(RdmaPtr<?> newQueue, ComputeThread ct) {
        allocate(ct);
        queue.store(newQueue.raw(), ct);
        exchange.create(ct);
        latencies.store(exchange, ct);
        ct.root().set(new RdmaPtr<>(pointer()));
    }

    /** Opens the state that another thread published. */
    void find(ComputeThread ct) {
        at(ct.root().get());
    }

    RdmaPtr<?> queue(ComputeThread ct) {
        return queue.loadPointer(ct);
    }

    /** Stores the counts of the calling thread. */
    void store(long[] own, ComputeThread ct) {
        for (int i = 0; i < METRICS; i++) {
            counts.store(ct.id() * METRICS + i, own[i], ct);
        }
    }

    /** Adds the latencies of all threads to those of the thread with id 0. All threads must call it. */
    void collect(Latencies<QueueOperationKind> own, ComputeThread ct) {
        exchange.at(latencies.load(ct));
        exchange.collect(own, ct);
    }

    /** The counts of all threads, by their ids and the ordinals of {@link BufferedMetric}. */
    long[][] counts(ComputeThread ct) {
        long[][] all = new long[threads][METRICS];
        for (int i = 0; i < threads * METRICS; i++) {
            all[i / METRICS][i % METRICS] = counts.load(i, ct);
        }
        return all;
    }

    /** Frees the memory. No thread may use this object afterwards. */
    void withdraw(ComputeThread ct) {
        ct.root().set(RdmaPtr.nullPointer());
        exchange.free(ct);
        free(ct);
    }
}
