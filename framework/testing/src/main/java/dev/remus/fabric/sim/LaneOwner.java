// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import dev.remus.fabric.Link;
import java.util.List;

/**
 * The link that a lane belongs to.
 *
 * @param <L> a lane
 */
interface LaneOwner<L> extends Link {
    /** The Compute Node. */
    int computeNode();

    /** The extra time, in nanoseconds, that each step of the node's lanes takes. */
    long slowness();

    /** The lane of this node with the earliest outstanding request. */
    L laneOfOldestRequest();

    /** All lanes of this node. */
    List<L> lanesOfNode();

    /** A simulated lane is connected at once, or not at all. */
    @Override
    default boolean waitsToReconnect() {
        return false;
    }

    /** For threads outside the simulation: executes some steps of all lanes. */
    void advanceAll(int steps);
}
