package dev.remus.tools.liveness;

import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What happens to some threads, each at a moment that is drawn.
 *
 * @param fault a crash or a long pause
 * @param threads to how many of them
 */
record Disturbance(Fault fault, int threads) {
    /** Which threads, and when: after one of the first so many waits of each. */
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

    /** For the head of a table. */
    String describe(int ofThreads) {
        if (threads == 0) {
            return "undisturbed";
        }
        return threads + " of " + ofThreads + (fault == Fault.STOPPED_THREADS ? " crashed" : " paused");
    }
}
