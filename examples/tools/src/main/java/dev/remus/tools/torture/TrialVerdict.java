package dev.remus.tools.torture;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.NodeProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Judges how the nodes of a cluster have ended. */
final class TrialVerdict {
    private final TorturePlan plan;
    private final VictimCluster cluster;
    private final List<String> complaints = new ArrayList<>();

    TrialVerdict(TorturePlan plan, VictimCluster cluster) {
        this.plan = plan;
        this.cluster = cluster;
    }

    List<String> complaints() {
        return List.copyOf(complaints);
    }

    void complain(String complaint) {
        complaints.add(complaint);
    }

    /** After a blow that must not end the run. */
    void expectGoodEnd() {
        for (int id : cluster.ids()) {
            NodeProcess node = cluster.node(id);
            if (node.isAlive()) {
                complain("node " + id + " does not end");
            } else if (node.status() != ExitStatus.OK) {
                complain("node " + id + " ended with status " + node.status() + " instead of 0");
            }
        }
    }

    /**
     * After one node was killed: every other that has to notice ended with status 1 and named it.
     *
     * @param computed whether it had left in good order as far as it was a Compute Node, when it was killed
     * @return whether nobody could miss the node, and nobody did
     */
    boolean expectNoticed(boolean computed) {
        boolean afterLastBarrier = cluster.moment().isAfterLastBarrier();
        boolean missed = false;
        for (int id : cluster.ids()) {
            if (id != plan.victim()) {
                NodeProcess node = cluster.node(id);
                // After the last barrier, threads may be done; a Memory Node waits for all Compute Nodes.
                boolean mayEndWell =
                        afterLastBarrier && (computed || !plan.topology().isMemory(id));
                if (node.isAlive()) {
                    complain("node " + id + " does not end");
                } else if (node.status() == ExitStatus.FAILED) {
                    missed = true;
                    expectNamed(id);
                } else if (node.status() != ExitStatus.OK || !mayEndWell) {
                    complain("node " + id + " ended with status " + node.status() + " instead of 1");
                }
            }
        }
        return !missed;
    }

    private void expectNamed(int id) {
        if (!names(id, plan.victim()) && !(cluster.moment() == Moment.START && namesAnyother(id))) {
            complain("node " + id + " does not name node " + plan.victim());
        }
    }

    /** Before all have met, a node may find that another is gone, which was the first to notice. */
    private boolean namesAnyother(int id) {
        return cluster.ids().stream().anyMatch(other -> other != id && names(id, other));
    }

    private boolean names(int id, int other) {
        Pattern name = Pattern.compile("\\b[Nn]ode " + other + "\\b");
        return cluster.output(id).stream().anyMatch(line -> name.matcher(line).find());
    }
}
