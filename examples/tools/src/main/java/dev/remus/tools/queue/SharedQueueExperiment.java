package dev.remus.tools.queue;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;
import dev.remus.tools.latency.Latencies;
import dev.remus.tools.latency.LatencyExchange;
import dev.remus.verify.LogExchange;

/**
 * The state that the threads of one {@link QueueExperiment} share in remote memory. It is the cluster's root during the
 * experiment.
 */
final class SharedQueueExperiment extends RemoteRecord {
    private final RemoteRef<Object> queue = refField();
    private final RemoteLong seed = longField();
    private final RemoteLong fingerprint = longField();
    private final RemoteRef<LatencyExchange<QueueOperationKind>> latencies = refField();
    private final RemoteRef<LogExchange> logs = refField();
    private final RemoteLongArray totals;

    private final LatencyExchange<QueueOperationKind> exchange = new LatencyExchange<>(QueueOperationKind.class);
    private final LogExchange logExchange = new LogExchange();
    private final boolean verifies;

    /** @param verifies whether the threads record their operations */
    SharedQueueExperiment(boolean verifies, ComputeThread ct) {
        this.verifies = verifies;
        this.totals = longArrayField(QueueMetric.of(ct.config()).size());
    }

    /** Allocates it and makes it the cluster's root. */
    void publish(RdmaPtr<?> newQueue, QueueWorkload workload, ComputeThread ct) {
        allocate(ct);
        queue.store(newQueue.raw(), ct);
        seed.store(workload.seed(), ct);
        fingerprint.store(workload.fingerprint(), ct);
        exchange.create(ct);
        latencies.store(exchange, ct);
        if (verifies) {
            logExchange.create(ct);
            logs.store(logExchange, ct);
        }
        for (int i = 0; i < totals.length(); i++) {
            totals.store(i, 0, ct); // from now on changed only by FETCH_AND_ADD
        }
        ct.root().set(new RdmaPtr<>(pointer()));
    }

    /** Opens the state that another thread published; returns the workload with the common seed. */
    QueueWorkload find(QueueWorkload own, ComputeThread ct) {
        at(ct.root().get());
        if (fingerprint.load(ct) != own.fingerprint()) {
            throw new IllegalStateException("Compute Node " + ct.nodeId()
                    + " was started with a different workload from the first Compute Node: "
                    + "start all nodes with the same options");
        }
        return own.withSeed(seed.load(ct));
    }

    RdmaPtr<?> queue(ComputeThread ct) {
        return queue.loadPointer(ct);
    }

    void add(long[] counts, ComputeThread ct) {
        for (int i = 0; i < totals.length(); i++) {
            totals.fetchAdd(i, counts[i], ct);
        }
    }

    /** Adds the latencies of all threads to those of the thread with id 0. All threads must call it. */
    void collect(Latencies<QueueOperationKind> own, ComputeThread ct) {
        exchange.at(latencies.load(ct));
        exchange.collect(own, ct);
    }

    /** The exchange for the threads' records of their operations, if they record them. */
    LogExchange logs(ComputeThread ct) {
        logExchange.at(logs.load(ct));
        return logExchange;
    }

    long[] totals(ComputeThread ct) {
        long[] sums = new long[QueueMetric.values().length];
        for (int i = 0; i < totals.length(); i++) {
            sums[i] = totals.load(i, ct);
        }
        return sums;
    }

    /** Frees the memory. No thread may use this object afterwards. */
    void withdraw(ComputeThread ct) {
        ct.root().set(RdmaPtr.nullPointer());
        exchange.free(ct);
        if (verifies) {
            logExchange.free(ct);
        }
        free(ct);
    }
}
