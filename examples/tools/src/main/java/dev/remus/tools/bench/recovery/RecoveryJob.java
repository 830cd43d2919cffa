// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.recovery;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.NodeContext;
import dev.remus.cli.cluster.RunRecord;
import dev.remus.cli.progress.Progress;
import dev.remus.config.ClusterConfig;
import dev.remus.lock.Acquisition;
import dev.remus.lock.RemoteLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.process.Signals;
import dev.remus.record.RemoteBytes;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import dev.remus.tools.bench.suite.ClusterSuite;
import dev.remus.tools.bench.suite.OtherLoad;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * The job of {@code bench recovery}: one death after the other, from the last Compute Node on. The first thread of the
 * node takes the lock and announces its death; from then on, each other thread measures until it has had the lock.
 *
 * @param words the words of the command line, as the user gave them
 */
record RecoveryJob(List<String> words) implements Job {
    /** How many Compute Nodes live on: the first ones. So at least two threads wait after each death. */
    static final int SURVIVORS = 2;

    private static final long TO_DIE_SECONDS = 60;

    /** What all threads share. */
    private static final class Shared extends RemoteRecord {
        /** The number of deaths that were announced. */
        private final RemoteLong deaths = longField();

        /** How long each thread has waited after the last one, in ns. */
        private final RemoteLongArray waits;

        private final RemoteBytes lock;

        Shared(int threads) {
            waits = longArrayField(threads);
            lock = bytesField(RemoteLock.bytes(threads));
        }
    }

    @Override
    public boolean leavesResults() {
        return true;
    }

    @Override
    public Optional<String> complete(Path results, RunRecord record) throws IOException {
        ClusterSuite.writeProvenance(RecoveryProgram.NAME, words, results, record);
        return Optional.empty();
    }

    @Override
    public void run(ComputeThread ct, NodeContext context) throws Exception {
        ClusterConfig config = ct.config();
        int rounds = config.computeNodes() - SURVIVORS;
        boolean reports = ct.id() == 0;
        Progress.Counter progress =
                context.progress().phase("deaths", reports ? rounds : 0, rounds).counter();
        OtherLoad load = OtherLoad.beginAmongSiblings(config.fabric());
        Shared shared = share(ct);
        RemoteLock lock = new RemoteLock(ct.threads());
        lock.at(shared.lock.pointer());
        awaitLock(lock, ct); // the threads are at work when the first node dies, and have loaded the lock's code
        List<Recovery> recoveries = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            ct.barrier();
            int victim = config.lastComputeNode() + 1 - round;
            if (ct.nodeId() == victim) {
                die(round, shared, lock, ct);
            }
            awaitDeath(round, victim, shared, ct);
            shared.waits.store(ct.id(), awaitLock(lock, ct), ct);
            ct.barrier();
            if (reports) {
                recoveries.add(recovery(victim, shared, ct));
                progress.set(round);
            }
        }
        if (reports) {
            RecoveryReport report = new RecoveryReport(recoveries, RecoveryReport.target(config), load.share());
            context.conclude(report.toText());
            report.writeTo(context.results());
            context.conclude("results: " + context.results());
        }
    }

    private static Shared share(ComputeThread ct) {
        Shared shared = new Shared(ct.threads());
        if (ct.id() == 0) {
            shared.allocate(ct);
            shared.deaths.store(0, ct);
            RemoteLock lock = new RemoteLock(ct.threads());
            lock.at(shared.lock.pointer());
            lock.init(ct);
            ct.root().set(new RdmaPtr<>(shared.pointer()));
        }
        ct.barrier();
        shared.at(ct.root().get().raw());
        return shared;
    }

    /** The first thread of the node ends the process while it holds the lock; the others wait for that. */
    private static void die(int round, Shared shared, RemoteLock lock, ComputeThread ct) throws Exception {
        if (ct.id() % ct.config().threadsPerNode() == 0) {
            lock.acquire(ct);
            shared.deaths.store(round, ct);
            Signals.send(ProcessHandle.current(), "KILL");
        }
        Thread.sleep(TimeUnit.SECONDS.toMillis(TO_DIE_SECONDS));
        throw new IllegalStateException("this process has sent itself SIGKILL, and still runs");
    }

    /**
     * Returns when a death was announced.
     *
     * @throws IllegalStateException if the victim is lost, and has announced nothing
     */
    private static void awaitDeath(int round, int victim, Shared shared, ComputeThread ct) {
        while (shared.deaths.load(ct) < round) {
            if (isLost(victim, ct) && shared.deaths.load(ct) < round) { // nothing of it arrives any more
                throw new IllegalStateException("Compute Node " + victim + " was lost before it took the lock");
            }
            ct.pause();
        }
    }

    private static boolean isLost(int node, ComputeThread ct) {
        return IntStream.range(0, ct.threads())
                .filter(thread -> ct.peers().nodeOf(thread) == node)
                .anyMatch(ct.peers()::isLost);
    }

    /** Returns how long this thread waits for the lock, in ns. */
    private static long awaitLock(RemoteLock lock, ComputeThread ct) {
        long start = System.nanoTime();
        Acquisition acquisition = lock.acquire(ct);
        long nanos = System.nanoTime() - start;
        if (acquisition == Acquisition.HOLDER_DIED) {
            lock.makeConsistent();
        }
        lock.release(ct);
        return nanos;
    }

    private static Recovery recovery(int node, Shared shared, ComputeThread ct) {
        long first = Long.MAX_VALUE;
        long last = 0;
        int waiters = 0;
        for (int thread = 0; thread < ct.threads(); thread++) {
            if (!ct.peers().isLost(thread)) {
                long nanos = shared.waits.load(thread, ct);
                first = Math.min(first, nanos);
                last = Math.max(last, nanos);
                waiters++;
            }
        }
        return new Recovery(node, waiters, first, last);
    }
}
