// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import dev.remus.cli.progress.Progress;
import dev.remus.node.ComputeThread;
import dev.remus.node.SegmentUse;
import dev.remus.structures.RemoteQueue;
import dev.remus.structures.verify.QueueJudge;
import dev.remus.structures.verify.ShardedQueueJudge;
import dev.remus.tools.harness.Collected;
import dev.remus.tools.harness.Deadline;
import dev.remus.tools.harness.LateThreads;
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
import java.util.function.UnaryOperator;

/**
 * An experiment with a queue. The threads of all nodes enqueue and dequeue. The audit at the end must balance: the
 * items enqueued equal those dequeued plus those remaining, and each producer's items came in order.
 *
 * <p>One object serves all threads of a node; each calls {@link #run} once.
 */
public final class QueueExperiment {
    private static final String RUN = "run";

    /** How often a {@linkplain LateThreads late} thread checks whether the others have ended. */
    private static final int TRIES_PER_LOOK = 64;

    private final QueueWorkload workload;
    private final Progress progress;
    private final boolean verifies;
    private final UnaryOperator<RemoteQueue<Long>> usage;

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
        this(workload, progress, verifies, UnaryOperator.identity());
    }

    /** @param usage the queue as a thread uses it, given its handle */
    QueueExperiment(
            QueueWorkload workload, Progress progress, boolean verifies, UnaryOperator<RemoteQueue<Long>> usage) {
        this.verifies = verifies;
        this.workload = workload;
        this.progress = progress;
        this.usage = usage;
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
        if (LateThreads.isLate(ct)) {
            comeBack(ct, report);
            return;
        }
        SharedRun<QueueOperationKind> shared = workload.share(verifies, ct);
        QueueWorkload agreed = workload.agreed(shared, ct);
        RemoteQueue<Long> queue = usage.apply(agreed.queue().openPhased(shared.structure(ct), ct));
        RunLog log = verifies ? begin(agreed, shared.logs(ct), ct) : RunLog.none();
        QueueAudit audit = new QueueAudit(queue, agreed.latency(), log, ledger(agreed, shared, ct), ct);
        shared.beginAfterNextMeeting(ct);
        ct.barrier();
        audit.begin();
        long nanos = operate(audit, log, agreed, shared, ct);
        conclude(audit, log, agreed, shared, nanos, ct, report);
        if (ct.id() == ct.peers().leader() && !LateThreads.mayCome(ct)) { // or else they look for it
            queue.destroy(ct);
            shared.withdraw(ct);
        }
    }

    /** Runs the part of a {@linkplain LateThreads late} thread. */
    private <E extends Exception> void comeBack(ComputeThread ct, ResultReport<QueueRunResult, E> report) throws E {
        SharedRun<QueueOperationKind> shared = workload.handle(verifies, ct);
        if (!shared.join(ct)) {
            return;
        }
        QueueWorkload agreed = workload.agreed(shared, ct);
        RemoteQueue<Long> queue = usage.apply(agreed.queue().openPhased(shared.structure(ct), ct));
        QueueAudit audit = new QueueAudit(queue, agreed.latency(), RunLog.none(), ledger(agreed, shared, ct), ct);
        long nanos = operate(audit, RunLog.none(), agreed, shared, ct);
        conclude(audit, RunLog.none(), agreed, shared, nanos, ct, report);
    }

    /** The end of a run: the threads collect what they have counted, and one of them audits the queue. */
    private <E extends Exception> void conclude(
            QueueAudit audit,
            RunLog log,
            QueueWorkload agreed,
            SharedRun<QueueOperationKind> shared,
            long nanos,
            ComputeThread ct,
            ResultReport<QueueRunResult, E> report)
            throws E {
        if (LateThreads.mayCome(ct)) {
            ct.barrier(); // one that the others did not wait for may have operated until now
        }
        Collected<QueueOperationKind> collected = new Collected<>();
        Together.led(
                leader -> {
                    if (ct.id() == leader) {
                        audit.drain(agreed);
                    }
                    shared.add(audit.row(), ct);
                    audit.latencies().ifPresent(own -> collected.setLatencies(shared.collect(own, ct)));
                    log.collect(ct).ifPresent(recorded -> collected.setVerification(judge(recorded, agreed, ct)));
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

    private static Verification judge(RecordedRun run, QueueWorkload agreed, ComputeThread ct) {
        if (agreed.queue().hasShards()) {
            int shards = ct.config().memoryNodes();
            return Verification.of(
                    run,
                    new ShardedQueueJudge(shards, ItemAudit::name, item -> ItemAudit.producer(item) % shards)
                            .judge(run));
        }
        QueueJudge judge = agreed.queue().keepsOrder()
                ? QueueJudge.ofLinearizability(ItemAudit::name)
                : QueueJudge.ofQuiescentConsistency(ItemAudit::name);
        return Verification.of(run, judge.judge(run));
    }

    /** Operates until the end of the run, which all threads await. Returns how long that took, in nanoseconds. */
    private long operate(QueueAudit audit, RunLog log, QueueWorkload agreed, SharedRun<?> shared, ComputeThread ct) {
        long start = ct.nanoTime();
        Progress.Counter counter = phase(agreed, ct).counter();
        SplittableRandom random = new SplittableRandom(agreed.seed() + ct.id() * 0x9E3779B97F4A7C15L).split();
        long operations = agreed.operationsOf(ct);
        audit.addRemoteOperations(ct.metrics(), -1);
        Deadline deadline = agreed.length().startNow(ct::nanoTime);
        long tries = 0;
        for (long done = 0; done < operations && !deadline.isOver() && !log.isFull() && !audit.waitsInVain(); ) {
            if (tries++ % TRIES_PER_LOOK == 0 && shared.mustEnd(ct)) {
                break;
            }
            done += audit.operate(agreed, random);
            counter.set(done);
            ct.quiescent();
        }
        audit.addRemoteOperations(ct.metrics(), 1);
        audit.count(QueueMetric.RETIRED_MOST, ct.metrics().retiredMost());
        audit.count(QueueMetric.RETIRED_IN_EPOCH_MOST, ct.metrics().retiredInEpochMost());
        shared.end(ct);
        ct.barrier();
        return ct.nanoTime() - start;
    }

    private Progress.Phase phase(QueueWorkload agreed, ComputeThread ct) {
        if (agreed.length().isTimed()) {
            return progress.timedPhase(RUN, agreed.length().nanos());
        }
        int threads = ct.config().totalThreads();
        int first = (ct.id() - ct.index()) % threads;
        int end = first + ct.config().threadsPerNode();
        return progress.phase(RUN, sum(agreed, first, end, threads), sum(agreed, 0, threads, threads));
    }

    private static long sum(QueueWorkload agreed, int first, int end, int threads) {
        long sum = 0;
        for (int thread = first; thread < end; thread++) {
            sum = Math.addExact(sum, agreed.operationsOf(thread, threads));
        }
        return sum;
    }
}
