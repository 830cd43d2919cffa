// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.torture;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.process.NodeProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Checks how the nodes of a cluster have ended. */
final class TrialVerdict {
    private final TorturePlan plan;
    private final VictimCluster cluster;
    private final List<String> violations = new ArrayList<>();

    TrialVerdict(TorturePlan plan, VictimCluster cluster) {
        this.plan = plan;
        this.cluster = cluster;
    }

    List<String> violations() {
        return List.copyOf(violations);
    }

    void report(String violation) {
        violations.add(violation);
    }

    /** Checks a cluster whose fault must not end the run. */
    void expectGoodEnd() {
        for (int id : cluster.ids()) {
            NodeProcess node = cluster.node(id);
            if (node.isAlive()) {
                report("node " + id + " does not end");
            } else if (node.status() != ExitStatus.OK) {
                report("node " + id + " ended with status " + node.status() + " instead of 0");
            }
        }
    }

    /**
     * Checks a cluster of which one node was killed: every other node that must notice has ended with status 1 and
     * named it.
     *
     * @param computed whether the killed node had finished its part as a Compute Node
     * @return whether no node noticed the loss
     */
    boolean expectNoticed(boolean computed) {
        boolean afterLastBarrier = cluster.point().isAfterLastBarrier();
        boolean noticed = false;
        for (int id : cluster.ids()) {
            if (id != plan.victim()) {
                NodeProcess node = cluster.node(id);
                // After the last barrier, threads may be done; a Memory Node waits for all Compute Nodes.
                boolean mayEndWell =
                        afterLastBarrier && (computed || !plan.topology().isMemory(id));
                if (node.isAlive()) {
                    report("node " + id + " does not end");
                } else if (node.status() == ExitStatus.FAILED) {
                    noticed = true;
                    expectNamed(id);
                } else if (node.status() != ExitStatus.OK || !mayEndWell) {
                    report("node " + id + " ended with status " + node.status() + " instead of 1");
                }
            }
        }
        return !noticed;
    }

    private void expectNamed(int id) {
        if (!names(id, plan.victim()) && !(cluster.point() == InjectionPoint.START && namesAnyOther(id))) {
            report("node " + id + " does not name node " + plan.victim());
        }
    }

    /**
     * Whether a node names any other: before all have met, it may notice the loss of the node that noticed the kill
     * first.
     */
    private boolean namesAnyOther(int id) {
        return cluster.ids().stream().anyMatch(other -> other != id && names(id, other));
    }

    private boolean names(int id, int other) {
        Pattern name = Pattern.compile("\\b[Nn]ode " + other + "\\b");
        return cluster.output(id).stream().anyMatch(line -> name.matcher(line).find());
    }
}
