// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.fabric.sim.Fault;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.simulation.scenario.MishapAtEachStep;
import dev.remus.structures.spec.HashMapHandle;
import dev.remus.structures.spec.MapOperation;
import dev.remus.structures.spec.TreeHandle;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A thread's node is lost, or its lane breaks, at one remote operation of a method of a map, and this is repeated for
 * each remote operation of each method. The others find the map as if the method had been called, or had not, and can
 * set and remove every key.
 */
@Tag("any-jdk")
@Timeout(600)
class MishapsInMapsTest {
    private static final int KEYS = 10;
    private static final int SLOTS = 2;

    /** A key that the survivor uses while the victim calls the method. */
    private static final long OTHER_KEY = KEYS;

    /** The keys that batches of the two threads set beside those that are judged. */
    private static final List<Long> OWN_KEYS = List.of(-1L, -2L);

    private enum Kind {
        LIST(80, Method.POINTS),
        HASH(120, Method.OF_HASH_MAPS),
        TEXTS(100, Method.OF_HASH_MAPS),
        BATCHES(120, Method.OF_BATCHES),
        COLLIDING(120, Method.OF_HASH_MAPS),
        TREE(150, Method.OF_TREES),
        TREE_MAP(200, Method.OF_TREES);

        private final int leastSteps;
        private final Set<Method> methods;

        Kind(int leastSteps, Set<Method> methods) {
            this.leastSteps = leastSteps;
            this.methods = methods;
        }

        RdmaPtr<?> create(ComputeThread ct) {
            return switch (this) {
                case LIST -> LockFreeListMap.create(ct);
                case HASH, TEXTS, BATCHES -> RemoteHashMap.create(new MapShape(SLOTS, -1), ct);
                case COLLIDING -> RemoteHashMap.create(new MapShape(KEYS, 0), ct);
                case TREE -> LongLongTree.create(new TreeShape(3), ct);
                case TREE_MAP -> RemoteTreeMap.create(TreeHandle.wideKeys(), new TreeShape(3), ct);
            };
        }

        MapUser open(ComputeThread ct) {
            RdmaPtr<?> This = ct.root().get();
            return switch (this) {
                case LIST ->
                    MapUser.of(new LockFreeListMap<>(new RdmaPtr<>(This.raw()), KeyType.of(Codecs.LONG), Codecs.LONG));
                case HASH, COLLIDING -> MapUser.of(HashMapHandle.longs(This, 64, ct));
                case TEXTS -> MapUser.of(HashMapHandle.texts(This, 0, ct));
                case BATCHES -> MapUser.of(HashMapHandle.batches(This, 64, ct));
                case TREE -> MapUser.of(TreeHandle.shipped(This, 4, ct));
                case TREE_MAP -> MapUser.of(TreeHandle.wide(This, 4, ct));
            };
        }
    }

    /** What the victim does. */
    private enum Method {
        GET(List.of(MapOperation.get(2L), MapOperation.get(3L))),
        PUT(List.of(
                MapOperation.put(1L, 7L),
                MapOperation.put(3L, 7L),
                MapOperation.put(5L, 7L),
                MapOperation.put(7L, 7L),
                MapOperation.put(2L, 7L))),
        PUT_IF_ABSENT(List.of(MapOperation.putIfAbsent(9L, 7L), MapOperation.putIfAbsent(2L, 7L))),
        REPLACE(List.of(MapOperation.replace(2L, 102L, 7L), MapOperation.replace(2L, 102L, 8L))),
        REMOVE(List.of(MapOperation.remove(2L), MapOperation.remove(3L), MapOperation.remove(4L))),
        REMOVE_VALUE(List.of(MapOperation.removeValue(2L, 102L), MapOperation.removeValue(4L, 7L))),
        WALK(List.of()),
        CLEAR(List.of()),
        BULK_LOAD(List.of());

        static final Set<Method> POINTS = EnumSet.of(GET, PUT, PUT_IF_ABSENT, REPLACE, REMOVE);
        static final Set<Method> OF_HASH_MAPS = EnumSet.complementOf(EnumSet.of(BULK_LOAD));

        /** A clear would remove what the handle requires. */
        static final Set<Method> OF_BATCHES = EnumSet.complementOf(EnumSet.of(CLEAR, BULK_LOAD));

        static final Set<Method> OF_TREES = EnumSet.complementOf(EnumSet.of(REMOVE_VALUE));

        private final List<MapOperation<Long, Long>> operations;

        Method(List<MapOperation<Long, Long>> operations) {
            this.operations = operations;
        }
    }

    private static class Mishap extends MishapAtEachStep<MapUser> {
        private final Kind kind;
        private final Method method;
        private int done;

        Mishap(Kind kind, Method method) {
            this.kind = kind;
            this.method = method;
        }

        @Override
        protected void create(ComputeThread ct) {
            ct.root().set(kind.create(ct));
        }

        @Override
        protected MapUser open(ComputeThread ct) {
            return kind.open(ct);
        }

        @Override
        protected void prepare(MapUser map, ComputeThread ct) {
            if (method != Method.BULK_LOAD) {
                first().forEach((key, value) -> map.execute(MapOperation.put(key, value), ct));
            }
        }

        @Override
        protected void call(MapUser map, ComputeThread ct) {
            switch (method) {
                case WALK -> map.walk(ct);
                case CLEAR -> map.clear(ct);
                case BULK_LOAD -> map.bulkLoad(new TreeMap<>(first()), ct);
                default -> {
                    for (MapOperation<Long, Long> operation : method.operations) {
                        map.execute(operation, ct);
                        done++;
                    }
                }
            }
        }

