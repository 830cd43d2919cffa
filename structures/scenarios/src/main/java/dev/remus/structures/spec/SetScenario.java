// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.History;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.config.Reclamation;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.SegmentUse;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.FastLazyListSet;
import dev.remus.structures.LazyListSet;
import dev.remus.structures.LockFreeListSet;
import dev.remus.structures.LongCachedLazyListSet;
import dev.remus.structures.LongFastLazyListSet;
import dev.remus.structures.LongLazyListSet;
import dev.remus.structures.LongLockFreeListSet;
import dev.remus.structures.RemoteLongSet;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.IntToLongFunction;

/**
 * A few threads on two simulated Compute Nodes do random operations on a few keys of one set, empty or full at first.
 * In a quarter of the schedules the smallest and the largest {@code long} are among the keys, so that no set may
 * recognise its own nodes by a key. The results must be linearizable, and the set must be sound at the end. Memory is
 * checked too ({@code --check-memory}). Operations that a fault interrupts are pending; if a thread cannot reach the
 * end, the others wait there in vain.
 *
 * @param threads the number of threads, which is even
 * @param operations the number of operations of each
 * @param keys the number of keys they share
 * @param reuse when blocks are reused
 * @param creator makes the set
 * @param opener makes a thread's handle to it
 */
public record SetScenario(
        int threads, int operations, int keys, Reuse reuse, Creator creator, Function<RdmaPtr<?>, RemoteLongSet> opener)
        implements Scenario, UnblockedScenario.Users<RemoteLongSet, SetOperation<Long>, Boolean> {
    static final int BETWEEN_BARRIERS = 4;
    private static final int MAX_LANES = 4;

    /** The bytes of a node. */
    private static final long BLOCK = 64;

    /** Makes a set in remote memory. */
    @FunctionalInterface
    public interface Creator {
        /** Makes an empty set. */
        RdmaPtr<?> create(ComputeThread ct);
    }

    /** Rejects parameters that cannot be run. */
    public SetScenario {
        check(threads, operations, keys);
    }

    static void check(int threads, int operations, int keys) {
        if (threads < 2 || threads % 2 != 0 || operations < 1 || keys < 1) {
            throw new IllegalArgumentException("threads " + threads + ", operations " + operations + ", keys " + keys
                    + ": needs an even number of threads, and at least one operation and key");
        }
    }

    static ClusterConfig config(int threads, SplittableRandom random) {
        return ClusterConfig.builder()
                .cluster("scenario")
                .memoryNodes(0, 1)
                .computeNodes(2, 3)
                .threadsPerNode(threads / 2)
                .lanes(1 + random.nextInt(MAX_LANES))
                .lanePolicy(random.nextBoolean() ? LanePolicy.RAND : LanePolicy.RR)
                .segmentSizeLog2(13)
                .reclaim(Reclamation.BARRIER)
                .checkMemory(true)
                .build();
    }

    /** The same scenario with another set. */
    public SetScenario of(Creator otherCreator, Function<RdmaPtr<?>, RemoteLongSet> otherOpener) {
        return new SetScenario(threads, operations, keys, reuse, otherCreator, otherOpener);
    }

    /** The same scenario with another reuse of memory. */
    public SetScenario with(Reuse otherReuse) {
        return new SetScenario(threads, operations, keys, otherReuse, creator, opener);
    }

    /** The scenario with a {@link LongLazyListSet}. */
    @SuppressWarnings("unchecked") // the pointer comes from the creator of the same class
    public static SetScenario lazyList(int threads, int operations, int keys, boolean reclaim) {
        return new SetScenario(
                threads,
                operations,
                keys,
                Reuse.of(reclaim),
                LongLazyListSet::create,
                This -> new LongLazyListSet((RdmaPtr<LazyListSet.Shared>) This));
    }

    /** The scenario with a {@link LazyListSet} of keys of two words. */
    public static SetScenario wideLazyList(int threads, int operations, int keys, boolean reclaim) {
        return lazyList(threads, operations, keys, reclaim)
                .of(
                        ct -> LazyListSet.create(WideKeys.type(), ct),
                        This -> WideKeys.of(new LazyListSet<>(new RdmaPtr<>(This.raw()), WideKeys.type())));
    }

    /** The scenario with a {@link FastLazyListSet} of keys of two words. */
    public static SetScenario wideFastLazyList(int threads, int operations, int keys, boolean reclaim) {
        return lazyList(threads, operations, keys, reclaim)
                .of(
                        ct -> FastLazyListSet.create(WideKeys.type(), ct),
                        This -> WideKeys.of(new FastLazyListSet<>(new RdmaPtr<>(This.raw()), WideKeys.type())));
    }

    /** The scenario with a {@link LongFastLazyListSet}. */
    public static SetScenario fastLazyList(int threads, int operations, int keys, boolean reclaim) {
        return lazyList(threads, operations, keys, reclaim)
                .of(LongFastLazyListSet::create, This -> new LongFastLazyListSet(new RdmaPtr<>(This.raw())));
    }

    /** The scenario with a {@link LongCachedLazyListSet} that caches at most so many nodes. */
    public static SetScenario cachedLazyList(int threads, int operations, int keys, boolean reclaim, int cacheRecords) {
        return lazyList(threads, operations, keys, reclaim)
                .of(
                        LongCachedLazyListSet::create,
                        This -> new LongCachedLazyListSet(new RdmaPtr<>(This.raw()), cacheRecords));
    }

    /** The scenario with a {@link LongLockFreeListSet}. */
    public static SetScenario lockFreeList(int threads, int operations, int keys, boolean reclaim) {
        return lazyList(threads, operations, keys, reclaim)
                .of(LongLockFreeListSet::create, This -> new LongLockFreeListSet(new RdmaPtr<>(This.raw())));
    }

    /** The scenario with a {@link LockFreeListSet} of keys of two words. */
    public static SetScenario wideLockFreeList(int threads, int operations, int keys, boolean reclaim) {
        return lazyList(threads, operations, keys, reclaim)
                .of(
                        LockFreeListSet::create,
                        This -> WideKeys.of(new LockFreeListSet<>(new RdmaPtr<>(This.raw()), WideKeys.type())));
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        Recorder<SetOperation<Long>, Boolean> recorder = new Recorder<>();
        IntToLongFunction key = schedule.choices(-3).nextInt(4) == 0 ? this::spreadKey : number -> number;
        long[] used = {0};
        int[] insertedFirst = {0};
        List<RemoteLongSet> firstThreads = new ArrayList<>();
        new SimulatedCluster(reuse.in(config(threads, schedule.choices(-1))), schedule)
                .recordedBy(recorder)
                .prepared(ct -> {
                    create(ct);
                    if (ct.id() == 0 && schedule.choices(-2).nextBoolean()) {
                        fill(opener.apply(ct.root().get()), key, recorder, ct);
                    }
                    if (ct.id() == 0) {
                        insertedFirst[0] = recorder.history().size();
                        used[0] = used(ct) - BLOCK * insertedFirst[0];
                    }
                })
                .concluded(ct -> {
                    if (ct.id() == 0) {
                        long reserved = reuse.reserved(threads, insertedFirst[0]);
                        checkMemory(used[0], inserts(recorder.history()) + threads + reserved, ct);
                        firstThreads.get(0).checkedSize(ct);
                        firstThreads.get(0).destroy(ct);
                    }
                })
                .run(ct -> {
                    RemoteLongSet set = opener.apply(ct.root().get());
                    if (ct.id() == 0) {
                        firstThreads.add(set);
                    }
                    SplittableRandom random = schedule.choices(ct.id());
                    for (int i = 1; i <= operations; i++) {
                        operate(set, key.applyAsLong(random.nextInt(keys)), random, recorder, ct);
                        reuse.after(i, ct);
                    }
                });
        judge(recorder.history());
    }

    static long used(ComputeThread ct) {
        return SegmentUse.of(ct).stream().mapToLong(SegmentUse::used).sum();
    }

    /** How many nodes were inserted, or may have been. */
    private static long inserts(History<SetOperation<Long>, Boolean> history) {
        return history.invocations().stream()
                .filter(i -> i.operation().kind() == SetOperation.Kind.INSERT && (i.isPending() || i.result()))
                .count();
    }

    /**
     * Checks that no block was forgotten.
     *
     * @param before the bytes that were used at first
     * @param most how many blocks can be in use at most: one for each node, and an unused one for each handle
     */
    static void checkMemory(long before, long most, ComputeThread ct) {
        long blocks = (used(ct) - before) / BLOCK;
        if (blocks > most) {
            throw new AssertionError(blocks + " blocks were allocated, where " + most
                    + " suffice for all nodes and an unused one for each thread: some were forgotten");
        }
    }

    @Override
    public void create(ComputeThread ct) {
        if (ct.id() == 0) {
            ct.root().set(creator.create(ct));
        }
    }

    @Override
    public RemoteLongSet open(ComputeThread ct) {
        return opener.apply(ct.root().get());
    }

    /** The keys from 0 on, but for the last two: the smallest and the largest that there are. */
    private long spreadKey(int number) {
        if (number == keys - 1) {
            return Long.MAX_VALUE;
        }
        return number == keys - 2 ? Long.MIN_VALUE : number;
    }

    /** Inserts keys, so that there is something to remove from the start. */
    void fill(RemoteLongSet set, Recorder<SetOperation<Long>, Boolean> recorder, ComputeThread ct) {
        fill(set, number -> number, recorder, ct);
    }

    private void fill(
            RemoteLongSet set,
            IntToLongFunction keyOf,
            Recorder<SetOperation<Long>, Boolean> recorder,
            ComputeThread ct) {
        for (int i = 0; i < keys; i++) {
            long key = keyOf.applyAsLong(i);
            recorder.record(ct.id(), SetOperation.insert(key), () -> set.insert(key, ct));
        }
    }

    @Override
    public void operate(
            RemoteLongSet set,
            SplittableRandom random,
            Recorder<SetOperation<Long>, Boolean> recorder,
            ComputeThread ct) {
        operate(set, random.nextInt(keys), random, recorder, ct);
    }

    private static void operate(
            RemoteLongSet set,
            long key,
            SplittableRandom random,
            Recorder<SetOperation<Long>, Boolean> recorder,
            ComputeThread ct) {
        switch (random.nextInt(3)) {
            case 0 -> recorder.record(ct.id(), SetOperation.insert(key), () -> set.insert(key, ct));
            case 1 -> recorder.record(ct.id(), SetOperation.remove(key), () -> set.remove(key, ct));
            default -> recorder.record(ct.id(), SetOperation.contains(key), () -> set.contains(key, ct));
        }
    }

    @Override
    public void readAll(RemoteLongSet set, Recorder<SetOperation<Long>, Boolean> recorder, ComputeThread ct) {
        for (long i = 0; i < keys; i++) {
            long key = i;
            recorder.record(ct.id(), SetOperation.contains(key), () -> set.contains(key, ct));
        }
    }

    @Override
    public void judge(History<SetOperation<Long>, Boolean> history) {
        new LinearizabilityChecker<>(new SetSpecification<Long>()).judge(history);
    }
}
