// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.CostModel;
import dev.remus.fabric.sim.RandomScheduler;
import dev.remus.fabric.sim.Simulator;
import dev.remus.node.ComputeNode;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One run on a simulated cluster, whose operations cost what a {@link CostModel} has. */
public final class ModelRun {
    private final ClusterConfig config;
    private final CostModel model;
    private final long seed;
    private @Nullable Simulator simulator;

    /** @param seed the same seed makes the same run */
    public ModelRun(ClusterConfig config, CostModel model, long seed) {
        this.config = config;
        this.model = model;
        this.seed = seed;
    }

    /**
     * Runs a body in each Compute Thread, until all have ended, or one of them {@linkplain Simulator#finish ends} the
     * run.
     *
     * @param name what runs, for the message of a failure
     * @throws IllegalStateException if a body fails
     */
    public void run(String name, ComputeNode.Body body) throws InterruptedException {
        Schedule schedule = new Schedule(seed, new RandomScheduler(seed), Set.of(), Set.of()).observedBy(s -> {
            s.costs(model).maxSteps(Long.MAX_VALUE);
            simulator = s;
        });
        try {
            new SimulatedCluster(config, schedule).run(body);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(name + " cannot be simulated", e);
        }
    }

    /** The simulator, once the run has begun. */
    public Simulator simulator() {
        if (simulator == null) {
            throw new IllegalStateException("the run has not begun");
        }
        return simulator;
    }

    /** After the run: the part of the hardware that was busy for the largest share of the time. */
    public String busiest() {
        return simulator().busiest();
    }
}
