// SPDX-License-Identifier: Apache-2.0
package example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.remus.fabric.sim.Fault;
import dev.remus.junit.LocalCluster;
import dev.remus.junit.SimulationTest;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.Set;
import java.util.TreeSet;

class CounterTest {
    @SimulationTest(schedules = 50, faults = Fault.PAUSED_THREADS)
    void noTwoThreadsGetTheSameCount(Schedule schedule) throws Exception {
        Set<Long> counts = new TreeSet<>();
        new SimulatedCluster(2, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(Counter.create(ct));
                    }
                })
                .run(ct -> counts.add(new Counter(ct.root().get()).increment(ct)));
        assertEquals(Set.of(0L, 1L), counts);
    }

    @LocalCluster(memoryNodes = 1, computeNodes = 2, processes = true)
    void processesShareTheCounter(ComputeThread ct) {
        if (ct.id() == 0) {
            ct.root().set(Counter.create(ct));
        }
        ct.barrier();
        Counter counter = new Counter(ct.root().get());
        counter.increment(ct);
        ct.barrier();
        assertEquals(0, (counter.increment(ct) - 2) / ct.threads());
        ct.barrier();
    }
}
