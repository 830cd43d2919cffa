// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.testbed;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.CostModel;
import dev.remus.fabric.sim.RandomScheduler;
import dev.remus.fabric.sim.StuckException;
import dev.remus.node.ComputeNode;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.Set;

/** Clusters in the simulator, where a {@link CostModel} gives the cost of operations. */
final class SimulatedTestbed implements Testbed {
    private final CostModel model;
    private final RunLimit limit;

    SimulatedTestbed(CostModel model, RunLimit limit) {
        this.model = model;
        this.limit = limit;
    }

    @Override
    public boolean isModelled() {
        return true;
    }

    @Override
    public String description() {
        return "modelled " + model.name();
    }

    @Override
    public String remark(int threads) {
        return "";
    }

    @Override
    public void run(ClusterConfig.Builder cluster, long seed, ComputeNode.Body body) throws Exception {
        Schedule schedule = new Schedule(seed, new RandomScheduler(seed), Set.of(), Set.of())
                .observedBy(simulator -> simulator.costs(model).maxSteps(limit.steps()));
        try {
            new SimulatedCluster(cluster.cluster("model").build(), schedule).run(body);
        } catch (StuckException e) {
            throw new RunFailedException("the run does not end: " + e.getMessage(), e);
        }
    }
}
