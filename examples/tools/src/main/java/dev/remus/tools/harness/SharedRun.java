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
 * The state that the threads of one experiment share in remote memory. It is the cluster's root during the experiment.
 *
 * @param <K> the kinds of operations
 */
public class SharedRun<K extends Enum<K>> extends RemoteRecord {
    private final RemoteRef<Object> structure = refField();
    private final RemoteLong seed = longField();
    private final RemoteLong fingerprint = longField();
    private final RemoteRef<LatencyExchange<K>> latencies = refField();
    private final RemoteRef<LogExchange> logs = refField();
    private final RemoteLongArray totals;

    private final LatencyExchange<K> exchange;
    private final LogExchange logExchange = new LogExchange();
    private final boolean verifies;

    /**
     * A handle that points to no object yet.
     *
     * @param kinds the class of the kinds
     * @param counts the number of counts that are added up over all threads
     * @param verifies whether the threads record their operations
     */
    public SharedRun(Class<K> kinds, int counts, boolean verifies) {
        this.totals = longArrayField(counts);
        this.exchange = new LatencyExchange<>(kinds);
        this.verifies = verifies;
    }

    /** Allocates it and makes it the cluster's root. */
    public void publish(RdmaPtr<?> newStructure, long workloadSeed, long workloadFingerprint, ComputeThread ct) {
        allocate(ct);
        structure.store(newStructure.raw(), ct);
        seed.store(workloadSeed, ct);
        fingerprint.store(workloadFingerprint, ct);
        exchange.create(ct);
        latencies.store(exchange, ct);
        if (verifies) {
            logExchange.create(ct);
            logs.store(logExchange, ct);
        }
        for (int i = 0; i < totals.length(); i++) {
            totals.store(i, 0, ct); // from now on changed only by FETCH_AND_ADD
        }
        initMore(ct);
        ct.root().set(new RdmaPtr<>(pointer()));
    }

    /** Initializes the fields of a subclass, before other threads can reach them. */
    protected void initMore(ComputeThread ct) {}

    /** Opens the state that another thread published. */
    public void find(ComputeThread ct) {
        at(ct.root().get());
    }

    /** The structure that the threads share. */
    public RdmaPtr<?> structure(ComputeThread ct) {
        return structure.loadPointer(ct);
    }

    /** The common seed, if this node has the same workload as the first Compute Node. */
    public long agreeOnSeed(long ownFingerprint, ComputeThread ct) {
        if (fingerprint.load(ct) != ownFingerprint) {
            throw new IllegalStateException("Compute Node " + ct.nodeId()
                    + " was started with a different workload from the first Compute Node: "
                    + "start all nodes with the same options");
        }
        return seed.load(ct);
    }

    /** Adds the first counts of a thread. */
    public void add(long[] counts, ComputeThread ct) {
        for (int i = 0; i < totals.length(); i++) {
            totals.fetchAdd(i, counts[i], ct);
        }
    }

    /** Adds the latencies of all threads to those of the thread with id 0. All threads must call it. */
    public void collect(Latencies<K> own, ComputeThread ct) {
        exchange.at(latencies.load(ct));
        exchange.collect(own, ct);
    }

    /** The exchange for the threads' records of their operations, if they record them. */
    public LogExchange logs(ComputeThread ct) {
        logExchange.at(logs.load(ct));
        return logExchange;
    }

    /** The sums of these counts over all threads. */
    public long[] totals(ComputeThread ct) {
        long[] sums = new long[totals.length()];
        for (int i = 0; i < sums.length; i++) {
            sums[i] = totals.load(i, ct);
        }
        return sums;
    }

    /** Frees the memory. No thread may use this object afterwards. */
    public void withdraw(ComputeThread ct) {
        ct.root().set(RdmaPtr.nullPointer());
        exchange.free(ct);
        if (verifies) {
            logExchange.free(ct);
        }
        free(ct);
    }
}
