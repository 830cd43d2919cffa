// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page10;

import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.ScheduleMix;
import dev.remus.simulation.SimulatedCluster;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/** Runs both deques in the simulator, each in 1000 schedules or another number of them. */
public final class CheckDeque {
    private static final int CAPACITY = 2;
    private static final int THREADS = 6;
    private static final int OPERATIONS = 3;
    private static final int SCHEDULES = 1000;

    private CheckDeque() {}

    // #region scenario
    /** Runs one schedule. */
    public static void check(DequeKind kind, Schedule schedule) throws Exception {
        Recorder<DequeOperation, String> recorder = new Recorder<>();
        new SimulatedCluster(THREADS, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        kind.create(CAPACITY, ct);
                    }
                })
                .run(ct -> {
                    RemoteDeque deque = kind.handle(CAPACITY, ct);
                    SplittableRandom random = schedule.choices(ct.id());
                    for (int i = 0; i < OPERATIONS; i++) {
                        Side side = random.nextBoolean() ? Side.LEFT : Side.RIGHT;
                        if (random.nextBoolean()) {
                            int item = 10 * ct.id() + i; // all items differ
                            recorder.record(
                                    ct.id(),
                                    new DequeOperation(side, OptionalInt.of(item)),
                                    () -> deque.push(side, item, ct) ? "pushed" : "full");
                        } else {
                            recorder.record(
                                    ct.id(),
                                    new DequeOperation(side, OptionalInt.empty()),
                                    () -> popped(deque.pop(side, ct)));
                        }
                    }
                });
        new LinearizabilityChecker<>(new DequeSpecification(CAPACITY)).judge(recorder.history());
    }

    private static String popped(long item) {
        return item == RemoteDeque.EMPTY ? "empty" : "" + item;
    }
    // #endregion scenario

    /** Takes the number of schedules, or nothing. */
    public static void main(String... args) {
        int schedules = args.length == 0 ? SCHEDULES : Integer.parseInt(args[0]);
        for (DequeKind kind : DequeKind.values()) {
            Optional<Finding> finding =
                    Finding.first(schedule -> check(kind, schedule), ScheduleMix.DELAYS::schedule, 1, schedules);
            if (finding.isPresent()) {
                System.out.println(kind + ": seed " + finding.get().seed() + " goes wrong:");
                System.out.println(finding.get().describe().stripTrailing());
                return;
            }
            System.out.println(kind + ": seeds 1 to " + schedules + ": nothing found");
        }
    }
}
