package dev.remus.tools.queue;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;
import dev.remus.tools.latency.Latencies;
import dev.remus.tools.latency.LatencyExchange;

/** What the threads of one {@link QueueExperiment} share in remote memory. It is the cluster's root while the test runs. */
final class SharedQueueExperiment extends RemoteRecord {
    private final RemoteRef<Object> queue = refField();
    private final RemoteLong seed = longField();
    private final RemoteLong fingerprint = longField();
    private final RemoteRef<LatencyExchange<QueueOperationKind>> latencies = refField();
    private final RemoteLongArray totals = longArrayField(QueueMetric.values().length);

    private final LatencyExchange<QueueOperationKind> exchange = new LatencyExchange<>(QueueOperationKind.class);

    /** Makes it known to all threads. */
    void publish(RdmaPtr<?> newQueue, QueueWorkload workload, ComputeThread ct) {
        allocate(ct);
        queue.store(newQueue.raw(), ct);
        seed.store(workload.seed(), ct);
        fingerprint.store(workload.fingerprint(), ct);
        exchange.create(ct);
        latencies.store(exchange, ct);
        for (int i = 0; i < totals.length(); i++) {
            totals.store(i, 0, ct); // from now on changed by FETCH_AND_ADD only
        }
        ct.root().set(new RdmaPtr<>(pointer()));
    }

    /** Finds what another thread has published; returns the workload with the seed of all. */
    QueueWorkload find(QueueWorkload own, ComputeThread ct) {
        at(ct.root().get());
        if (fingerprint.load(ct) != own.fingerprint()) {
            throw new IllegalStateException(
                    "Compute Node " + ct.nodeId() + " was started with another workload than the first Compute Node: "
                            + "start all nodes with the same options");
        }
        return own.withSeed(seed.load(ct));
    }

    RdmaPtr<?> queue(ComputeThread ct) {
        return queue.loadPointer(ct);
    }

    void add(long[] counts, ComputeThread ct) {
        for (int i = 0; i < counts.length; i++) {
            totals.fetchAdd(i, counts[i], ct);
        }
    }

    /** Adds what all threads have recorded to what the one with id 0 has; all of them have to call it. */
    void collect(Latencies<QueueOperationKind> own, ComputeThread ct) {
        exchange.at(latencies.load(ct));
        exchange.collect(own, ct);
    }

    long[] totals(ComputeThread ct) {
        long[] sums = new long[totals.length()];
        for (int i = 0; i < sums.length; i++) {
            sums[i] = totals.load(i, ct);
        }
        return sums;
    }

    /** Gives the memory back. No thread may use it any more. */
    void withdraw(ComputeThread ct) {
        ct.root().set(RdmaPtr.nullPointer());
        exchange.free(ct);
        free(ct);
    }
}
