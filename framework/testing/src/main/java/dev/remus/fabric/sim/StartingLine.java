// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import java.util.ArrayList;
import java.util.List;

/** Where threads wait for each other, so that each of them can be the first to go on. */
final class StartingLine {
    /** How long a thread waits for others to start: longer than it takes to notice that one never will. */
    private static final long START_NANOS = 10_000_000_000L;

    private final SimWorld world;
    private final List<SimTask> waiting = new ArrayList<>();
    private int count;

    StartingLine(SimWorld world) {
        this.world = world;
    }

    /** Lets that many threads wait for each other. */
    void set(int threads) {
        count = threads;
    }

    /** Whether the next thread has to wait. */
    boolean isSet() {
        return count > 0;
    }

    /** Makes a thread wait; the last one to come makes all ready. */
    void await(SimTask task) {
        waiting.add(task);
        if (waiting.size() == count) {
            waiting.forEach(world::makeReady);
            count = 0;
        } else {
            task.sleepFor(START_NANOS);
        }
    }
}
