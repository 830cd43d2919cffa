// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.liveness;

import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A fault that strikes some threads, each at a random moment.
 *
 * @param fault a crash or a long pause
 * @param threads the number of struck threads
 */
record Disturbance(Fault fault, int threads) {
    /** Draws the struck threads and, for each, one of its first {@code waits} waits. */
    Strike[] strikes(int ofThreads, int waits, SplittableRandom random) {
        List<Integer> order = new ArrayList<>();
        for (int thread = 0; thread < ofThreads; thread++) {
            order.add(random.nextInt(thread + 1), thread);
        }
        return order.stream()
                .limit(threads)
                .map(thread -> new Strike(fault, thread, random.nextInt(1, waits + 1)))
                .toArray(Strike[]::new);
    }

    /** The heading of a table column. */
    String describe(int ofThreads) {
        if (threads == 0) {
            return "undisturbed";
        }
        return threads + " of " + ofThreads + (fault == Fault.STOPPED_THREADS ? " crashed" : " paused");
    }
}
