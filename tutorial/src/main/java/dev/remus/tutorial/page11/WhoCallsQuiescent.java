// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page11;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.ScheduleMix;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.tutorial.page5.LazyList;
import java.util.Optional;

/**
 * Solution of the exercise: a structure that uses the list of page 5 in its operations, while it holds a pointer of its
 * own. Either its loop calls {@code quiescent}, or the list does.
 */
public final class WhoCallsQuiescent {
    private static final int THREADS = 2;
    private static final int OPERATIONS = 6;
    private static final int KEYS = 4;
    private static final int SCHEDULES = 100;
    private static final int CALLS = 65;

    private WhoCallsQuiescent() {}

    // #region structure
    /** A value, and a list of keys that must all be there for the value to be read. */
    private static final class Guarded extends RemoteRecord {
        final RemoteRef<Value> newest = refField();
        final RemoteRef<LazyList.Shared> keys = refField();
    }

    private static final class Value extends RemoteRecord {
        final RemoteLong number = longField();
    }

    /** The value, if all keys are in the list. */
    private static long read(Guarded guarded, Value value, LazyList keys, boolean listCalls, ComputeThread ct) {
        value.at(guarded.newest.load(ct)); // a pointer of this structure
        for (long key = 0; key < KEYS; key++) {
            if (!keys.contains(key, ct)) {
                return 0;
            }
            if (listCalls) {
                rest(ct); // as if contains ended with it
            }
        }
        return value.number.load(ct);
    }

    private static void replace(Guarded guarded, Value value, Value fresh, long number, ComputeThread ct) {
        fresh.allocate(ct);
        fresh.number.store(number, ct);
        value.at(guarded.newest.load(ct));
        guarded.newest.store(fresh, ct);
        value.schedReclaim(ct);
    }
    // #endregion structure

    private static void rest(ComputeThread ct) {
        for (int i = 0; i < CALLS; i++) {
            ct.quiescent();
        }
    }

    /** Runs one schedule: one thread replaces the value, the other one reads it. */
    public static void check(boolean listCalls, Schedule schedule) throws Exception {
        ClusterConfig config = SimulatedCluster.small(THREADS)
                .reclaim(Reclamation.EPOCHS)
                .checkMemory(true)
                .build();
        new SimulatedCluster(config, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        create(ct);
                    }
                })
                .run(ct -> {
                    Guarded guarded = new Guarded();
                    guarded.at(ct.root().get().raw());
                    LazyList keys = new LazyList(new RdmaPtr<>(guarded.keys.load(ct)));
                    Value value = new Value();
                    Value fresh = new Value();
                    for (int i = 0; i < OPERATIONS; i++) {
                        if (ct.id() == 0) {
                            replace(guarded, value, fresh, i, ct);
                        } else {
                            read(guarded, value, keys, listCalls, ct);
                        }
                        rest(ct); // the loop calls it in either case: here no operation is in progress
                    }
                });
    }

    private static void create(ComputeThread ct) {
        Value first = new Value();
        first.allocate(ct);
        first.number.store(0, ct);
        RdmaPtr<LazyList.Shared> keys = LazyList.create(ct);
        for (long key = 0; key < KEYS; key++) {
            new LazyList(keys).insert(key, ct);
        }
        Guarded guarded = new Guarded();
        guarded.allocate(ct);
        guarded.newest.store(first, ct);
        guarded.keys.store(keys.raw(), ct);
        ct.root().set(new RdmaPtr<>(guarded.pointer()));
    }

    /** Takes no arguments. */
    public static void main(String... args) {
        for (boolean listCalls : new boolean[] {false, true}) {
            Optional<Finding> finding =
                    Finding.first(schedule -> check(listCalls, schedule), ScheduleMix.DELAYS::schedule, 1, SCHEDULES);
            System.out.println((listCalls ? "the list calls it: " : "only the loop calls it: ")
                    + finding.map(f -> "seed " + f.seed() + " goes wrong:\n"
                                    + f.describe().stripTrailing())
                            .orElse("seeds 1 to " + SCHEDULES + ": nothing found"));
        }
    }
}
