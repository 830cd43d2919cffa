package dev.remus.tools.harness;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;
import dev.remus.tools.latency.Latencies;
import dev.remus.tools.latency.LatencyExchange;

/** What the threads of one {@link IntSetExperiment} share in remote memory. It is the cluster's root while the test runs. */
final class SharedIntSetExperiment extends RemoteRecord {
    private final RemoteRef<Object> set = refField();
    private final RemoteLong seed = longField();
    private final RemoteLong fingerprint = longField();
    private final RemoteLong roundTripNanos = longField();
    private final RemoteLong lastRound = longField();
    private final RemoteRef<LatencyExchange<OperationKind>> latencies = refField();
    private final RemoteLongArray totals = longArrayField(Metric.values().length);

    private final LatencyExchange<OperationKind> exchange = new LatencyExchange<>(OperationKind.class);

    /** Makes it known to all threads. */
    void publish(RdmaPtr<?> newSet, long workloadSeed, long workloadFingerprint, ComputeThread ct) {
        allocate(ct);
        set.store(newSet.raw(), ct);
        seed.store(workloadSeed, ct);
        fingerprint.store(workloadFingerprint, ct);
        roundTripNanos.store(0, ct);
        lastRound.store(0, ct);
        exchange.create(ct);
        latencies.store(exchange, ct);
        for (int i = 0; i < totals.length(); i++) {
            totals.store(i, 0, ct); // from now on changed by FETCH_AND_ADD only
        }
        ct.root().set(new RdmaPtr<>(pointer()));
    }

    /** Finds what another thread has published. */
    void find(ComputeThread ct) {
        at(ct.root().get());
    }

    RdmaPtr<?> set(ComputeThread ct) {
        return set.loadPointer(ct);
    }

    /** The seed of all, provided that all have the same workload. */
    long agreeOnSeed(long ownFingerprint, ComputeThread ct) {
        if (fingerprint.load(ct) != ownFingerprint) {
            throw new IllegalStateException(
                    "Compute Node " + ct.nodeId() + " was started with another workload than the first Compute Node: "
                            + "start all nodes with the same options");
        }
        return seed.load(ct);
    }

    /**
     * How long a round trip takes while all threads make them, in nanoseconds: the mean of what all have measured. All of
     * them have to call it, and get the same.
     */
    long meanRoundTrip(ComputeThread ct) {
        roundTripNanos.fetchAdd(RoundTrip.measure(pointer(), ct), ct);
        ct.barrier();
        return roundTripNanos.load(ct) / ct.threads();
    }

    /** A thread whose time is over in a round, from 1 on, announces that before the barrier at the round's end. */
    void endAfter(long round, ComputeThread ct) {
        lastRound.compareAndSet(0, round, ct); // of several, the first round: later ones begin after its barrier only
    }

    /** Whether a round was the last, for some thread. After the barrier at its end, all threads get the same answer. */
    boolean hasEndedAfter(long round, ComputeThread ct) {
        long last = lastRound.load(ct);
        return last != 0 && last <= round; // another thread may already have ended the next round
    }

    void add(Tally tally, ComputeThread ct) {
        for (Metric metric : Metric.values()) {
            totals.fetchAdd(metric.ordinal(), tally.get(metric), ct);
        }
    }

    /** Adds what all threads have recorded to what the one with id 0 has; all of them have to call it. */
    void collect(Latencies<OperationKind> own, ComputeThread ct) {
        exchange.at(latencies.load(ct));
        exchange.collect(own, ct);
    }

    Tally totals(ComputeThread ct) {
        Tally sum = new Tally();
        for (Metric metric : Metric.values()) {
            sum.add(metric, totals.load(metric.ordinal(), ct));
        }
        return sum;
    }

    /** Gives the memory back. No thread may use it any more. */
    void withdraw(ComputeThread ct) {
        ct.root().set(RdmaPtr.nullPointer());
        exchange.free(ct);
        free(ct);
    }
}
