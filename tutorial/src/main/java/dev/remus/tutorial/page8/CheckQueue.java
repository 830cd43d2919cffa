// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page8;

import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.ScheduleMix;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.simulation.WatchedRun;
import dev.remus.structures.spec.QueueOperation;
import dev.remus.structures.spec.QueueResult;
import dev.remus.structures.spec.QueueSpecification;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Runs the queue in the simulator, in 300 schedules, or in the one whose seed is given. */
public final class CheckQueue {
    private static final int THREADS = 4;
    private static final int CAPACITY = 2;
    private static final int ITEMS = 4;
    private static final int SCHEDULES = 300;

    private CheckQueue() {}

    // #region scenario
    private static void run(Schedule schedule) throws Exception {
        Recorder<QueueOperation<Long>, QueueResult<Long>> recorder = new Recorder<>();
        new SimulatedCluster(THREADS, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(SmallQueue.create(CAPACITY, ct));
                    }
                })
                .run(ct -> {
                    SmallQueue queue = new SmallQueue(ct.root().get(), CAPACITY);
                    for (int i = 0; ct.id() == 0 && i < (THREADS - 1) * ITEMS; i++) {
                        recorder.record(0, QueueOperation.dequeue(), () -> QueueResult.of(queue.dequeue(ct)));
                    }
                    for (long i = 0; ct.id() != 0 && i < ITEMS; i++) {
                        long item = 10L * ct.id() + i;
                        recorder.record(ct.id(), QueueOperation.enqueue(item), () -> {
                            queue.enqueue(item, ct);
                            return QueueResult.enqueued();
                        });
                    }
                });
        new LinearizabilityChecker<>(new QueueSpecification<Long>()).judge(recorder.history());
    }
    // #endregion scenario

    /** Takes no arguments, or the seed of a schedule, and a file for a page that plays it. */
    public static void main(String... args) throws IOException {
        Optional<Finding> finding = args.length == 0
                ? Finding.first(CheckQueue::run, ScheduleMix.DELAYS::schedule, 1, SCHEDULES)
                : replay(args);
        if (finding.isEmpty()) {
            System.out.println(args.length == 0 ? "seeds 1 to " + SCHEDULES + ": nothing found" : "nothing found");
        } else {
            System.out.println("seed " + finding.get().seed() + " goes wrong:");
            System.out.println(finding.get().describe().stripTrailing());
        }
    }

    private static Optional<Finding> replay(String... args) throws IOException {
        WatchedRun run = WatchedRun.of(CheckQueue::run, ScheduleMix.DELAYS.schedule(Long.parseLong(args[0])));
        if (args.length > 1) {
            run.writePage(Path.of(args[1]), "CheckQueue", "seed " + args[0]);
        }
        return run.finding();
    }
}
