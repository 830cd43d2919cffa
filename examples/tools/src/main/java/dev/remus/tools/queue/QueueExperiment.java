package dev.remus.tools.queue;

import dev.remus.cli.progress.Progress;
import dev.remus.node.ComputeThread;
import dev.remus.node.SegmentUse;
import dev.remus.structures.RemoteQueue;
import dev.remus.structures.verify.QueueJudge;
import dev.remus.tools.harness.Collected;
import dev.remus.tools.harness.Deadline;
import dev.remus.tools.harness.Ledger;
import dev.remus.tools.harness.ResultReport;
import dev.remus.tools.harness.SharedRun;
import dev.remus.tools.harness.Together;
import dev.remus.tools.verify.RunLog;
import dev.remus.tools.verify.Verification;
import dev.remus.verify.LogExchange;
import dev.remus.verify.RecordedRun;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An experiment with a queue. The threads of all nodes enqueue and dequeue. The audit at the end must balance: the
 * items enqueued equal those dequeued plus those remaining, and each producer's items came in order.
 *
 * <p>One object serves all threads of a node; each calls {@link #run} once.
 */
public final class QueueExperiment {
    private static final String RUN = "run";

    private final QueueWorkload workload;
    private final Progress progress;
    private final boolean verifies;

    /** @param progress receives the progress of this node's threads */
    public QueueExperiment(QueueWorkload workload, Progress progress) {
        this(workload, progress, false);
    }

    /**
     * An experiment that may record all operations, and judge them.
     *
     * @param progress receives the progress of this node's threads
     * @param verifies whether to record the operations; the same on all nodes
     */
    public QueueExperiment(QueueWorkload workload, Progress progress, boolean verifies) {
        this.verifies = verifies;
        this.workload = workload;
        this.progress = progress;
    }

    /**
     * Runs one thread's part. All threads of the cluster must call it, each once.
     *
     * @return the result on the thread that leads; empty on all others
     */
    public Optional<QueueRunResult> run(ComputeThread ct) {
        AtomicReference<QueueRunResult> result = new AtomicReference<>();
        run(ct, result::set);
        return Optional.ofNullable(result.get());
    }

    /**
     * Runs one thread's part, and passes the result on while the others can still take the place of this thread, if
     * that may be necessary ({@link Together#last}).
     *
     * @param <E> what the report may throw
     * @param report gets the result on the thread that leads
     */
    public <E extends Exception> void run(ComputeThread ct, ResultReport<QueueRunResult, E> report) throws E {
        SharedRun<QueueOperationKind> shared = workload.share(verifies, ct);
        QueueWorkload agreed = workload.agreed(shared, ct);
        RemoteQueue<Long> queue = agreed.queue().openPhased(shared.structure(ct), ct);
        RunLog log = verifies ? begin(agreed, shared.logs(ct), ct) : RunLog.none();
        QueueAudit audit = new QueueAudit(queue, agreed.latency(), log, ledger(agreed, shared, ct), ct);
        ct.barrier();
        long start = ct.nanoTime();
        operate(audit, log, agreed, ct);
        ct.barrier();
        long nanos = ct.nanoTime() - start;
        Collected<QueueOperationKind> collected = new Collected<>();
        Together.led(
                leader -> {
                    if (ct.id() == leader) {
                        audit.drain(agreed);
                    }
                    shared.add(audit.row(), ct);
                    audit.latencies().ifPresent(own -> collected.setLatencies(shared.collect(own, ct)));
                    log.collect(ct).ifPresent(recorded -> collected.setVerification(judge(recorded, agreed)));
                },
                ct);
        Together.last(
                () -> {
                    QueueRunResult result = new QueueRunResult(
                            agreed,
                            ct.config(),
                            counts(shared.totals(ct), ct),
                            collected.latencies(),
                            QueueRest.of(audit, agreed, shared, ct),
                            nanos,
                            SegmentUse.of(ct));
                    collected.verification().ifPresent(result::verified);
                    report.accept(result);
                },
                ct);
        if (ct.id() == ct.peers().leader()) {
            queue.destroy(ct);
            shared.withdraw(ct);
        }
    }

    /** A consumer of a ring counts for the audit what has left the ring, so that must have arrived before. */
    private static Ledger ledger(QueueWorkload agreed, SharedRun<?> shared, ComputeThread ct) {
        Ledger ledger = shared.ledger(ct);
        boolean places = agreed.queue().hasOneConsumer() && Together.outlivesLosses(ct);
        return places
                ? (count, value) -> {
                    ct.place();
                    ledger.record(count, value);
                }
                : ledger;
    }

    /** The counts by the ordinals of {@link QueueMetric}; those that a run does not have are 0. */
    private static long[] counts(long[] row, ComputeThread ct) {
        return Arrays.copyOf(Arrays.copyOf(row, QueueMetric.leftIn(ct.config())), QueueMetric.values().length);
    }

    private static RunLog begin(QueueWorkload agreed, LogExchange logs, ComputeThread ct) {
        return RunLog.begin(
                logs, agreed.recordedOf(ct.id(), ct.threads()), agreed.length().isTimed(), ct);
    }

    private static Verification judge(RecordedRun run, QueueWorkload agreed) {
        QueueJudge judge = agreed.queue().keepsOrder()
                ? QueueJudge.ofLinearizability(ItemAudit::name)
                : QueueJudge.ofQuiescentConsistency(ItemAudit::name);
        return Verification.of(run, judge.judge(run));
    }

    private void operate(QueueAudit audit, RunLog log, QueueWorkload agreed, ComputeThread ct) {
        Progress.Counter counter = phase(agreed, ct).counter();
        SplittableRandom random = new SplittableRandom(agreed.seed() + ct.id() * 0x9E3779B97F4A7C15L).split();
        long operations = agreed.operationsOf(ct.id(), ct.threads());
        audit.addRemoteOperations(ct.metrics(), -1);
        Deadline deadline = agreed.length().startNow(ct::nanoTime);
        for (long done = 0; done < operations && !deadline.isOver() && !log.isFull() && !audit.waitsInVain(); ) {
            done += audit.operate(agreed, random);
            counter.set(done);
            ct.quiescent();
        }
        audit.addRemoteOperations(ct.metrics(), 1);
        audit.count(QueueMetric.RETIRED_MOST, ct.metrics().retiredMost());
        audit.count(QueueMetric.RETIRED_IN_EPOCH_MOST, ct.metrics().retiredInEpochMost());
    }

    private Progress.Phase phase(QueueWorkload agreed, ComputeThread ct) {
        if (agreed.length().isTimed()) {
            return progress.timedPhase(RUN, agreed.length().nanos());
        }
        int first = ct.id() - ct.index();
        int end = first + ct.config().threadsPerNode();
        return progress.phase(RUN, sum(agreed, first, end, ct), sum(agreed, 0, ct.threads(), ct));
    }

    private static long sum(QueueWorkload agreed, int first, int end, ComputeThread ct) {
        long sum = 0;
        for (int thread = first; thread < end; thread++) {
            sum = Math.addExact(sum, agreed.operationsOf(thread, ct.threads()));
        }
        return sum;
    }
}
