// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import dev.remus.cli.progress.Progress;
import dev.remus.fabric.FabricException;
import dev.remus.node.ComputeThread;
import dev.remus.node.SegmentUse;
import dev.remus.structures.verify.MapJudge;
import dev.remus.tools.harness.Collected;
import dev.remus.tools.harness.LateThreads;
import dev.remus.tools.harness.Losses;
import dev.remus.tools.harness.ResultReport;
import dev.remus.tools.harness.Rounds;
import dev.remus.tools.harness.RunLength;
import dev.remus.tools.harness.Share;
import dev.remus.tools.harness.SharedRounds;
import dev.remus.tools.harness.Together;
import dev.remus.tools.verify.RunLog;
import dev.remus.tools.verify.Verification;
import dev.remus.tools.verify.VerifyOption;
import dev.remus.verify.LogExchange;
import dev.remus.verify.RecordedRun;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An experiment with a map. The threads of all nodes load records, then each executes operations on them, drawn at
 * random in given proportions. The audit at the end must balance: the map has the keys that were loaded and added, less
 * those removed, and their values add up to what the threads have written, less what they have replaced or removed.
 *
 * <p>One object serves all threads of a node; each calls {@link #run} once.
 */
final class KvExperiment {
    private static final String LOAD = "load";
    private static final String WARM_UP = "warm-up";
    private static final String RUN = "run";

    private final KvWorkload workload;
    private final Progress progress;
    private final boolean verifies;
    private final UnaryOperator<KvStore> usage;

    /**
     * @param progress receives the progress of this node's threads
     * @param verifies whether to record the operations and to judge them; the same on all nodes
     */
    KvExperiment(KvWorkload workload, Progress progress, boolean verifies) {
        this(workload, progress, verifies, UnaryOperator.identity());
    }

    /** @param usage from a thread's map to the one that it uses, which has the same content */
    KvExperiment(KvWorkload workload, Progress progress, boolean verifies, UnaryOperator<KvStore> usage) {
        this.workload = workload;
        this.progress = progress;
        this.verifies = verifies;
        this.usage = usage;
    }

    /**
     * Runs one thread's part. All threads of the cluster must call it, each once.
     *
     * @return the result on the thread that leads, which may not balance; empty on all others
     */
    Optional<KvResult> run(ComputeThread ct) {
        AtomicReference<KvResult> result = new AtomicReference<>();
        run(ct, result::set);
        return Optional.ofNullable(result.get());
    }

    /**
     * Runs one thread's part, and passes the result on while the others can still take the place of this thread, if
     * that may be necessary ({@link Together#last}).
     *
     * @param <E> what the report may throw
     * @param report gets the result on the thread that leads, which may not balance
     */
    <E extends Exception> void run(ComputeThread ct, ResultReport<KvResult, E> report) throws E {
        SharedRounds<KvOperationKind> shared =
                new SharedRounds<>(KvOperationKind.class, KvMetric.values().length, verifies, ct);
        if (LateThreads.isLate(ct)) {
            comeBack(shared, ct, report);
            return;
        }
        Together.once(
                () -> shared.publish(
                        RemoteKvStore.create(workload.map(), ct), workload.seed(), workload.fingerprint(), ct),
                ct);
        shared.find(ct);
        KvWorkload agreed = workload.withSeed(shared.agreeOnSeed(workload.fingerprint(), ct));
        RemoteKvStore store = RemoteKvStore.open(shared.structure(ct), agreed.map(), agreed.valueBytes(), ct);
        KvStore used = usage.apply(agreed.map().arranged(store));
        RecordedKvStore recorded = new RecordedKvStore(used, ct);
        KvClient client = client(verifies ? recorded : used, agreed, shared, ct);
        KvLoad load = load(client, ct);
        RunLog log = verifies ? begin(agreed, shared.logs(ct), ct) : RunLog.none();
        recorded.recordInto(log);
        Rounds rounds = new Rounds(shared, agreed.reclaimEvery(ct.config()), ct);
        if (agreed.warmUpNanos() > 0) {
            RunLength warmUp = RunLength.ofNanos(agreed.warmUpNanos());
            long fewer = agreed.mostInserts(ct.config(), agreed.expectedInserts(ct.threads()));
            rounds.run(warmUp, new Part(client, agreed, warmUp, fewer, warmUp.phase(WARM_UP, progress, ct), ct));
            client.forget();
            shared.beginAgain(ct);
        }
        shared.beginAfterNextMeeting(ct);
        long start = ct.nanoTime();
        ct.barrier();
        client.begin();
        operate(client, agreed, rounds, ct);
        conclude(store, client, log, load, agreed, shared, ct.nanoTime() - start, ct, report);
        if (ct.id() == ct.peers().leader() && !LateThreads.mayCome(ct)) { // or else they look for it
            store.destroy();
            shared.withdraw(ct);
        }
    }

    /** Runs the part of a {@linkplain LateThreads late} thread. */
    private <E extends Exception> void comeBack(
            SharedRounds<KvOperationKind> shared, ComputeThread ct, ResultReport<KvResult, E> report) throws E {
        if (!shared.join(ct)) {
            return;
        }
        KvWorkload agreed = workload.withSeed(shared.agreeOnSeed(workload.fingerprint(), ct));
        RemoteKvStore store = RemoteKvStore.open(shared.structure(ct), agreed.map(), agreed.valueBytes(), ct);
        KvClient client = client(usage.apply(agreed.map().arranged(store)), agreed, shared, ct);
        long start = ct.nanoTime();
        operate(client, agreed, new Rounds(shared, agreed.reclaimEvery(ct.config()), ct), ct);
        conclude(store, client, RunLog.none(), KvLoad.UNKNOWN, agreed, shared, ct.nanoTime() - start, ct, report);
    }

    private static KvClient client(KvStore used, KvWorkload agreed, SharedRounds<?> shared, ComputeThread ct) {
        return new KvClient(used, agreed, ct.id(), ct.threads(), ct::nanoTime, shared.ledger(ct));
    }

    private void operate(KvClient client, KvWorkload agreed, Rounds rounds, ComputeThread ct) {
        RunLength length = agreed.length();
        long most = length.isTimed() ? agreed.mostInserts(ct.config(), 0) : Long.MAX_VALUE;
        rounds.run(length, new Part(client, agreed, length, most, length.phase(RUN, progress, ct), ct));
        client.count(KvMetric.RETIRED_MOST, ct.metrics().retiredMost());
        client.count(KvMetric.RETIRED_IN_EPOCH_MOST, ct.metrics().retiredInEpochMost());
    }

    /** The end of a run: the threads collect what they have counted, and one of them audits the map. */
    private static <E extends Exception> void conclude(
            RemoteKvStore store,
            KvClient client,
            RunLog log,
            KvLoad load,
            KvWorkload agreed,
            SharedRounds<KvOperationKind> shared,
            long nanos,
            ComputeThread ct,
            ResultReport<KvResult, E> report)
            throws E {
        if (!LateThreads.mayCome(ct)) { // or else one may still operate
            ct.reclaimDeferred();
        }
        Collected<KvOperationKind> collected = new Collected<>();
        Together.led(
                leader -> {
                    shared.add(client.counts(), ct);
                    if (agreed.latency()) {
                        collected.setLatencies(shared.collect(client.latencies(), ct));
                    }
                    log.collect(ct).ifPresent(run -> collected.setVerification(judge(run, agreed, ct.threads())));
                },
                ct);
        Together.last(
                () -> report.accept(KvResult.of(
                        agreed,
                        ct,
                        new KvBooks(shared.totals(ct), shared.ofLost(ct), Losses.of(ct), count(store)),
                        collected.latencies().orElse(client.latencies()),
                        load,
                        nanos,
                        collected.verification())),
                ct);
    }

    private static RunLog begin(KvWorkload agreed, LogExchange logs, ComputeThread ct) {
        boolean repeats = agreed.mix().rmw() > 0; // until they succeed, so nobody knows how often
        long most = repeats ? VerifyOption.MOST : agreed.length().operations();
        return RunLog.begin(logs, most, repeats || agreed.length().isTimed(), ct);
    }

    private static Verification judge(RecordedRun run, KvWorkload agreed, int threads) {
        return Verification.of(run, new MapJudge(key -> key < agreed.records()).judge(run, threads));
    }

    /**
     * Adds this thread's share of the records, and waits for the others. An ordered map gets all of them at once, from
     * one thread; unless the run is to go on after the loss of that thread.
     */
    private KvLoad load(KvClient client, ComputeThread ct) {
        long records = workload.records();
        Share share = Share.of(records, ct);
        Progress.Counter counter =
                progress.phase(LOAD, Share.ofNode(records, ct), records).counter();
        ct.barrier();
        long usedBefore = used(ct);
        long start = ct.nanoTime();
        ct.barrier();
        if (workload.map().isOrdered() && !Together.outlivesLosses(ct)) {
            if (ct.id() == ct.peers().leader() && !client.loadAtOnce(workload.records(), done -> {})) {
                throw new AssertionError("an ordered map is loaded at once");
            }
        } else {
            client.load(share.first(), share.end(), done -> {
                counter.set(done);
                ct.quiescent();
            });
        }
        ct.barrier();
        counter.set(share.end() - share.first());
        return new KvLoad(ct.nanoTime() - start, used(ct) - usedBefore);
    }

    /** The remote memory that was taken so far, for a thread that may have to report it. */
    private static long used(ComputeThread ct) {
        return ct.id() != ct.peers().leader() && !Together.outlivesLosses(ct)
                ? 0
                : SegmentUse.of(ct).stream().mapToLong(SegmentUse::used).sum();
    }

    private static KvFound count(RemoteKvStore store) {
        try {
            return store.count();
        } catch (FabricException e) {
            throw e; // no evidence about the map
        } catch (IllegalStateException e) {
            return new KvFound(KvFound.DAMAGED, 0, String.valueOf(e.getMessage()));
        }
    }

    /** One thread's operations, as fast as it can or at a given rate. */
    private static final class Part implements Rounds.Part {
        private static final long SHORT_NANOS = 100_000;
        private static final long LONG_NANOS = 10_000_000;

        private final KvClient client;
        private final @Nullable Pace pace;
        private final long end;
        private final long mostInserts;
        private final Progress.Counter counter;
        private final ComputeThread ct;
        private long done;

        /** @param mostInserts how many keys the thread can insert before the run must end */
        Part(
                KvClient client,
                KvWorkload agreed,
                RunLength length,
                long mostInserts,
                Progress.Phase phase,
                ComputeThread ct) {
            long now = ct.nanoTime();
            this.client = client;
            this.pace = agreed.rate() == 0 ? null : pace(agreed, now, ct);
            this.end = length.isTimed() ? now + length.nanos() : Long.MAX_VALUE;
            this.mostInserts = mostInserts;
            this.counter = phase.counter();
            this.ct = ct;
        }

        /** That of the thread of an earlier life, if its node has come back. */
        private static Pace pace(KvWorkload agreed, long now, ComputeThread ct) {
            int threads = ct.config().totalThreads();
            return new Pace(agreed.rate(), ct.id() % threads, threads, now);
        }

        @Override
        public boolean operate() {
            if (client.isFull() || client.inserted() >= mostInserts) {
                return false;
            }
            if (pace == null) {
                client.operate();
            } else {
                if (pace.next() >= end) {
                    return false;
                }
                await(pace.next());
                client.operate(pace.next());
                pace.advance();
            }
            counter.set(++done);
            return true;
        }

        /** Sleeps while there is time; offline if long, so that others can reclaim memory meanwhile. */
        private void await(long time) {
            for (long left = time - ct.nanoTime(); left > 0; left = time - ct.nanoTime()) {
                if (left > LONG_NANOS) {
                    ct.offline(() -> LockSupport.parkNanos(LONG_NANOS - SHORT_NANOS));
                } else if (left > SHORT_NANOS) {
                    LockSupport.parkNanos(left - SHORT_NANOS / 2);
                } else {
                    Thread.yield();
                }
            }
        }

        @Override
        public void startCounting() {
            addRemoteOperations(-1);
        }

        @Override
        public void stopCounting() {
            addRemoteOperations(1);
        }

        private void addRemoteOperations(int sign) {
            client.count(KvMetric.WRITE, sign * ct.metrics().writes());
            client.count(KvMetric.BYTES_WRITE, sign * ct.metrics().writeBytes());
            client.count(KvMetric.READ, sign * ct.metrics().reads());
            client.count(KvMetric.BYTES_READ, sign * ct.metrics().readBytes());
            client.count(KvMetric.FAA, sign * ct.metrics().fetchAndAdds());
            client.count(KvMetric.CAS, sign * ct.metrics().compareAndSwaps());
            client.count(KvMetric.ROUND_TRIPS, sign * ct.metrics().roundTrips());
            client.count(KvMetric.EPOCHS, sign * ct.metrics().epochs());
            client.count(KvMetric.RETIREMENTS, sign * ct.metrics().retirements());
            client.count(KvMetric.RECLAMATION_ROUND_TRIPS, sign * ct.metrics().reclamationRoundTrips());
            client.count(KvMetric.STALLS, sign * ct.metrics().stalls());
        }
    }
}