        private static Map<Long, Long> first() {
            Map<Long, Long> first = new TreeMap<>();
            for (long key = 0; key < KEYS; key += 2) {
                first.put(key, 100 + key);
            }
            return first;
        }

        /** The entries after so many operations of the victim. */
        private Map<Long, Long> after(int operations) {
            Map<Long, Long> map = first();
            for (MapOperation<Long, Long> operation : method.operations.subList(0, operations)) {
                long key = operation.key();
                switch (operation.kind()) {
                    case PUT -> map.put(key, operation.value().orElseThrow());
                    case PUT_IF_ABSENT -> map.putIfAbsent(key, operation.value().orElseThrow());
                    case REPLACE ->
                        map.replace(
                                key,
                                operation.expected().orElseThrow(),
                                operation.value().orElseThrow());
                    case REMOVE -> map.remove(key);
                    case REMOVE_VALUE -> map.remove(key, operation.expected().orElseThrow());
                    case GET -> {}
                }
            }
            return map;
        }

        /** Uses the map beside the victim, which may be lost meanwhile, and not cut off. */
        @Override
        protected void compete(MapUser map, ComputeThread ct) {
            for (int round = 0; round < 2 && method != Method.BULK_LOAD; round++) {
                assertThat(map.execute(MapOperation.put(OTHER_KEY, 1L), ct)).isEmpty();
                Optional<Long> removed = map.execute(MapOperation.remove(OTHER_KEY), ct);
                assertThat(method == Method.CLEAR ? Optional.of(1L) : removed).contains(1L);
            }
        }

        @Override
        protected void audit(MapUser map, boolean wasCalled, ComputeThread ct) {
            if (ct.id() == VICTIM && kind == Kind.BATCHES) {
                return; // its handle requires each value that it has set
            }
            Map<Long, Long> found = new TreeMap<>();
            for (long key = 0; key < KEYS; key++) {
                long k = key;
                map.execute(MapOperation.get(key), ct).ifPresent(value -> found.put(k, value));
            }
            if (ct.id() == VICTIM) {
                assertThat(found).as("what the victim finds in the cleared map").isEmpty();
            } else if (method == Method.CLEAR) {
                assertThat(first()).containsAllEntriesOf(found);
                assertThat(wasCalled && !found.isEmpty())
                        .as("what a clear has left")
                        .isFalse();
            } else if (method == Method.BULK_LOAD) {
                assertThat(found).as("what is loaded").isIn(wasCalled ? List.of(first()) : List.of(first(), Map.of()));
            } else {
                List<Map<Long, Long>> allowed = new ArrayList<>(List.of(after(done)));
                if (done < method.operations.size()) {
                    allowed.add(after(done + 1));
                }
                assertThat(found).as("the map after %d operations", done).isIn(allowed);
            }
            for (long key = 0; key < KEYS; key++) {
                Optional<Long> before = map.execute(MapOperation.put(key, 1L), ct);
                assertThat(before).as("what the put replaces").isEqualTo(Optional.ofNullable(found.get(key)));
            }
            for (long key = 0; key < KEYS; key++) {
                assertThat(map.execute(MapOperation.remove(key), ct)).contains(1L);
            }
            if (kind == Kind.BATCHES) {
                OWN_KEYS.forEach(key -> map.execute(MapOperation.remove(key), ct));
            }
            assertThat(map.checkedSize(ct)).as("entries of the cleared map").isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aThreadThatDiesAtAnyStepOfAMethodHasCalledItOrNot(Kind kind) throws Exception {
        atEachStep(kind, Fault.LOST_COMPUTE_NODES);
    }

    /** But for batches, whose handle requires each value that it has set. */
    @ParameterizedTest
    @EnumSource(names = "BATCHES", mode = EnumSource.Mode.EXCLUDE)
    void aThreadWhoseLaneBreaksAtAnyStepOfAMethodHasCalledItOrNot(Kind kind) throws Exception {
        atEachStep(kind, Fault.BROKEN_LANES);
    }

    @ParameterizedTest
    @EnumSource
    void aThreadThatIsInterruptedAtAnyStepOfAMethodHasCalledItOrNot(Kind kind) throws Exception {
        atEachStep(kind, Fault.INTERRUPTED_THREADS);
    }

    @ParameterizedTest
    @EnumSource(names = {"SLOTS_BEFORE_BOUNDS", "LINK_BEFORE_NODE"})
    void stepsOfASplitInTheWrongOrderAreFound(FlawedTree.Flaw flaw) {
        assertThatThrownBy(() -> MishapAtEachStep.of(Fault.LOST_COMPUTE_NODES, () -> new Mishap(Kind.TREE, Method.PUT) {
                    @Override
                    protected MapUser open(ComputeThread ct) {
                        return MapUser.of(FlawedTree.open(ct.root().get(), 4, flaw, ct));
                    }
                }))
                .isInstanceOf(AssertionError.class);
    }

    private static void atEachStep(Kind kind, Fault fault) throws Exception {
        int steps = 0;
        for (Method method : kind.methods) {
            steps += MishapAtEachStep.of(fault, () -> new Mishap(kind, method));
        }
        assertThat(steps).as("steps of all methods").isGreaterThanOrEqualTo(kind.leastSteps);
    }
}
