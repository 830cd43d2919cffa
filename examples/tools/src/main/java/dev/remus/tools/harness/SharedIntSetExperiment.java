package dev.remus.tools.harness;

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
 * The state that the threads of one {@link IntSetExperiment} share in remote memory. It is the cluster's root during
 * the experiment.
 */
final class SharedIntSetExperiment extends RemoteRecord {
    private final RemoteRef<Object> set = refField();
    private final RemoteLong seed = longField();
    private final RemoteLong fingerprint = longField();
    private final RemoteLong roundTripNanos = longField();
    private final RemoteLong lastRound = longField();
    private final RemoteRef<LatencyExchange<OperationKind>> latencies = refField();
    private final RemoteRef<LogExchange> logs = refField();
    private final RemoteLongArray totals;

    private final LatencyExchange<OperationKind> exchange = new LatencyExchange<>(OperationKind.class);
    private final LogExchange logExchange = new LogExchange();
    private final boolean verifies;

    /** @param verifies whether the threads record their operations */
    SharedIntSetExperiment(boolean verifies, ComputeThread ct) {
        this.verifies = verifies;
        this.totals = longArrayField(Metric.of(ct.config()).size());
    }

    /** Allocates it and makes it the cluster's root. */
    void publish(RdmaPtr<?> newSet, long workloadSeed, long workloadFingerprint, ComputeThread ct) {
        allocate(ct);
        set.store(newSet.raw(), ct);
        seed.store(workloadSeed, ct);
        fingerprint.store(workloadFingerprint, ct);
        roundTripNanos.store(0, ct);
        lastRound.store(0, ct);
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

    /** Opens the state that another thread published. */
    void find(ComputeThread ct) {
        at(ct.root().get());
    }

    RdmaPtr<?> set(ComputeThread ct) {
        return set.loadPointer(ct);
    }

    /** The common seed, if this node has the same workload as the first Compute Node. */
    long agreeOnSeed(long ownFingerprint, ComputeThread ct) {
        if (fingerprint.load(ct) != ownFingerprint) {
            throw new IllegalStateException("Compute Node " + ct.nodeId()
                    + " was started with a different workload from the first Compute Node: "
                    + "start all nodes with the same options");
        }
        return seed.load(ct);
    }

    /**
     * The time of a round trip while all threads make them, in nanoseconds: the mean over all threads. All threads must
     * call it, and get the same value.
     */
    long meanRoundTrip(ComputeThread ct) {
        roundTripNanos.fetchAdd(RoundTrip.measure(pointer(), ct), ct);
        ct.barrier();
        return roundTripNanos.load(ct) / ct.threads();
    }

    /**
     * Announces, before the barrier at a round's end, that this thread's time ran out in that round. Rounds count from
     * 1.
     */
    void endAfter(long round, ComputeThread ct) {
        lastRound.compareAndSet(0, round, ct); // the first round wins: later ones begin only after its barrier
    }

    /** Whether a round was the last of some thread. After the barrier at its end, all threads get the same answer. */
    boolean hasEndedAfter(long round, ComputeThread ct) {
        long last = lastRound.load(ct);
        return last != 0 && last <= round; // another thread may have finished the next round already
    }

    void add(Tally tally, ComputeThread ct) {
        for (Metric metric : Metric.of(ct.config())) {
            totals.fetchAdd(metric.ordinal(), tally.get(metric), ct);
        }
    }

    /** Adds the latencies of all threads to those of the thread with id 0. All threads must call it. */
    void collect(Latencies<OperationKind> own, ComputeThread ct) {
        exchange.at(latencies.load(ct));
        exchange.collect(own, ct);
    }

    /** The exchange for the threads' records of their operations, if they record them. */
    LogExchange logs(ComputeThread ct) {
        logExchange.at(logs.load(ct));
        return logExchange;
    }

    Tally totals(ComputeThread ct) {
        Tally sum = new Tally();
        for (Metric metric : Metric.of(ct.config())) {
            sum.add(metric, totals.load(metric.ordinal(), ct));
        }
        return sum;
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
