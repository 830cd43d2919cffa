// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.testbed;

import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeNode;

/** A place where one cluster after the other runs, with all of its nodes in this process. */
public interface Testbed {
    /** Whether times are modelled, and follow from the seed. */
    boolean isModelled();

    /** A sentence about the limits of the figures of runs with up to this many threads; empty if there are none. */
    String remark(int threads);

    /** A description for tables, such as {@code modelled infiniband-fdr}. */
    String description();

    /**
     * Runs a body in all Compute Threads of a cluster.
     *
     * @param cluster the cluster; the testbed sets its name, its fabric and its hosts
     * @param seed the seed of modelled schedules
     * @throws RunFailedException if the run has not ended at its {@link RunLimit}
     * @throws Exception the first exception of a body
     */
    void run(ClusterConfig.Builder cluster, long seed, ComputeNode.Body body) throws Exception;
}
