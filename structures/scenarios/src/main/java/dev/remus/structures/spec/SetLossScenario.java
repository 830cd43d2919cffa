package dev.remus.structures.spec;

import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.RemoteLongSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Threads change a set, each on a Compute Node of its own, one of which is lost meanwhile; another thread may be
 * delayed. Each thread that is left must finish its operations, or get an exception that names the lost thread it waits
 * for. All results must be linearizable.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param set the operations, and the set; its threads do not meet here
 */
public record SetLossScenario(SetScenario set) implements Scenario {
    private static final int LATEST_WAIT = 60;
    private static final long QUIET_NANOS = 3_000_000_000L;

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        int lost = random.nextInt(set.threads());
        int late = (lost + 1 + random.nextInt(set.threads() - 1)) % set.threads();
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(set.threads())
                        .computeNodes(2, 1 + set.threads())
                        .threadsPerNode(1)
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .build(),
                schedule.withFaults(Set.of())
                        .withStrikes(
                                new Strike(Fault.LOST_COMPUTE_NODES, lost, 1 + random.nextInt(LATEST_WAIT)),
                                new Strike(Fault.PAUSED_THREADS, late, 1 + random.nextInt(LATEST_WAIT))));
        cluster.simulator().quietAfter(QUIET_NANOS);
        Recorder<SetOperation<Long>, Boolean> recorder = new Recorder<>();
        Set<Integer> ended = new TreeSet<>();
        cluster.prepared(set::create).run(ct -> {
            RemoteLongSet handle = set.opener().apply(ct.root().get());
            SplittableRandom choices = schedule.choices(ct.id());
            try {
                for (int i = 0; i < set.operations(); i++) {
                    set.operate(handle, choices, recorder, ct);
                }
            } catch (NodeLostException e) {
                if (e.node() != ct.peers().nodeOf(lost)) {
                    throw new AssertionError(ct + " failed for the wrong reason: lost is thread " + lost, e);
                }
            }
            ended.add(ct.id());
        });
        for (int thread = 0; thread < set.threads(); thread++) {
            if (thread != lost && !ended.contains(thread)) {
                throw new AssertionError(
                        "thread " + thread + " waits for ever, without an exception that thread " + lost + " is lost");
            }
        }
        new LinearizabilityChecker<>(new SetSpecification<Long>()).judge(recorder.history());
    }
}
