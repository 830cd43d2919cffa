package dev.remus.structures.spec;

import dev.remus.check.History;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.SegmentUse;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.FastLazyListSet;
import dev.remus.structures.IntSet;
import dev.remus.structures.LazyListSet;
import dev.remus.structures.LongCachedLazyListSet;
import dev.remus.structures.LongFastLazyListSet;
import dev.remus.structures.LongLazyListSet;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * A few threads on two simulated Compute Nodes do random operations on a few keys of one set, empty or full at first; what they were answered must
 * be linearizable, and the set must be sound at the end. Memory is checked too ({@code --check-memory}). What a thread did
 * not finish because of a fault is pending, and if one of them cannot come, the others wait in vain for the end.
 *
 * @param threads how many threads, an even number
 * @param operations how many operations each does
 * @param keys how many keys they share
 * @param reclaim whether threads meet now and then to reclaim what was removed, so that blocks are used again
 * @param creator makes the set
 * @param opener makes a thread's handle to it
 */
public record SetScenario(
        int threads, int operations, int keys, boolean reclaim, Creator creator, Function<RdmaPtr<?>, IntSet> opener)
        implements Scenario {
    private static final int BETWEEN_BARRIERS = 4;
    private static final int MOST_LANES = 4;

    /** What a node takes. */
    private static final long BLOCK = 64;

    /** Makes a set in remote memory. */
    @FunctionalInterface
    public interface Creator {
        /** Makes an empty set. */
        RdmaPtr<?> create(ComputeThread ct);
    }

    /** Refuses what cannot be run. */
    public SetScenario {
        if (threads < 2 || threads % 2 != 0 || operations < 1 || keys < 1) {
            throw new IllegalArgumentException("threads " + threads + ", operations " + operations + ", keys " + keys
                    + ": needs an even number of threads, and at least one operation and key");
        }
    }

    private ClusterConfig config(SplittableRandom random) {
        return ClusterConfig.builder()
                .cluster("scenario")
                .memoryNodes(0, 1)
                .computeNodes(2, 3)
                .threadsPerNode(threads / 2)
                .lanes(1 + random.nextInt(MOST_LANES))
                .lanePolicy(random.nextBoolean() ? LanePolicy.RAND : LanePolicy.RR)
                .segmentSizeLog2(13)
                .checkMemory(true)
                .build();
    }

    /** The same with another set. */
    public SetScenario of(Creator otherCreator, Function<RdmaPtr<?>, IntSet> otherOpener) {
        return new SetScenario(threads, operations, keys, reclaim, otherCreator, otherOpener);
    }

    /** With a {@link LongLazyListSet}. */
    @SuppressWarnings("unchecked") // the pointer comes from the creator of the same class
    public static SetScenario lazyList(int threads, int operations, int keys, boolean reclaim) {
        return new SetScenario(
                threads,
                operations,
                keys,
                reclaim,
                LongLazyListSet::create,
                This -> new LongLazyListSet((RdmaPtr<LazyListSet.Shared>) This));
    }

    /** With a {@link LazyListSet} of keys of two words. */
    public static SetScenario wideLazyList(int threads, int operations, int keys, boolean reclaim) {
        return lazyList(threads, operations, keys, reclaim)
                .of(
                        ct -> LazyListSet.create(WideKeys.type(), ct),
                        This -> WideKeys.of(new LazyListSet<>(new RdmaPtr<>(This.raw()), WideKeys.type())));
    }

    /** With a {@link FastLazyListSet} of keys of two words. */
    public static SetScenario wideFastLazyList(int threads, int operations, int keys, boolean reclaim) {
        return lazyList(threads, operations, keys, reclaim)
                .of(
                        ct -> FastLazyListSet.create(WideKeys.type(), ct),
                        This -> WideKeys.of(new FastLazyListSet<>(new RdmaPtr<>(This.raw()), WideKeys.type())));
    }

    /** With a {@link LongFastLazyListSet}. */
    public static SetScenario fastLazyList(int threads, int operations, int keys, boolean reclaim) {
        return lazyList(threads, operations, keys, reclaim)
                .of(LongFastLazyListSet::create, This -> new LongFastLazyListSet(new RdmaPtr<>(This.raw())));
    }

    /** With a {@link LongCachedLazyListSet} that may cache so many nodes. */
    public static SetScenario cachedLazyList(int threads, int operations, int keys, boolean reclaim, int cacheRecords) {
        return lazyList(threads, operations, keys, reclaim)
                .of(
                        LongCachedLazyListSet::create,
                        This -> new LongCachedLazyListSet(new RdmaPtr<>(This.raw()), cacheRecords));
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        Recorder<SetOperation<Long>, Boolean> recorder = new Recorder<>();
        long[] used = {0};
        new SimulatedCluster(config(schedule.choices(-1)), schedule)
                .prepared(ct -> {
                    createSet(ct);
                    if (ct.id() == 0 && schedule.choices(-2).nextBoolean()) {
                        fill(opener.apply(ct.root().get()), recorder, ct);
                    }
                    if (ct.id() == 0) {
                        used[0] = used(ct) - BLOCK * recorder.history().size();
                    }
                })
                .run(ct -> {
                    IntSet set = opener.apply(ct.root().get());
                    SplittableRandom random = schedule.choices(ct.id());
                    for (int i = 1; i <= operations; i++) {
                        operate(set, random, recorder, ct);
                        if (reclaim && i % BETWEEN_BARRIERS == 0) {
                            ct.barrier();
                            ct.reclaimDeferred();
                        }
                    }
                    ct.barrier();
                    if (ct.id() == 0) {
                        checkMemory(used[0], recorder.history(), ct);
                        set.checkedSize(ct);
                        set.destroy(ct);
                    }
                });
        new LinearizabilityChecker<>(new SetSpecification<Long>()).judge(recorder.history());
    }

    private static long used(ComputeThread ct) {
        return SegmentUse.of(ct).stream().mapToLong(SegmentUse::used).sum();
    }

    /** Each insert that began may have a block, and each handle one that it could not use. */
    private void checkMemory(long before, History<SetOperation<Long>, Boolean> history, ComputeThread ct) {
        long inserts = history.invocations().stream()
                .filter(i -> i.operation().kind() == SetOperation.Kind.INSERT && (i.isPending() || i.result()))
                .count();
        long blocks = (used(ct) - before) / BLOCK;
        if (blocks > inserts + threads) {
            throw new AssertionError(blocks + " blocks were allocated for the " + inserts
                    + " nodes that were inserted: some were forgotten");
        }
    }

    void createSet(ComputeThread ct) {
        if (ct.id() == 0) {
            ct.root().set(creator.create(ct));
        }
    }

    /** So that there is something to be removed, from the start. */
    void fill(IntSet set, Recorder<SetOperation<Long>, Boolean> recorder, ComputeThread ct) {
        for (long i = 0; i < keys; i++) {
            long key = i;
            recorder.record(ct.id(), SetOperation.insert(key), () -> set.insert(key, ct));
        }
    }

    void operate(
            IntSet set, SplittableRandom random, Recorder<SetOperation<Long>, Boolean> recorder, ComputeThread ct) {
        long key = random.nextInt(keys);
        switch (random.nextInt(3)) {
            case 0 -> recorder.record(ct.id(), SetOperation.insert(key), () -> set.insert(key, ct));
            case 1 -> recorder.record(ct.id(), SetOperation.remove(key), () -> set.remove(key, ct));
            default -> recorder.record(ct.id(), SetOperation.contains(key), () -> set.contains(key, ct));
        }
    }
}
