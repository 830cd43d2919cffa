// SPDX-License-Identifier: Apache-2.0
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
 * <p>The counts of all threads are added up in one row of words. Under {@code --on-node-loss continue}, each thread has
 * a row of its own instead, which only it writes. Those counts on which the audit relies are there after each operation
 * ({@link #ledger}), so they outlive the thread: of what it has done, at most one operation is not counted.
 *
 * @param <K> the kinds of operations
 */
public class SharedRun<K extends Enum<K>> extends RemoteRecord {
    private final RemoteRef<Object> structure = refField();
    private final RemoteLong seed = longField();
    private final RemoteLong fingerprint = longField();
    private final RemoteRef<LatencyExchange<K>> latencies = refField();
    private final RemoteRef<LogExchange> logs = refField();

    /** With {@code --returns}, the {@link dev.remus.node.Peers#meetings} while the threads operate; 0 before. */
    private final RemoteLong operating = longField();

    /** With {@code --returns}, 1 once the operations of a thread have ended. */
    private final RemoteLong ended = longField();

    private final RemoteLongArray rows;

    private final LatencyExchange<K> exchange;
    private final LogExchange logExchange = new LogExchange();
    private final boolean verifies;
    private final int counts;

    /** Whether each thread has a row of its own. */
    private final boolean outlivesLosses;

    /**
     * A handle that points to no object yet.
     *
     * @param kinds the class of the kinds
     * @param counts the number of counts that are added up over all threads
     * @param verifies whether the threads record their operations
     */
    public SharedRun(Class<K> kinds, int counts, boolean verifies, ComputeThread ct) {
        this.counts = counts;
        this.outlivesLosses = Together.outlivesLosses(ct);
        this.rows = longArrayField(outlivesLosses ? counts * ct.threads() : counts);
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
        for (int i = 0; i < rows.length(); i++) {
            rows.store(i, 0, ct); // a row of all threads is changed only by FETCH_AND_ADD from now on
        }
        if (LateThreads.mayCome(ct)) {
            operating.store(0, ct);
            ended.store(0, ct);
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

    /**
     * The ledger of this thread. It takes one round trip for each count; under {@code --on-node-loss abort}, it does
     * nothing.
     */
    public Ledger ledger(ComputeThread ct) {
        int row = ct.id() * counts;
        return outlivesLosses ? (count, value) -> rows.store(row + count, value, ct) : Ledger.NONE;
    }

    /** Adds the first counts of a thread, which the thread does not change any more. */
    public void add(long[] own, ComputeThread ct) {
        Ledger ledger = ledger(ct);
        for (int i = 0; i < counts; i++) {
            if (outlivesLosses) {
                ledger.record(i, own[i]);
            } else {
                rows.fetchAdd(i, own[i], ct);
            }
        }
    }

    /**
     * Collects the latencies of all threads on the thread that leads. All threads must call it.
     *
     * @return on that thread, those of all; on the others, their own
     */
    public Latencies<K> collect(Latencies<K> own, ComputeThread ct) {
        exchange.at(latencies.load(ct));
        if (!outlivesLosses) {
            exchange.collect(own, ct);
            return own;
        }
        Latencies<K> all;
        int leader;
        do {
            Together.once(() -> exchange.reset(ct), ct); // nothing of a lost thread arrives there any more
            leader = ct.peers().leader();
            all = own.copy();
            exchange.collectUnlessLost(all, ct);
            ct.barrier();
        } while (!ct.peers().tookPart(leader));
        return all;
    }

    /** The exchange for the threads' records of their operations, if they record them. */
    public LogExchange logs(ComputeThread ct) {
        logExchange.at(logs.load(ct));
        return logExchange;
    }

    /** The sums of these counts over all threads that took part in the last barrier. */
    public long[] totals(ComputeThread ct) {
        return outlivesLosses ? sums(true, ct) : row(0, ct);
    }

    /** The sums over the other threads, of the counts that are in their {@linkplain #ledger ledgers}. */
    public long[] ofLost(ComputeThread ct) {
        return outlivesLosses ? sums(false, ct) : new long[counts];
    }

    private long[] sums(boolean tookPart, ComputeThread ct) {
        long[] sums = new long[counts];
        for (int thread = 0; thread < ct.threads(); thread++) {
            if (ct.peers().tookPart(thread) == tookPart) {
                long[] row = row(thread, ct);
                for (int i = 0; i < counts; i++) {
                    sums[i] += row[i];
                }
            }
        }
        return sums;
    }

    private long[] row(int thread, ComputeThread ct) {
        long[] row = new long[counts];
        for (int i = 0; i < counts; i++) {
            row[i] = rows.load(thread * counts + i, ct);
        }
        return row;
    }

    /**
     * Declares to {@link LateThreads} that the threads operate once all have met. All threads must call it before they
     * meet, and write the same, so that no loss prevents it. Does nothing if nodes may not come back.
     */
    public void beginAfterNextMeeting(ComputeThread ct) {
        if (LateThreads.mayCome(ct)) {
            operating.store(ct.peers().meetings() + 1, ct);
        }
    }

    /**
     * Opens, on a {@linkplain LateThreads late} thread, the state that another published, and meets the others until
     * they operate.
     *
     * @return whether they still do; if not, this thread's part is over
     * @throws IllegalStateException if the threads that began the experiment are gone before all of them operate
     */
    public boolean join(ComputeThread ct) {
        while (true) {
            boolean isThere = !ct.root().get().isNull();
            if (isThere) {
                find(ct);
            }
            long begin = isThere ? operating.load(ct) : 0;
            if (begin > 0 && ct.peers().meetings() >= begin) {
                return ct.peers().meetings() == begin;
            }
            ct.barrier();
            if (begin == 0 && ct.peers().leader() == ct.id()) {
                throw new IllegalStateException("Compute Node " + ct.nodeId()
                        + " has come back, but the threads that began the experiment are gone");
            }
        }
    }

    /** Declares to {@link LateThreads} that this thread operates no more. Does nothing if nodes may not come back. */
    public void end(ComputeThread ct) {
        if (LateThreads.mayCome(ct)) {
            ended.store(1, ct);
        }
    }

    /** Whether this thread is a late one, and another thread operates no more. */
    public boolean mustEnd(ComputeThread ct) {
        return LateThreads.isLate(ct) && ended.load(ct) != 0;
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
