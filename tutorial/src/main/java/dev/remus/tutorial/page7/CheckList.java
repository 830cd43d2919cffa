// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page7;

import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.ScheduleMix;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.simulation.WatchedRun;
import dev.remus.structures.spec.SetOperation;
import dev.remus.structures.spec.SetSpecification;
import dev.remus.tutorial.page5.LazyList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;

/** Runs the list of page 5 in the simulator, in 300 schedules, or in the one whose seed is given. */
public final class CheckList {
    private static final int THREADS = 4;
    private static final int OPERATIONS = 3;
    private static final int KEYS = 3;
    private static final int SCHEDULES = 300;
    private static final int STEPS = 10_000; // a run that takes more is stuck; a page can play so many

    private CheckList() {}

    // #region scenario
    private static void run(Schedule schedule) throws Exception {
        Recorder<SetOperation<Long>, Boolean> recorder = new Recorder<>();
        new SimulatedCluster(THREADS, schedule)
                .within(STEPS)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(LazyList.create(ct));
                    }
                })
                .run(ct -> {
                    LazyList list = new LazyList(ct.root().get());
                    SplittableRandom random = schedule.choices(ct.id());
                    for (int i = 0; i < OPERATIONS; i++) {
                        SetOperation<Long> operation = operation(random);
                        recorder.record(ct.id(), operation, () -> apply(operation, list, ct));
                    }
                });
        new LinearizabilityChecker<>(new SetSpecification<Long>()).judge(recorder.history());
    }

    private static SetOperation<Long> operation(SplittableRandom random) {
        long key = random.nextInt(KEYS);
        return switch (random.nextInt(3)) {
            case 0 -> SetOperation.insert(key);
            case 1 -> SetOperation.remove(key);
            default -> SetOperation.contains(key);
        };
    }

    private static boolean apply(SetOperation<Long> operation, LazyList list, ComputeThread ct) {
        return switch (operation.kind()) {
            case INSERT -> list.insert(operation.key(), ct);
            case REMOVE -> list.remove(operation.key(), ct);
            case CONTAINS -> list.contains(operation.key(), ct);
        };
    }
    // #endregion scenario

    // #region main
    /** Takes nothing, or the seed of a schedule to show and a file for a page that plays it. */
    public static void main(String... args) throws IOException {
        Optional<Finding> finding = args.length == 0
                ? Finding.first(CheckList::run, ScheduleMix.DELAYS::schedule, 1, SCHEDULES)
                : replay(args);
        if (finding.isEmpty()) {
            System.out.println(args.length == 0 ? "seeds 1 to " + SCHEDULES + ": nothing found" : "nothing found");
        } else {
            System.out.println("seed " + finding.get().seed() + " goes wrong:");
            System.out.println(finding.get().describe().stripTrailing());
        }
    }

    private static Optional<Finding> replay(String... args) throws IOException {
        Schedule schedule = ScheduleMix.DELAYS.schedule(Long.parseLong(args[0]));
        WatchedRun run = WatchedRun.of(CheckList::run, schedule);
        System.out.print(run.trace());
        if (args.length > 1) {
            run.writePage(Path.of(args[1]), "CheckList", "seed " + args[0]);
        }
        return run.finding();
    }
    // #endregion main
}
