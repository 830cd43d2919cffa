// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.fabric.Environment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The guarantee of the paper: a bug of depth d is found with probability 1 / (n k^(d-1)) at least. */
@Tag("any-jdk")
class PctSchedulerTest {
    private static final int RUNS = 4_000;
    private static final int THREADS = 4;
    private static final int STEPS_OF_A_THREAD = 5;

    private interface Bug {
        boolean isIn(String order);
    }

    /** A few threads that do their steps, a letter a step. */
    private static Simulator run(long seed, int depth, int steps, StringBuilder order) {
        Simulator simulator = new Simulator(0, new PctScheduler(seed, depth, steps), Set.of());
        simulator.run(() -> {
            List<Environment.Task> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                char letter = (char) ('a' + i);
                threads.add(simulator.start("thread-" + letter, false, () -> {
                    for (int step = 0; step < STEPS_OF_A_THREAD; step++) {
                        simulator.nanoTime(); // here others may go on
                        order.append(letter);
                    }
                }));
            }
            for (Environment.Task thread : threads) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        });
        return simulator;
    }

    private static void isFoundAsOftenAsPromised(int depth, Bug bug) {
        int steps = (int) run(0, 1, 1, new StringBuilder()).steps();
        int found = 0;
        for (long seed = 0; seed < RUNS; seed++) {
            StringBuilder order = new StringBuilder();
            run(seed, depth, steps, order);
            found += bug.isIn(order.toString()) ? 1 : 0;
        }
        double promised = RUNS / ((THREADS + 1) * Math.pow(steps, depth - 1));
        assertThat((double) found).isGreaterThanOrEqualTo(promised);
    }

    @Test
    void aBugOfDepthOneIsFound() {
        isFoundAsOftenAsPromised(1, order -> order.indexOf('d') < order.indexOf('a'));
    }

    @Test
    void aBugOfDepthTwoIsFound() { // b begins after a has begun, and before it has gone on
        isFoundAsOftenAsPromised(2, order -> order.indexOf("ab") == order.indexOf('a'));
    }

    @Test
    void aBugOfDepthThreeIsFound() { // a is overtaken in its middle by a part of b, not by all of it
        isFoundAsOftenAsPromised(3, order -> order.replaceAll("[cd]", "").startsWith("aabba"));
    }

    @Test
    void impossibleNumbersAreRefused() {
        assertThatThrownBy(() -> new PctScheduler(0, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PctScheduler(0, 1, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
