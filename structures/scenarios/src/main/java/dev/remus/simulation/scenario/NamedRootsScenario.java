// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.SplittableRandom;

/**
 * Threads ask for the same new names at the same moment, in orders of their own, and count in the root of each name. A
 * name that was added twice, or lost, or taken for another one that it begins with, has a root in which not all have
 * counted.
 *
 * @param threads the number of threads, which is even
 * @param rounds the number of repetitions, each with names of its own
 */
public record NamedRootsScenario(int threads, int rounds) implements Scenario {
    private static final int NAMES = 3;

    /** Rejects parameters that cannot be run. */
    public NamedRootsScenario {
        if (rounds < 1) {
            throw new IllegalArgumentException(rounds + " rounds: needs at least one");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        new SimulatedCluster(
                        Clusters.drawn(threads, schedule.choices(-1))
                                .checkMemory(true)
                                .build(),
                        schedule)
                .run(ct -> {
                    SplittableRandom random = schedule.choices(ct.id());
                    for (int round = 0; round < rounds; round++) {
                        countIn(round, random.nextInt(NAMES), ct);
                        ct.barrier();
                        checkCounts(round, ct);
                    }
                });
    }

    /** Each name of a round begins with those of smaller numbers. */
    private static String name(int round, int number) {
        return "round " + round + ", name" + " again".repeat(number);
    }

    private static void countIn(int round, int first, ComputeThread ct) {
        for (int i = 0; i < NAMES; i++) {
            ct.root(name(round, (first + i) % NAMES)).fetchAndAdd(1);
        }
    }

    private void checkCounts(int round, ComputeThread ct) {
        for (int number = 0; number < NAMES; number++) {
            long count = ct.root(name(round, number)).get().raw();
            if (count != threads) {
                throw new AssertionError("the root '" + name(round, number) + "' that " + ct + " has found is " + count
                        + " after all " + threads + " threads have added 1 to the root of that name");
            }
        }
    }
}
