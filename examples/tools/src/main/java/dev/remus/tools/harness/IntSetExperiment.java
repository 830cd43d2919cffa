// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.cli.progress.Progress;
import dev.remus.fabric.FabricException;
import dev.remus.node.ComputeThread;
import dev.remus.structures.RemoteLongSet;
import dev.remus.structures.verify.SetJudge;
import dev.remus.tools.latency.Latencies;
import dev.remus.tools.verify.RunLog;
import dev.remus.tools.verify.Verification;
import dev.remus.verify.LogExchange;
import dev.remus.verify.RecordedRun;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * An experiment with a set of integers. The threads of all nodes fill a set, then each executes a number of operations
 * on it, drawn at random in given proportions. The audit at the end must balance: the prefilled keys, plus the
 * inserted, less the removed, equal those that a walk through the set finds.
 *
 * <p>One object serves all threads of a node; each calls {@link #run} once. Source: the tutorial of the C++ Remus,
 * "Building a Concurrent Data Structure", without the mistakes of its harness.
 */
public final class IntSetExperiment {
    private static final String PREFILL = "prefill";
    private static final String RUN = "run";

    private final IntSetFactory factory;
    private final IntSetWorkload workload;
    private final Progress progress;
    private final Consumer<String> notices;
    private final boolean verifies;

    /** An experiment that reports neither progress nor notices. */
    public IntSetExperiment(IntSetFactory factory, IntSetWorkload workload) {
        this(factory, workload, new Progress(), notice -> {});
    }

    /**
     * An experiment that reports its progress.
     *
     * @param progress receives the progress of this node's threads
     * @param notices gets a line from the thread that leads about the keys and time that were chosen
     */
    public IntSetExperiment(
            IntSetFactory factory, IntSetWorkload workload, Progress progress, Consumer<String> notices) {
        this(factory, workload, progress, notices, false);
    }

    /**
     * An experiment that may record all operations, and judge them.
     *
     * @param progress receives the progress of this node's threads
     * @param notices gets a line from the thread that leads about the keys and time that were chosen
     * @param verifies whether to record the operations; the same on all nodes
     */
    public IntSetExperiment(
            IntSetFactory factory,
            IntSetWorkload workload,
            Progress progress,
            Consumer<String> notices,
            boolean verifies) {
        this.verifies = verifies;
        this.factory = factory;
        this.workload = workload;
        this.progress = progress;
        this.notices = notices;
    }

    /**
     * Runs one thread's part. All threads of the cluster must call it, each once.
     *
     * @return the result on the thread that leads; empty on all others
     * @throws UnbalancedException on that thread, if the audit does not balance, the set is damaged, or the operations
     *     were recorded and are not linearizable
     */
    public Optional<IntSetResult> run(ComputeThread ct) {
        AtomicReference<IntSetResult> result = new AtomicReference<>();
        run(ct, result::set);
        return Optional.ofNullable(result.get());
    }

    /**
     * Runs one thread's part, and passes the result on while the others can still take the place of this thread, if
     * that may be necessary ({@link Together#last}).
     *
     * @param <E> what the report may throw
     * @param report gets the result on the thread that leads
     * @throws UnbalancedException as {@link #run(ComputeThread)}
     */
    public <E extends Exception> void run(ComputeThread ct, ResultReport<IntSetResult, E> report) throws E {
        if (LateThreads.isLate(ct)) {
            comeBack(ct, report);
            return;
        }
        IntSetWorkload here = workload.in(ct.config());
        SharedIntSetExperiment shared = new SharedIntSetExperiment(verifies, ct);
        Together.once(() -> shared.publish(factory.create(ct), here.seed(), here.fingerprint(factory), ct), ct);
        shared.find(ct);
        IntSetWorkload given = here.withSeed(shared.agreeOnSeed(here.fingerprint(factory), ct));
        IntSetWorkload agreed = given.fitsKeys() ? fit(given, shared, ct) : given;
        RemoteLongSet set = factory.open(shared.structure(ct));
        Tally tally = new Tally(shared.ledger(ct));
        Latencies<OperationKind> latencies = new Latencies<>(OperationKind.class);
        ct.barrier();
        prefill(set, agreed, tally, ct);
        ct.barrier();
        RunLog log = verifies ? begin(agreed, shared.logs(ct), ct) : RunLog.none();
        Observation observation = new Observation(set, latencies, agreed.latency(), log, verifies);
        shared.beginAfterNextMeeting(ct);
        long start = ct.nanoTime();
        ct.barrier();
        latencies.begin(ct.nanoTime());
        operate(observation, agreed, shared, tally, ct);
        conclude(set, agreed, shared, tally, latencies, log, ct.nanoTime() - start, ct, report);
        if (ct.id() == ct.peers().leader() && !LateThreads.mayCome(ct)) { // or else they look for it
            set.destroy(ct);
            shared.withdraw(ct);
        }
    }

    /** Runs the part of a {@linkplain LateThreads late} thread. */
    private <E extends Exception> void comeBack(ComputeThread ct, ResultReport<IntSetResult, E> report) throws E {
        SharedIntSetExperiment shared = new SharedIntSetExperiment(verifies, ct);
        if (!shared.join(ct)) {
            return;
        }
        IntSetWorkload here = workload.in(ct.config());
        IntSetWorkload agreed = here.withSeed(shared.agreeOnSeed(here.fingerprint(factory), ct));
        RemoteLongSet set = factory.open(shared.structure(ct));
        Tally tally = new Tally(shared.ledger(ct));
        Latencies<OperationKind> latencies = new Latencies<>(OperationKind.class);
        Observation observation = new Observation(set, latencies, agreed.latency(), RunLog.none(), verifies);
        long start = ct.nanoTime();
        operate(observation, agreed, shared, tally, ct);
        conclude(set, agreed, shared, tally, latencies, RunLog.none(), ct.nanoTime() - start, ct, report);
    }

    /** The end of a run: the threads collect what they have counted, and one of them audits the set. */
    private <E extends Exception> void conclude(
            RemoteLongSet set,
            IntSetWorkload agreed,
            SharedIntSetExperiment shared,
            Tally tally,
            Latencies<OperationKind> latencies,
            RunLog log,
            long nanos,
            ComputeThread ct,
            ResultReport<IntSetResult, E> report)
            throws E {
        if (!LateThreads.mayCome(ct)) { // or else one may still operate
            ct.reclaimDeferred();
        }
        Collected<OperationKind> collected = new Collected<>();
        Together.led(
                leader -> {
                    shared.add(tally.counts(), ct);
                    if (agreed.latency()) {
                        collected.setLatencies(shared.collect(latencies, ct));
                    }
                    log.collect(ct).ifPresent(recorded -> collected.setVerification(judge(recorded, agreed)));
                },
                ct);
        Together.last(
                () -> {
                    Totals totals = new Totals(
                            new Tally(shared.totals(ct)),
                            new Tally(shared.ofLost(ct)),
                            Losses.of(ct),
                            collected.latencies().orElse(latencies),
                            nanos,
                            collected.verification());
                    report.accept(check(set, agreed, totals, ct));
                },
                ct);
    }

    /** Chooses the keys by the time of a round trip, the same on all threads. */
    private IntSetWorkload fit(IntSetWorkload given, SharedIntSetExperiment shared, ComputeThread ct) {
        long roundTrip = shared.meanRoundTrip(ct);
        IntSetWorkload fitted = given.fittedTo(roundTrip);
        if (ct.id() == ct.peers().leader()) {
            notices.accept(String.format(
                    Locale.ROOT,
                    "a round trip takes %.1f µs here, so the threads use the keys %s for %s s; to change this, set"
                            + " --key-ub, --run-time or --num-ops",
                    roundTrip / 1e3,
                    fitted.keys(),
                    fitted.length().seconds()));
        }
        return fitted;
    }

    /** Inserts this thread's share of the prefilled keys, which are spread evenly over the range. */
    private void prefill(RemoteLongSet set, IntSetWorkload agreed, Tally tally, ComputeThread ct) {
        long keys = agreed.prefilledKeys();
        Share share = Share.of(keys, ct);
        Progress.Counter counter =
                progress.phase(PREFILL, Share.ofNode(keys, ct), keys).counter();
        for (long i = share.first(); i < share.end(); i++) {
            if (set.insert(agreed.keys().spread(i, keys), ct)) {
                tally.count(Metric.PREFILLED);
            }
            counter.set(i - share.first() + 1);
            ct.quiescent();
        }
    }

    private void operate(
            Observation observation,
            IntSetWorkload agreed,
            SharedIntSetExperiment shared,
            Tally tally,
            ComputeThread ct) {
        Progress.Counter counter = agreed.length().phase(RUN, progress, ct).counter();
        SplittableRandom random = agreed.random(ct.id());
        long done = new Rounds(shared, agreed.reclaimEvery(), ct).run(agreed.length(), new Rounds.Part() {
            private long counted;

            @Override
            public boolean operate() {
                if (observation.log().isFull()) {
                    return false;
                }
                OperationKind kind = agreed.drawKind(random);
                boolean answer = observation.execute(kind, agreed.keys().draw(random), ct);
                tally.count(kind.metric(answer));
                counter.set(++counted);
                return true;
            }

            @Override
            public void startCounting() {
                tally.startCounting(ct);
            }

            @Override
            public void stopCounting() {
                tally.stopCounting(ct);
            }
        });
        tally.add(Metric.OP_COUNT, done);
        tally.add(Metric.RETIRED_MOST, ct.metrics().retiredMost());
        tally.add(Metric.RETIRED_IN_EPOCH_MOST, ct.metrics().retiredInEpochMost());
    }

    private static RunLog begin(IntSetWorkload agreed, LogExchange logs, ComputeThread ct) {
        RunLength length = agreed.length();
        return RunLog.begin(logs, length.operations(), length.isTimed(), ct);
    }

    private static Verification judge(RecordedRun run, IntSetWorkload agreed) {
        long keys = agreed.prefilledKeys();
        long[] prefilled = LongStream.range(0, keys)
                .map(i -> agreed.keys().spread(i, keys))
                .toArray();
        return Verification.of(run, new SetJudge(key -> Arrays.binarySearch(prefilled, key) >= 0).judge(run));
    }

    private IntSetResult check(RemoteLongSet set, IntSetWorkload agreed, Totals totals, ComputeThread ct) {
        long found;
        try {
            found = set.checkedSize(ct);
        } catch (FabricException e) {
            throw e; // no evidence about the set
        } catch (RuntimeException e) {
            IntSetResult result = new IntSetResult(factory.name(), agreed, ct, totals, IntSetResult.DAMAGED);
            throw new UnbalancedException("the set is damaged: " + e.getMessage(), result, e);
        }
        IntSetResult result = new IntSetResult(factory.name(), agreed, ct, totals, found);
        if (!result.isBalanced()) {
            throw new UnbalancedException("the books do not balance", result, null);
        }
        if (totals.verification().isPresent() && !totals.verification().get().isAccepted()) {
            throw new UnbalancedException("the set does not keep its promise", result, null);
        }
        return result;
    }
}
