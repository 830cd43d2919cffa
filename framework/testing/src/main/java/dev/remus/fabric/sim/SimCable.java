// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import dev.remus.fabric.LossKind;
import dev.remus.fabric.Reachability;
import java.time.Duration;

/**
 * What joins a Compute Node to a Memory Node, and can be down. Both ends see the same: while it is down, neither
 * reaches the other. Once that has lasted for the loss time-out, each has given up the other for good.
 */
final class SimCable {
    private final SimWorld world;
    private final Reachability reachability;
    private long downSince;
    private long downUntil;

    /** @param name of the two nodes, in traces */
    SimCable(SimWorld world, String name, Duration lossTimeout) {
        this.world = world;
        this.reachability = new Reachability(name, lossTimeout, world::happened);
    }

    /** Takes the cable down. Nothing counts as standing still before it is up again, or the nodes are lost. */
    void goDown(long nanos) {
        downSince = world.now();
        downUntil = downSince + nanos;
        world.expectChange(downSince + Math.min(nanos, reachability.nanosLeft(downSince)));
        look();
    }

    private void look() {
        long now = world.now();
        if (now < downUntil) {
            reachability.unanswered(downSince, now);
        } else if (downUntil > 0) {
            reachability.answered(now);
        }
    }

    boolean isReachable() {
        look();
        return reachability.isReachable();
    }

    boolean isLost() {
        look();
        return reachability.isLost();
    }

    LossKind lossKind() {
        return reachability.lossKind();
    }
}
