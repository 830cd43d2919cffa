// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.History;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.Encoding;
import dev.remus.structures.KeyType;
import dev.remus.structures.LockFreeListMap;
import dev.remus.structures.RemoteMap;
import dev.remus.structures.RemoteTreeMap;
import dev.remus.structures.TreeShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A few threads on two simulated Compute Nodes do random operations on a few keys of one map. The results must be
 * linearizable, and the map must be sound at the end. Memory is checked too ({@code --check-memory}). Values are two
 * words long, so that a torn one is noticed. Operations that a fault interrupts are pending; if a thread cannot reach
 * the end, the others wait there in vain.
 *
 * @param threads the number of threads, which is even
 * @param operations the number of operations of each
 * @param keys the number of keys they share
 * @param reuse when blocks are reused
 * @param creator makes the map
 * @param opener makes a thread's handle to it
 */
public record MapScenario(
        int threads,
        int operations,
        int keys,
        Reuse reuse,
        Function<ComputeThread, RdmaPtr<?>> creator,
        BiFunction<RdmaPtr<?>, ComputeThread, RemoteMap<Long, Long>> opener)
        implements Scenario, UnblockedScenario.Users<RemoteMap<Long, Long>, MapOperation<Long, Long>, Optional<Long>> {

    /** Rejects parameters that cannot be run. */
    public MapScenario {
        SetScenario.check(threads, operations, keys);
    }

    /** The scenario with a {@link LockFreeListMap}. */
    public static MapScenario lockFreeList(int threads, int operations, int keys, boolean reclaim) {
        return new MapScenario(
                threads,
                operations,
                keys,
                Reuse.of(reclaim),
                LockFreeListMap::create,
                (This, ct) ->
                        new LockFreeListMap<>(new RdmaPtr<>(This.raw()), KeyType.of(Codecs.LONG), WideKeys.codec()));
    }

    /**
     * The scenario with a {@link RemoteTreeMap} of keys of three words, whose leaves have room for so many that none is
     * split.
     */
    public static MapScenario tree(int threads, int operations, int keys, boolean reclaim) {
        return new MapScenario(
                threads,
                operations,
                keys,
                Reuse.of(reclaim),
                ct -> RemoteTreeMap.create(WideKeys.ordered(), new TreeShape(keys), ct),
                (This, ct) -> new RemoteTreeMap<>(
                        new RdmaPtr<>(This.raw()), WideKeys.ordered(), Encoding.of(WideKeys.codec()), ct));
    }

    /** The same scenario with another reuse of memory. */
    public MapScenario with(Reuse otherReuse) {
        return new MapScenario(threads, operations, keys, otherReuse, creator, opener);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        Recorder<MapOperation<Long, Long>, Optional<Long>> recorder = new Recorder<>();
        long[] used = {0};
        List<RemoteMap<Long, Long>> firstThreads = new ArrayList<>();
        new SimulatedCluster(reuse.in(SetScenario.config(threads, schedule.choices(-1))), schedule)
                .recordedBy(recorder)
                .prepared(ct -> {
                    create(ct);
                    if (ct.id() == 0) {
                        used[0] = SetScenario.used(ct);
                    }
                })
                .concluded(ct -> {
                    if (ct.id() == 0) {
                        SetScenario.checkMemory(
                                used[0], nodes(recorder.history()) + threads + reuse.reserved(threads, 0), ct);
                        firstThreads.get(0).checkedSize(ct);
                        firstThreads.get(0).destroy(ct);
                    }
                })
                .run(ct -> {
                    RemoteMap<Long, Long> map = open(ct);
                    if (ct.id() == 0) {
                        firstThreads.add(map);
                    }
                    SplittableRandom random = schedule.choices(ct.id());
                    for (int i = 1; i <= operations; i++) {
                        operate(map, random, recorder, ct);
                        reuse.after(i, ct);
                    }
                });
        judge(recorder.history());
    }

    /** How many nodes operations have linked, or may have. */
    private static long nodes(History<MapOperation<Long, Long>, Optional<Long>> history) {
        MapSpecification<Long, Long> map = new MapSpecification<>();
        return history.invocations().stream()
                .filter(i -> i.operation().value().isPresent())
                .filter(i -> i.isPending() || !map.changesNothing(i.operation(), i.result()))
                .count();
    }

    @Override
    public void create(ComputeThread ct) {
        if (ct.id() == 0) {
            ct.root().set(creator.apply(ct));
        }
    }

    @Override
    public RemoteMap<Long, Long> open(ComputeThread ct) {
        return opener.apply(ct.root().get(), ct);
    }

    @Override
    public void operate(
            RemoteMap<Long, Long> map,
            SplittableRandom random,
            Recorder<MapOperation<Long, Long>, Optional<Long>> recorder,
            ComputeThread ct) {
        long key = random.nextInt(keys);
        long value = random.nextInt(threads) + 1L; // few values, so that a replace often finds the expected one
        switch (random.nextInt(6)) {
            case 0 -> note(MapOperation.get(key), () -> map.get(key, ct), recorder, ct);
            case 1 -> note(MapOperation.put(key, value), () -> map.put(key, value, ct), recorder, ct);
            case 2 -> note(MapOperation.putIfAbsent(key, value), () -> map.putIfAbsent(key, value, ct), recorder, ct);
            case 3 -> note(MapOperation.remove(key), () -> map.remove(key, ct), recorder, ct);
            default -> {
                long expected = random.nextInt(threads) + 1L;
                note(
                        MapOperation.replace(key, expected, value),
                        () -> map.replace(key, expected, value, ct) ? expected : null,
                        recorder,
                        ct);
            }
        }
    }

    private interface Body {
        @Nullable
        Long run();
    }

    private static void note(
            MapOperation<Long, Long> operation,
            Body body,
            Recorder<MapOperation<Long, Long>, Optional<Long>> recorder,
            ComputeThread ct) {
        recorder.record(ct.id(), operation, () -> Optional.ofNullable(body.run()));
    }

    @Override
    public void readAll(
            RemoteMap<Long, Long> map, Recorder<MapOperation<Long, Long>, Optional<Long>> recorder, ComputeThread ct) {
        for (long i = 0; i < keys; i++) {
            long key = i;
            note(MapOperation.get(key), () -> map.get(key, ct), recorder, ct);
        }
    }

    @Override
    public void judge(History<MapOperation<Long, Long>, Optional<Long>> history) {
        new LinearizabilityChecker<>(new MapSpecification<Long, Long>()).judge(history);
    }
}
