// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.Recorder;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.RemoteLongSet;
import java.util.SplittableRandom;

/**
 * Threads insert and remove keys, and reclaim what was removed, until many times as many nodes have been inserted as
 * memory has room for. So memory is exhausted if removed nodes are not retired. The results must be linearizable.
 *
 * @param set the set; each thread inserts and removes as many keys as it does operations otherwise
 */
public record SetChurnScenario(SetScenario set) implements Scenario {
    /** Room for 63 nodes. */
    private static final int SEGMENT_LOG2 = 12;

    @Override
    public void run(Schedule schedule) throws Exception {
        Recorder<SetOperation<Long>, Boolean> recorder = new Recorder<>();
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(set.threads())
                        .memoryNodes(0, 0)
                        .computeNodes(1, 2)
                        .segmentSizeLog2(SEGMENT_LOG2)
                        .segmentsPerNode(1)
                        .build(),
                schedule);
        cluster.recordedBy(recorder).prepared(set::create).run(ct -> {
            RemoteLongSet handle = set.open(ct);
            SplittableRandom choices = schedule.choices(ct.id());
            for (int i = 1; i <= set.operations(); i++) {
                long key = choices.nextInt(set.keys());
                recorder.record(ct.id(), SetOperation.insert(key), () -> handle.insert(key, ct));
                recorder.record(ct.id(), SetOperation.remove(key), () -> handle.remove(key, ct));
                if (i % SetScenario.BETWEEN_BARRIERS == 0) {
                    ct.barrier();
                    ct.reclaimDeferred();
                }
            }
        });
        set.judge(recorder.history());
    }
}
