// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import java.util.List;

/**
 * Other scenarios with Compute Threads that use lanes as virtual threads do. A blocking operation waits behind a
 * doorbell while its thread lets others go on. The first thread that polls the lane rings for all of them.
 *
 * @param all the other scenarios, of which each seed plays one
 */
public record VirtualThreadsScenario(List<Scenario> all) implements Scenario {
    /** Copies the list, which must not be empty. */
    public VirtualThreadsScenario {
        all = List.copyOf(all);
        if (all.isEmpty()) {
            throw new IllegalArgumentException("no scenario: needs at least one");
        }
    }

    /** One of the given scenarios. */
    public static VirtualThreadsScenario of(Scenario... others) {
        return new VirtualThreadsScenario(List.of(others));
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        all.get(Math.floorMod(schedule.seed(), all.size())).run(schedule.withVirtualThreads());
    }
}
