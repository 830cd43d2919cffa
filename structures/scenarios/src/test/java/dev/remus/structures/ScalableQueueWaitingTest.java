// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Operation;
import dev.remus.fabric.sim.PostedRequest;
import dev.remus.fabric.sim.TraceListener;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ScalableQueueWaitingTest {
    private static final int CAPACITY = 4;
    private static final int PRODUCERS = 3;
    private static final int FIRST_NODE = 2;
    private static final long MILLISECOND = 1_000_000;

    /** Counts what threads read. */
    private static final class Reads implements TraceListener {
        private final Map<String, Map<Long, Integer>> byThread = new TreeMap<>();
        private boolean isCounting;

        @Override
        public void posted(PostedRequest request) {
            if (isCounting && request.operation() == Operation.READ) {
                byThread.computeIfAbsent(request.thread(), thread -> new HashMap<>())
                        .merge(request.pointer(), 1, Integer::sum);
            }
        }

        /** The word that a thread has read most often. */
        long favourite(int producer) {
            return Collections.max(
                            byThread.get("remus-" + (FIRST_NODE + producer) + "-0")
                                    .entrySet(),
                            Map.Entry.comparingByValue())
                    .getKey();
        }

        @Override
        public String nameOf(long pointer) {
            return "";
        }

        @Override
        public void step(long number, long nanos, String agent) {}

        @Override
        public void ended(long request, CompletionStatus status, long[] values) {}

        @Override
        public void placed(long request) {}

        @Override
        public void changed(long pointer, long before, long after) {}

        @Override
        public void noted(String what) {}
    }

    @Test
    void eachProducerThatWaitsForRoomPollsACellOfItsOwn() throws Exception {
        Reads reads = new Reads();
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(1 + PRODUCERS)
                        .computeNodes(FIRST_NODE, FIRST_NODE + PRODUCERS)
                        .threadsPerNode(1)
                        .build(),
                Schedule.random(1));
        cluster.simulator().traced(reads);
        cluster.prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(ScalableQueue.create(CAPACITY, Codecs.LONG, ct));
                    }
                })
                .run(ct -> {
                    ScalableQueue<Long> queue =
                            new ScalableQueue<>(new RdmaPtr<>(ct.root().get().raw()), Codecs.LONG, ct);
                    if (ct.id() > 0) {
                        for (int i = 0; i < CAPACITY; i++) {
                            queue.enqueue((long) i, ct);
                        }
                        return;
                    }
                    sleep(MILLISECOND, ct);
                    reads.isCounting = true;
                    sleep(10 * MILLISECOND, ct);
                    reads.isCounting = false;
                    for (int i = 0; i < PRODUCERS * CAPACITY; i++) {
                        queue.dequeue(ct);
                    }
                });

        assertThat(List.of(reads.favourite(1), reads.favourite(2), reads.favourite(3)))
                .doesNotHaveDuplicates();
    }

    private static void sleep(long nanos, ComputeThread ct) {
        long start = ct.nanoTime();
        while (ct.nanoTime() - start < nanos) {
            ct.pause();
        }
    }
}
