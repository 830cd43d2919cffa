// SPDX-License-Identifier: Apache-2.0
package example

import dev.remus.fabric.sim.Fault
import dev.remus.junit.LocalCluster
import dev.remus.junit.SimulationTest
import dev.remus.node.ComputeThread
import dev.remus.simulation.Schedule
import dev.remus.simulation.SimulatedCluster
import org.junit.jupiter.api.Assertions.assertEquals

class CounterTest {
    @SimulationTest(schedules = 50, faults = [Fault.PAUSED_THREADS])
    fun noTwoThreadsGetTheSameCount(schedule: Schedule) {
        val counts = sortedSetOf<Long>()
        SimulatedCluster(2, schedule)
            .prepared { ct -> if (ct.id() == 0) ct.root().set(Counter.create(ct)) }
            .run { ct -> counts.add(Counter(ct.root().get<Shared>()).increment(ct)) }
        assertEquals(setOf(0L, 1L), counts)
    }

    @LocalCluster(memoryNodes = 1, computeNodes = 2, processes = true)
    fun processesShareTheCounter(ct: ComputeThread) {
        if (ct.id() == 0) ct.root().set(Counter.create(ct))
        ct.barrier()
        val counter = Counter(ct.root().get<Shared>())
        counter.increment(ct)
        ct.barrier()
        assertEquals(0, (counter.increment(ct) - 2) / ct.threads())
        ct.barrier()
    }
}
