// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import dev.remus.config.ClusterConfig;

/** Starts nodes outside the process of the tests, so that they can die. */
public interface OtherNodes {
    /** Starts a Memory Node; it is published when this returns. */
    OtherNode startMemory(ClusterConfig config, int node);

    /** Starts a Compute Node; it is connected to the cluster's first Memory Node when this returns. */
    OtherNode startCompute(ClusterConfig config, int node);
}
