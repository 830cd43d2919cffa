// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.sim.Fault;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.scenario.MishapAtEachStep;
import dev.remus.structures.spec.SetScenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A thread's node is lost, or its lane breaks, at one remote operation of a method of a set, and this is repeated for
 * each remote operation of each method. The others find the set as if the method had been called, or had not, and can
 * insert and remove every key.
 */
@Tag("any-jdk")
@Timeout(600)
class MishapsInSetsTest {
    private static final int KEYS = 6;

    /** Between the keys that the victim changes. */
    private static final long OTHER_KEY = 5;

    private enum Kind {
        LAZY(SetScenario.lazyList(2, 1, KEYS, false)),
        FAST(SetScenario.fastLazyList(2, 1, KEYS, false)),
        CACHED(SetScenario.cachedLazyList(2, 1, KEYS, false, 4)),
        LOCK_FREE(SetScenario.lockFreeList(2, 1, KEYS, false)),
        WIDE(SetScenario.wideLazyList(2, 1, KEYS, false)),
        WIDE_FAST(SetScenario.wideFastLazyList(2, 1, KEYS, false));

        private final SetScenario set;

        Kind(SetScenario set) {
            this.set = set;
        }
    }

    /** What the victim does; the set has the even keys. */
    private enum Method {
        CONTAINS {
            @Override
            boolean change(long key, RemoteLongSet set, ComputeThread ct) {
                return set.contains(key, ct);
            }
        },
        INSERT {
            @Override
            boolean change(long key, RemoteLongSet set, ComputeThread ct) {
                return set.insert(key, ct);
            }
        },
        REMOVE {
            @Override
            boolean change(long key, RemoteLongSet set, ComputeThread ct) {
                return set.remove(key, ct);
            }
        };

        abstract boolean change(long key, RemoteLongSet set, ComputeThread ct);

        /** The keys after the method, given those before. */
        Set<Long> after(Set<Long> keys, long key) {
            Set<Long> after = new TreeSet<>(keys);
            if (this == INSERT) {
                after.add(key);
            } else if (this == REMOVE) {
                after.remove(key);
            }
            return after;
        }
    }

    private static final class Mishap extends MishapAtEachStep<RemoteLongSet> {
        /** The victim changes these, in this order. */
        private static final List<Long> CHANGED = List.of(3L, 2L, 4L);

        private final Kind kind;
        private final Method method;
        private int done;

        Mishap(Kind kind, Method method) {
            this.kind = kind;
            this.method = method;
        }

        @Override
        protected void create(ComputeThread ct) {
            ct.root().set(kind.set.creator().create(ct));
        }

        @Override
        protected RemoteLongSet open(ComputeThread ct) {
            return kind.set.opener().apply(ct.root().get());
        }

        @Override
        protected void prepare(RemoteLongSet set, ComputeThread ct) {
            first().forEach(key -> set.insert(key, ct));
        }

        private static Set<Long> first() {
            return new TreeSet<>(List.of(0L, 2L, 4L));
        }

        @Override
        protected void call(RemoteLongSet set, ComputeThread ct) {
            for (long key : CHANGED) {
                method.change(key, set, ct);
                done++;
            }
        }

        /** Changes the set beside the victim, which may be lost meanwhile, and not cut off. */
        @Override
        protected void compete(RemoteLongSet set, ComputeThread ct) {
            for (int round = 0; round < 2; round++) {
                assertThat(set.insert(OTHER_KEY, ct)).isTrue();
                assertThat(set.remove(OTHER_KEY, ct)).isTrue();
            }
        }

        @Override
        protected void audit(RemoteLongSet set, boolean wasCalled, ComputeThread ct) {
            Set<Long> found = new TreeSet<>();
            for (long key = 0; key < KEYS; key++) {
                if (set.contains(key, ct)) {
                    found.add(key);
                }
            }
            if (ct.id() == VICTIM) {
                assertThat(found).as("what the victim finds in the cleared set").isEmpty();
            } else {
                List<Set<Long>> allowed = new ArrayList<>(List.of(after(done)));
                if (done < CHANGED.size()) {
                    allowed.add(after(done + 1));
                }
                assertThat(found).as("the set after %d calls", done).isIn(allowed);
            }
            for (long key = 0; key < KEYS; key++) {
                assertThat(set.insert(key, ct)).isEqualTo(!found.contains(key));
            }
            for (long key = 0; key < KEYS; key++) {
                assertThat(set.remove(key, ct)).isTrue();
            }
            assertThat(set.checkedSize(ct)).as("keys of the cleared set").isZero();
        }

        private Set<Long> after(int calls) {
            Set<Long> keys = first();
            for (long key : CHANGED.subList(0, calls)) {
                keys = method.after(keys, key);
            }
            return keys;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "LAZY,LOST_COMPUTE_NODES,50",
        "LAZY,BROKEN_LANES,50",
        "LAZY,INTERRUPTED_THREADS,50",
        "FAST,LOST_COMPUTE_NODES,50",
        "FAST,BROKEN_LANES,50",
        "FAST,INTERRUPTED_THREADS,50",
        "CACHED,LOST_COMPUTE_NODES,40",
        "CACHED,BROKEN_LANES,40",
        "CACHED,INTERRUPTED_THREADS,40",
        "LOCK_FREE,LOST_COMPUTE_NODES,20",
        "LOCK_FREE,BROKEN_LANES,20",
        "LOCK_FREE,INTERRUPTED_THREADS,20",
        "WIDE,LOST_COMPUTE_NODES,50",
        "WIDE,BROKEN_LANES,50",
        "WIDE,INTERRUPTED_THREADS,50",
        "WIDE_FAST,LOST_COMPUTE_NODES,50",
        "WIDE_FAST,BROKEN_LANES,50",
        "WIDE_FAST,INTERRUPTED_THREADS,50"
    })
    void theSetGoesOnWhateverHappensToAThreadAtAnyStepOfAMethod(Kind kind, Fault fault, int least) throws Exception {
        int steps = 0;
        for (Method method : Method.values()) {
            steps += MishapAtEachStep.of(fault, () -> new Mishap(kind, method));
        }
        assertThat(steps).as("steps of all methods").isGreaterThanOrEqualTo(least);
    }
}
