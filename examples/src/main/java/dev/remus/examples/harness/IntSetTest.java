package dev.remus.examples.harness;

import dev.remus.examples.latency.Latencies;
import dev.remus.examples.progress.Progress;
import dev.remus.fabric.FabricException;
import dev.remus.node.ComputeThread;
import dev.remus.structures.IntSet;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * An experiment with a set of integers. The threads of all nodes fill a set, then each does a number of operations on it,
 * drawn at random in given proportions; at the end the books have to balance: what was in the set before, plus what was
 * inserted, less what was removed, is what a walk through it finds.
 *
 * <p>One object serves all threads of a node; each calls {@link #run} once. After the tutorial of the C++ Remus, "Building
 * a Concurrent Data Structure", without the mistakes of its harness.
 */
public final class IntSetTest {
    private static final String PREFILL = "prefill";
    private static final String RUN = "run";

    private final IntSetFactory factory;
    private final IntSetWorkload workload;
    private final Progress progress;

    /** An experiment that nobody watches. */
    public IntSetTest(IntSetFactory factory, IntSetWorkload workload) {
        this(factory, workload, new Progress());
    }

    /** @param progress is told how far the threads of this node are */
    public IntSetTest(IntSetFactory factory, IntSetWorkload workload, Progress progress) {
        this.factory = factory;
        this.workload = workload;
        this.progress = progress;
    }

    /**
     * One thread's part. All threads of the cluster have to call it, each once.
     *
     * @return the result, on the thread with id 0; nothing on all others
     * @throws UnbalancedException on that thread, if the books do not balance or the set is found damaged
     */
    public Optional<IntSetResult> run(ComputeThread ct) {
        boolean lead = ct.id() == 0;
        IntSetWorkload here = workload.in(ct.node().config());
        SharedTest shared = new SharedTest();
        if (lead) {
            shared.publish(factory.create(ct), here.seed(), here.fingerprint(factory), ct);
        }
        ct.barrier();
        shared.find(ct);
        IntSetWorkload agreed = here.withSeed(shared.agreeOnSeed(here.fingerprint(factory), ct));
        IntSet set = factory.open(shared.set(ct));
        Tally tally = new Tally();
        Latencies<OperationKind> latencies = new Latencies<>(OperationKind.class);
        ct.barrier();
        prefill(set, agreed, tally, ct);
        ct.barrier();
        long start = ct.nanoTime();
        ct.barrier();
        operate(set, agreed, tally, latencies, ct);
        ct.barrier();
        long nanos = ct.nanoTime() - start;
        ct.reclaimDeferred();
        shared.add(tally, ct);
        if (agreed.latency()) {
            shared.collect(latencies, ct);
        }
        ct.barrier();
        if (!lead) {
            return Optional.empty();
        }
        IntSetResult result = check(set, agreed, new Totals(shared.totals(ct), latencies, nanos), ct);
        set.destroy(ct);
        shared.withdraw(ct);
        return Optional.of(result);
    }

    /** Inserts this thread's part of the keys that are to be there before, which are spread evenly over the range. */
    private void prefill(IntSet set, IntSetWorkload agreed, Tally tally, ComputeThread ct) {
        long keys = agreed.prefilledKeys();
        long from = part(keys, ct.id(), ct.threads());
        long to = part(keys, ct.id() + 1, ct.threads());
        int first = ct.id() - ct.index();
        long ofNode =
                part(keys, first + ct.node().config().threadsPerNode(), ct.threads()) - part(keys, first, ct.threads());
        Progress.Counter counter = progress.phase(PREFILL, ofNode, keys).counter();
        for (long i = from; i < to; i++) {
            if (set.insert(agreed.keys().spread(i, keys), ct)) {
                tally.count(Metric.PREFILLED);
            }
            counter.set(i - from + 1);
        }
    }

    /** Where the part of a thread begins when so many things are dealt out to so many threads. */
    static long part(long things, int thread, int threads) {
        // things * thread / threads, without overflow
        return things / threads * thread + things % threads * thread / threads;
    }

    private void operate(
            IntSet set, IntSetWorkload agreed, Tally tally, Latencies<OperationKind> latencies, ComputeThread ct) {
        long ofNode = Math.multiplyExact(agreed.operations(), ct.node().config().threadsPerNode());
        long ofAll = Math.multiplyExact(agreed.operations(), ct.threads());
        Progress.Counter counter = progress.phase(RUN, ofNode, ofAll).counter();
        SplittableRandom random = agreed.random(ct.id());
        tally.startCounting(ct);
        for (long done = 1; done <= agreed.operations(); done++) {
            tally.count(operate(set, agreed, random, latencies, ct));
            counter.set(done);
            if (done % agreed.reclaimEvery() == 0) {
                tally.stopCounting(ct);
                ct.barrier(); // all threads are between two operations: nobody holds a pointer to what was removed
                tally.startCounting(ct);
                ct.reclaimDeferred();
            }
        }
        tally.stopCounting(ct);
        tally.add(Metric.OP_COUNT, agreed.operations());
    }

    private static Metric operate(
            IntSet set,
            IntSetWorkload agreed,
            SplittableRandom random,
            Latencies<OperationKind> latencies,
            ComputeThread ct) {
        OperationKind kind = agreed.drawKind(random);
        long key = agreed.keys().draw(random);
        long begun = agreed.latency() ? ct.nanoTime() : 0;
        boolean answer = switch (kind) {
            case GET -> set.contains(key, ct);
            case INSERT -> set.insert(key, ct);
            case REMOVE -> set.remove(key, ct);
        };
        if (agreed.latency()) {
            latencies.record(kind, ct.nanoTime() - begun);
        }
        return kind.metric(answer);
    }

    private IntSetResult check(IntSet set, IntSetWorkload agreed, Totals totals, ComputeThread ct) {
        long found;
        try {
            found = set.checkedSize(ct);
        } catch (FabricException e) {
            throw e; // says nothing about the set
        } catch (RuntimeException e) {
            IntSetResult result = new IntSetResult(factory.name(), agreed, ct, totals, IntSetResult.DAMAGED);
            throw new UnbalancedException("the set is damaged: " + e.getMessage(), result, e);
        }
        IntSetResult result = new IntSetResult(factory.name(), agreed, ct, totals, found);
        if (!result.isBalanced()) {
            throw new UnbalancedException("the books do not balance", result, null);
        }
        return result;
    }
}
