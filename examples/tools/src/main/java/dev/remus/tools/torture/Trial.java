package dev.remus.tools.torture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starts a cluster, does to it what is planned, and looks what becomes of it. */
final class Trial {
    private static final long TO_REACH_A_MOMENT_MILLIS = 60_000;
    private static final long TO_END_MILLIS = 60_000;

    private final TorturePlan plan;
    private final String name;
    private final ShmFolder shm;
    private final Clock clock;
    private boolean computed;
    private boolean allHadLeft;

    /** @param name of the cluster; nobody else uses it */
    Trial(TorturePlan plan, String name, ShmFolder shm, Clock clock) {
        this.plan = plan;
        this.name = name;
        this.shm = shm;
        this.clock = clock;
    }

    /** How long clusters take to start, which is where the moments of the next one's start are. */
    static final class Clock {
        private long startMillis = 1_500;
    }

    TrialOutcome run(Class<?> mainClass, Path results) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        try (VictimCluster cluster = new VictimCluster(plan, name, mainClass, shm, results)) {
            TrialVerdict verdict = new TrialVerdict(plan, cluster);
            if (!awaitMoment(cluster, begin)) {
                verdict.complain("the cluster did not reach the moment");
            }
            Moment moment = cluster.moment();
            long blow = System.nanoTime();
            if (verdict.complaints().isEmpty()) {
                strike(cluster);
            }
            cluster.awaitEnd(TO_END_MILLIS);
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - blow);
            boolean late = judge(verdict, moment);
            cluster.close();
            expectNothingLeft(verdict, late);
            return new TrialOutcome(plan, moment, late, millis, verdict.complaints(), output(cluster));
        }
    }

    private boolean awaitMoment(VictimCluster cluster, long begin) throws InterruptedException {
        if (plan.moment() == Moment.START) {
            Thread.sleep((long) (plan.chance() * clock.startMillis));
            return true;
        }
        if (!cluster.await(Moment.CREATE, TO_REACH_A_MOMENT_MILLIS)) {
            return false;
        }
        clock.startMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        if (!cluster.await(plan.moment().begin(), TO_REACH_A_MOMENT_MILLIS)) {
            return false;
        }
        Thread.sleep((long) (plan.chance() * plan.moment().width()));
        return true;
    }

    private void strike(VictimCluster cluster) throws IOException, InterruptedException {
        switch (plan.blow()) {
            case KILL -> {
                cluster.node(plan.victim()).signal("STOP"); // so that it does not leave between the look and the kill
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
        return cluster.moment() != Moment.START; // before that they may not have come
    }

    /** Says whether the blow came too late to be noticed. */
    private boolean judge(TrialVerdict verdict, Moment moment) {
        return switch (plan.blow()) {
            case KILL -> verdict.expectNoticed(computed);
            case KILL_ALL -> allHadLeft;
            case STOP, NONE -> {
                verdict.expectGoodEnd();
                yield moment.compareTo(plan.moment()) > 0 && plan.blow() == Blow.STOP;
            }
        };
    }

    /**
     * Where nobody was there to clean up, the next cluster does: when all were killed at once, or one when all others had
     * left already.
     */
    private void expectNothingLeft(TrialVerdict verdict, boolean late) throws IOException {
        boolean mayNotHaveStarted = plan.blow() == Blow.KILL_ALL && plan.moment() == Moment.START;
        for (String path : shm.leftovers()) {
            boolean own = Path.of(path).getName(1).toString().equals(name);
            if (own ? plan.blow() != Blow.KILL_ALL && !late : !mayNotHaveStarted) {
                verdict.complain(path + " is left in shared memory");
            }
        }
    }

    private static List<String> output(VictimCluster cluster) {
        List<String> output = new ArrayList<>();
        for (int id : cluster.ids()) {
            output.add("node " + id + " ended with status "
                    + (cluster.node(id).isAlive()
                            ? "?"
                            : Integer.toString(cluster.node(id).status())));
            cluster.output(id).forEach(line -> output.add("node " + id + " | " + line));
        }
        return output;
    }
}
