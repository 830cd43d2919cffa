// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import java.util.List;

/** A Memory Node whose segments a Compute Node has mapped. */
final class MappedNode {
    private final NodeWatch watch;
    private final List<Mapping> mappings;
    private volatile boolean lost;

    /** @param watch the watch on the run that offered these segments; {@link #close} closes it */
    MappedNode(NodeWatch watch, List<Mapping> mappings) {
        this.watch = watch;
        this.mappings = List.copyOf(mappings);
    }

    int segments() {
        return mappings.size();
    }

    Mapping mapping(int i) {
        return mappings.get(i);
    }

    /** The node is lost if no process holds the lock on the node file of that run any more. */
    boolean isLost() {
        if (!lost) {
            lost = !watch.isAlive();
        }
        return lost;
    }

    /** Whether {@link #isLost} has found the Memory Node lost. */
    boolean wasFoundLost() {
        return lost;
    }

    /** Stops watching the node. Its segments stay mapped while their mappings are reachable. */
    void close() {
        watch.close();
    }
}
