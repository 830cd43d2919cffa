// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.sim.RandomScheduler;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.SegmentUse;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimulatedQueueRunTest {
    private static final int NODES = 2;
    private static final int THREADS = 24;

    /** The bytes that a queue takes on the fullest node. */
    private static long used(QueueKind queue, int capacity) throws Exception {
        ClusterConfig config = SimulatedQueueRun.cluster(queue, NODES, THREADS, capacity);
        List<SegmentUse> segments = new ArrayList<>();
        Schedule schedule = new Schedule(1, new RandomScheduler(1), Set.of(), Set.of())
                .observedBy(simulator -> simulator.maxSteps(Long.MAX_VALUE));
        new SimulatedCluster(config, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(new RdmaPtr<>(queue.create(capacity, ct).raw()));
                    }
                })
                .run(ct -> {
                    queue.openPhased(ct.root().get(), ct).tryEnqueue(1L, ct); // makes a pool
                    ct.barrier();
                    if (ct.id() == 0) {
                        segments.addAll(SegmentUse.of(ct));
                    }
                });
        Map<Integer, Long> byNode = segments.stream()
                .collect(Collectors.groupingBy(SegmentUse::memoryNode, Collectors.summingLong(SegmentUse::used)));
        return byNode.values().stream().mapToLong(bytes -> bytes).max().orElseThrow();
    }

    /** All is linear in the capacity, so what holds for a small one and for its growth holds for the paper's 10,000. */
    @ParameterizedTest
    @EnumSource(
            value = QueueKind.class,
            names = {"ND_PUBLISHED", "ND", "BD", "BC"})
    void theSegmentsOfANodeHaveRoomForAQueueOfAnyCapacity(QueueKind queue) throws Exception {
        int few = 50;
        int many = 150;
        long usedOfFew = used(queue, few);
        long growth = used(queue, many) - usedOfFew;
        long ofFew = SimulatedQueueRun.segmentBytes(queue, THREADS, few, THREADS / NODES);
        long ofMany = SimulatedQueueRun.segmentBytes(queue, THREADS, many, THREADS / NODES);
        assertThat(usedOfFew).isLessThanOrEqualTo(ofFew);
        assertThat(growth).isPositive().isLessThanOrEqualTo(ofMany - ofFew);
    }
}
