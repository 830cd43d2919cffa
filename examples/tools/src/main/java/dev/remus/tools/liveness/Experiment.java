// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.liveness;

import dev.remus.node.ComputeThread;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.tools.liveness.ProgressSubject.Call;
import dev.remus.tools.liveness.ProgressSubject.Next;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A measurement of one structure under one disturbance in many schedules. Threads call random methods. It counts the
 * round trips of each call, and the calls that never end.
 */
final class Experiment {
    /** The number of threads in each cluster. */
    static final int THREADS = 4;

    /** The calls of each thread, without those that follow others. */
    static final int CALLS = 8;

    /** Roughly the waits in a thread's calls, so that most struck threads are inside a call. */
    private static final int WAITS = 40;

    private final ProgressSubject subject;
    private final Disturbance disturbance;
    private final Map<String, Steps> steps = new TreeMap<>();

    Experiment(ProgressSubject subject, Disturbance disturbance) {
        this.subject = subject;
        this.disturbance = disturbance;
    }

    /** Runs the schedules, and returns the counts by method. */
    Map<String, Steps> run(long first, long schedules) throws Exception {
        for (long seed = first; seed < first + schedules; seed++) {
            runOne(seed);
        }
        return steps;
    }

    private static final class Pending {
        private final int thread;
        private final String method;
        private boolean ended;
        private long roundTrips;

        Pending(int thread, String method) {
            this.thread = thread;
            this.method = method;
        }
    }

    private void runOne(long seed) throws Exception {
        List<Pending> calls = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(seed);
        Schedule schedule = Schedule.random(seed).withStrikes(disturbance.strikes(THREADS, WAITS, random));
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(THREADS).reclaim(subject.reclamation()).build(), schedule);
        cluster.prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(subject.creator().apply(ct));
                    }
                })
                .run(ct -> work(subject.opener().apply(ct.root().get(), ct), calls, schedule.choices(ct.id()), ct));
        for (Pending call : calls) {
            Steps ofMethod = steps.computeIfAbsent(call.method, method -> new Steps());
            if (call.ended) {
                ofMethod.finished(call.roundTrips);
            } else if (!cluster.stoppedThreads().contains(call.thread)) {
                ofMethod.unfinished();
            }
        }
    }

    private static void work(List<Call> methods, List<Pending> calls, SplittableRandom random, ComputeThread ct) {
        for (int i = 0; i < CALLS; i++) {
            Call call = methods.get(random.nextInt(methods.size()));
            make(call, calls, random, ct);
            for (Next next = call.next();
                    next != null && next.condition().getAsBoolean();
                    next = next.call().next()) {
                make(next.call(), calls, random, ct);
            }
            ct.quiescent();
        }
    }

    private static void make(Call call, List<Pending> calls, SplittableRandom random, ComputeThread ct) {
        Pending pending = new Pending(ct.id(), call.method());
        calls.add(pending);
        long before = ct.metrics().roundTrips();
        call.body().run(random);
        pending.roundTrips = ct.metrics().roundTrips() - before;
        pending.ended = true;
    }
}
