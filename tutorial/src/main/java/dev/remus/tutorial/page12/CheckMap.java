// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page12;

import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.ScheduleMix;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.spec.MapOperation;
import dev.remus.structures.spec.MapSpecification;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Runs a map in the simulator, in 1000 schedules in which it may grow and the memory of its nodes is used again. */
public final class CheckMap {
    private static final int THREADS = 4;
    private static final int OPERATIONS = 12;
    private static final int KEYS = 10;
    private static final int SCHEDULES = 1000;
    private static final int CALLS = 65;

    private final Recorder<MapOperation<Integer, Long>, Optional<Long>> recorder = new Recorder<>();

    private final boolean grows;

    private final boolean puts;

    private CheckMap(boolean grows, boolean puts) {
        this.grows = grows;
        this.puts = puts;
    }

    // #region scenario
    private void run(Schedule schedule) throws Exception {
        ClusterConfig config = SimulatedCluster.small(THREADS)
                .reclaim(Reclamation.EPOCHS)
                .checkMemory(true)
                .build();
        new SimulatedCluster(config, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(create(ct));
                    }
                })
                .run(ct -> {
                    EntryMap map = open(ct);
                    SplittableRandom random = schedule.choices(ct.id());
                    for (long i = 0; i < OPERATIONS; i++) {
                        operate(map, random, 100L * ct.id() + i, ct); // all values differ
                        for (int call = 0; call < CALLS; call++) {
                            ct.quiescent();
                        }
                    }
                });
        new LinearizabilityChecker<>(new MapSpecification<Integer, Long>()).judge(recorder.history());
    }

    private RdmaPtr<?> create(ComputeThread ct) {
        return grows ? GrowingMap.create(1, 8, ct) : FixedMap.create(2, ct);
    }

    private EntryMap open(ComputeThread ct) {
        return grows
                ? new GrowingMap(ct.root().get(), ct)
                : new FixedMap(ct.root().get(), ct);
    }

    private void operate(EntryMap map, SplittableRandom random, long value, ComputeThread ct) {
        int key = random.nextInt(KEYS);
        switch (random.nextInt(puts ? 5 : 4)) {
            case 0 -> recorder.record(ct.id(), MapOperation.get(key), () -> result(map.get(key, ct)));
            case 1 -> recorder.record(ct.id(), MapOperation.remove(key), () -> result(map.remove(key, ct)));
            case 4 -> recorder.record(ct.id(), MapOperation.put(key, value), () -> result(map.put(key, value, ct)));
            default ->
                recorder.record(
                        ct.id(), MapOperation.putIfAbsent(key, value), () -> result(map.putIfAbsent(key, value, ct)));
        }
    }

    private static Optional<Long> result(long value) {
        return value == EntryMap.ABSENT ? Optional.empty() : Optional.of(value);
    }
    // #endregion scenario

    /** Runs one schedule. */
    public static void check(boolean grows, boolean puts, Schedule schedule) throws Exception {
        new CheckMap(grows, puts).run(schedule);
    }

    /** Takes {@code growing} for the map that grows, and {@code put} to put as well. */
    public static void main(String... args) {
        boolean grows = List.of(args).contains("growing");
        boolean puts = List.of(args).contains("put");
        Optional<Finding> finding =
                Finding.first(schedule -> check(grows, puts, schedule), ScheduleMix.DELAYS::schedule, 1, SCHEDULES);
        if (finding.isEmpty()) {
            System.out.println("seeds 1 to " + SCHEDULES + ": nothing found");
        } else {
            System.out.println("seed " + finding.get().seed() + " goes wrong:");
            System.out.println(finding.get().describe().stripTrailing());
        }
    }
}
