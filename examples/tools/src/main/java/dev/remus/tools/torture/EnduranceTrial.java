// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.torture;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.process.NodeProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A trial with {@code --on-node-loss continue}: the nodes that are not killed must finish, name those that were, and
 * find their books balanced, and nothing may be left.
 */
final class EnduranceTrial {
    private static final long TO_BEGIN_MILLIS = 120_000;
    private static final long TO_END_MILLIS = 120_000;

    private static final long TO_DIE_MILLIS = 60_000;

    /** The exit status after SIGTERM. */
    private static final int TERMINATED = 143;

    private final EndurancePlan plan;
    private final String name;
    private final ShmFolder shm;
    private final List<Moment> faults = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final Set<Integer> gone = new HashSet<>();
    private final Set<Integer> restarted = new HashSet<>();

    /** Whether others were there when a node was killed, so that they remove what it has left. */
    private boolean isAttended = true;

    /** @param name the name of the cluster, which must be unique */
    EnduranceTrial(EndurancePlan plan, String name, ShmFolder shm) {
        this.plan = plan;
        this.name = name;
        this.shm = shm;
    }

    EnduranceOutcome run(Class<?> mainClass, Path results) throws IOException, InterruptedException {
        try (VictimCluster cluster = new VictimCluster(plan.topology(), plan.words(), name, mainClass, shm, results)) {
            if (cluster.await(InjectionPoint.RUN, TO_BEGIN_MILLIS)) {
                long start = System.nanoTime();
                for (Moment moment : plan.moments()) {
                    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
                    Thread.sleep(Math.max(0, moment.millis() - millis));
                    inject(moment, cluster);
                }
            } else {
                violations.add("the threads do not operate");
            }
            awaitEnd(cluster);
            judge(cluster);
            cluster.close();
            if (isAttended) {
                shm.leftovers().forEach(path -> violations.add(path + " is left in shared memory"));
            }
            return new EnduranceOutcome(plan, List.copyOf(faults), List.copyOf(violations), cluster.output());
        }
    }

    private void inject(Moment moment, VictimCluster cluster) throws IOException, InterruptedException {
        int victim = moment.victim();
        NodeProcess node = cluster.node(victim);
        node.signal("STOP"); // so that it cannot leave between the check and the kill
        boolean hasFinished = cluster.hasOperated(victim) && cluster.hasComputed(victim, name, shm);
        if (!node.isAlive() || hasFinished) {
            node.signal("CONT");
            return;
        }
        faults.add(moment);
        if (moment.kind() == Moment.Kind.STOPPED) {
            Thread.sleep(moment.stopMillis());
            node.signal("CONT");
            return;
        }
        node.kill();
        node.await(TO_DIE_MILLIS);
        isAttended = cluster.isAnyAlive();
        if (moment.kind() == Moment.Kind.RESTARTED) {
            cluster.restart(victim);
            restarted.add(victim);
        } else {
            gone.add(victim);
        }
    }

    /** Whether a node was started again too late to operate with the others. */
    private boolean isTooLate(int id, VictimCluster cluster) {
        return restarted.contains(id) && !cluster.hasOperated(id);
    }

    /** Waits until all have ended. A node that was started again too late looks for them in vain, and is ended. */
    private void awaitEnd(VictimCluster cluster) throws InterruptedException {
        long start = System.nanoTime();
        while (cluster.ids().stream()
                        .anyMatch(id ->
                                !isTooLate(id, cluster) && cluster.node(id).isAlive())
                && System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(TO_END_MILLIS)) {
            Thread.sleep(2);
        }
        cluster.ids().stream()
                .filter(id -> isTooLate(id, cluster))
                .map(cluster::node)
                .forEach(NodeProcess::stop);
        cluster.awaitEnd(TO_DIE_MILLIS);
    }

    private void judge(VictimCluster cluster) {
        for (int id : cluster.ids()) {
            NodeProcess node = cluster.node(id);
            if (node.isAlive()) {
                violations.add("node " + id + " does not end");
            } else {
                judgeStatus(id, node.status(), cluster);
            }
        }
        for (Moment fault : faults) {
            String loss = "Compute Node " + fault.victim() + " is lost";
            if (fault.kind() != Moment.Kind.STOPPED && !hasLine(line -> line.contains(loss), cluster)) {
                violations.add("no node reports that " + loss);
            }
        }
        if (!hasLine(line -> line.contains("books: ") && line.endsWith(": balanced"), cluster)) {
            violations.add("no node reports balanced books");
        }
    }

    private void judgeStatus(int id, int status, VictimCluster cluster) {
        boolean mayFail = isTooLate(id, cluster) && (status == ExitStatus.FAILED || status == TERMINATED);
        if (!gone.contains(id) && status != ExitStatus.OK && !mayFail) {
            violations.add("node " + id + " ended with status " + status + " instead of 0");
        }
    }

    private static boolean hasLine(Predicate<String> isWanted, VictimCluster cluster) {
        return cluster.ids().stream().anyMatch(id -> cluster.output(id).stream().anyMatch(isWanted));
    }
}
