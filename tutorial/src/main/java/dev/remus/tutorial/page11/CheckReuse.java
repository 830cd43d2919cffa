// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page11;

import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.ScheduleMix;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.spec.SetOperation;
import dev.remus.structures.spec.SetSpecification;
import dev.remus.tutorial.page5.LazyList;
import java.util.Optional;
import java.util.SplittableRandom;

/** Runs the list of page 5 in the simulator, in 1000 schedules in which the memory of its nodes is used again. */
public final class CheckReuse {
    private static final int THREADS = 4;
    private static final int OPERATIONS = 9;
    private static final int KEYS = 3;
    private static final int SCHEDULES = 1000;
    private static final int CALLS = 65;

    private CheckReuse() {}

    // #region scenario
    private static void run(Schedule schedule) throws Exception {
        Recorder<SetOperation<Long>, Boolean> recorder = new Recorder<>();
        ClusterConfig config = SimulatedCluster.small(THREADS)
                .reclaim(Reclamation.EPOCHS)
                .checkMemory(false)
                .build();
        new SimulatedCluster(config, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(LazyList.create(ct));
                    }
                })
                .run(ct -> {
                    LazyList list = new LazyList(ct.root().get());
                    SplittableRandom random = schedule.choices(ct.id());
                    for (int i = 0; i < OPERATIONS; i++) {
                        operate(list, random, recorder, ct);
                        rest(ct);
                    }
                });
        new LinearizabilityChecker<>(new SetSpecification<Long>()).judge(recorder.history());
    }

    /** Only one call of 64 looks at the other threads. */
    private static void rest(ComputeThread ct) {
        for (int i = 0; i < CALLS; i++) {
            ct.quiescent();
        }
    }
    // #endregion scenario

    private static void operate(
            LazyList list, SplittableRandom random, Recorder<SetOperation<Long>, Boolean> recorder, ComputeThread ct) {
        long key = random.nextInt(KEYS);
        switch (random.nextInt(3)) {
            case 0 -> recorder.record(ct.id(), SetOperation.insert(key), () -> list.insert(key, ct));
            case 1 -> recorder.record(ct.id(), SetOperation.remove(key), () -> list.remove(key, ct));
            default -> recorder.record(ct.id(), SetOperation.contains(key), () -> list.contains(key, ct));
        }
    }

    /** Takes no arguments. */
    public static void main(String... args) {
        Optional<Finding> finding = Finding.first(CheckReuse::run, ScheduleMix.DELAYS::schedule, 1, SCHEDULES);
        if (finding.isEmpty()) {
            System.out.println("seeds 1 to " + SCHEDULES + ": nothing found");
        } else {
            System.out.println("seed " + finding.get().seed() + " goes wrong:");
            System.out.println(finding.get().describe().stripTrailing());
        }
    }
}
