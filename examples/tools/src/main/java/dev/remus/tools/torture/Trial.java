// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.torture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A trial: starts a cluster, injects the planned fault, and checks the outcome. */
final class Trial {
    private static final long TO_REACH_POINT_MILLIS = 60_000;
    private static final long TO_END_MILLIS = 60_000;

    private final TorturePlan plan;
    private final String name;
    private final ShmFolder shm;
    private final StartTime startTime;
    private boolean computed;
    private boolean allHadLeft;

    /** @param name the name of the cluster, which must be unique */
    Trial(TorturePlan plan, String name, ShmFolder shm, StartTime startTime) {
        this.plan = plan;
        this.name = name;
        this.shm = shm;
        this.startTime = startTime;
    }

    /** The time that the last cluster took to start, an estimate for the next one. */
    static final class StartTime {
        private long millis = 1_500;
    }

    TrialOutcome run(Class<?> mainClass, Path results) throws IOException, InterruptedException {
        long start = System.nanoTime();
        try (VictimCluster cluster = new VictimCluster(plan.topology(), plan.words(), name, mainClass, shm, results)) {
            TrialVerdict verdict = new TrialVerdict(plan, cluster);
            if (!awaitPoint(cluster, start)) {
                verdict.report("the cluster did not reach the injection point");
            }
            InjectionPoint point = cluster.point();
            long fault = System.nanoTime();
            if (verdict.violations().isEmpty()) {
                inject(cluster);
            }
            cluster.awaitEnd(TO_END_MILLIS);
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - fault);
            boolean late = judge(verdict, point);
            cluster.close();
            expectNothingLeft(verdict, late);
            return new TrialOutcome(plan, point, late, millis, verdict.violations(), cluster.output());
        }
    }

    private boolean awaitPoint(VictimCluster cluster, long start) throws InterruptedException {
        if (plan.point() == InjectionPoint.START) {
            Thread.sleep((long) (plan.chance() * startTime.millis));
            return true;
        }
        if (!cluster.await(InjectionPoint.CREATE, TO_REACH_POINT_MILLIS)) {
            return false;
        }
        startTime.millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        if (!cluster.await(plan.point().awaited(), TO_REACH_POINT_MILLIS)) {
            return false;
        }
        Thread.sleep((long) (plan.chance() * plan.point().windowMillis()));
        return true;
    }

    private void inject(VictimCluster cluster) throws IOException, InterruptedException {
        switch (plan.fault()) {
            case KILL -> {
                cluster.node(plan.victim()).signal("STOP"); // so that it cannot leave between the check and the kill
                computed = cluster.hasComputed(plan.victim(), name, shm);
                cluster.node(plan.victim()).kill();
            }
            case KILL_ALL -> {
                allHadLeft = haveLeft(cluster);
                cluster.ids().forEach(id -> cluster.node(id).kill());
            }
            case STOP -> {
                cluster.node(plan.victim()).signal("STOP");
                Thread.sleep(plan.stopMillis());
                cluster.node(plan.victim()).signal("CONT");
            }
            case NONE -> {}
        }
    }

    private boolean haveLeft(VictimCluster cluster) throws IOException {
        for (int id : cluster.ids()) {
            if (!cluster.hasLeft(id, name, shm)) {
                return false;
            }
        }
        return cluster.point() != InjectionPoint.START; // at the start, nodes may not have joined yet
    }

    /** Judges the outcome; returns whether the fault came too late to be noticed. */
    private boolean judge(TrialVerdict verdict, InjectionPoint point) {
        return switch (plan.fault()) {
            case KILL -> verdict.expectNoticed(computed);
            case KILL_ALL -> allHadLeft;
            case STOP, NONE -> {
                verdict.expectGoodEnd();
                yield point.compareTo(plan.point()) > 0 && plan.fault() == NodeFault.STOP;
            }
        };
    }

    /**
     * Expects no leftovers of earlier clusters, and none of this one if a node survived to remove them. If all nodes
     * were killed at once, or one after all others had left, the next cluster removes them.
     */
    private void expectNothingLeft(TrialVerdict verdict, boolean late) throws IOException {
        boolean mayNotHaveStarted = plan.fault() == NodeFault.KILL_ALL && plan.point() == InjectionPoint.START;
        for (String path : shm.leftovers()) {
            boolean own = Path.of(path).getName(1).toString().equals(name);
            if (own ? plan.fault() != NodeFault.KILL_ALL && !late : !mayNotHaveStarted) {
                verdict.report(path + " is left in shared memory");
            }
        }
    }
}
