// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.RemoteLongSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * One thread alone uses a set while its lanes break. Operations may fail for that, but it must not wait for itself, and
 * its results must be linearizable, even if a remove was only half done.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param set the operations, and the set; it has more threads, which do nothing
 */
public record LonelySetScenario(SetScenario set) implements Scenario {
    private static final int MAX_BREAKS = 3;
    private static final int WAITS_OF_AN_OPERATION = 6;

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        int latest = WAITS_OF_AN_OPERATION * set.operations();
        Strike[] breaks = IntStream.rangeClosed(0, random.nextInt(MAX_BREAKS))
                .mapToObj(i -> new Strike(Fault.BROKEN_LANES, 0, 1 + random.nextInt(latest)))
                .toArray(Strike[]::new);
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(set.threads())
                        .lanes(1 + random.nextInt(2))
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .build(),
                schedule.withFaults(Set.of()).withStrikes(breaks));
        Recorder<SetOperation<Long>, Boolean> recorder = new Recorder<>();
        boolean[] ended = {false};
        List<RemoteLongSet> handle = new ArrayList<>();
        cluster.prepared(ct -> {
                    set.create(ct);
                    if (ct.id() == 0) {
                        handle.add(set.opener().apply(ct.root().get()));
                    }
                })
                .run(ct -> {
                    if (ct.id() == 0) {
                        operate(handle.get(0), recorder, schedule, ct);
                        ended[0] = true;
                    }
                });
        if (!ended[0]) {
            throw new AssertionError("the thread that is alone with the set waits for ever after a lane broke");
        }
        new LinearizabilityChecker<>(new SetSpecification<Long>()).judge(recorder.history());
    }

    private void operate(
            RemoteLongSet handle, Recorder<SetOperation<Long>, Boolean> recorder, Schedule schedule, ComputeThread ct) {
        SplittableRandom choices = schedule.choices(0);
        for (int i = 0; i < set.operations(); i++) {
            try {
                long key = choices.nextInt(set.keys());
                int what = choices.nextInt(4);
                if (what == 0) {
                    recorder.record(ct.id(), SetOperation.remove(key), () -> handle.remove(key, ct));
                } else if (what < 3) {
                    recorder.record(ct.id(), SetOperation.insert(key), () -> handle.insert(key, ct));
                } else {
                    recorder.record(ct.id(), SetOperation.contains(key), () -> handle.contains(key, ct));
                }
            } catch (FabricException e) {
                // A lane broke, or had broken during a release: the operation is pending.
            }
        }
    }
}
