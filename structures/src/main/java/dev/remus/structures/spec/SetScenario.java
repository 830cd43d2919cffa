package dev.remus.structures.spec;

import dev.remus.check.History;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Minimiser;
import dev.remus.check.Recorder;
import dev.remus.check.Verdict;
import dev.remus.config.ClusterConfig;
import dev.remus.fabric.sim.Scheduler;
import dev.remus.fabric.sim.Weakness;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.IntSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * A few threads on two simulated Compute Nodes do random operations on a few keys of one set; what they were answered must
 * be linearizable, and the set must be sound at the end. Memory is checked too ({@code --check-memory}).
 *
 * @param threads how many threads, an even number
 * @param operations how many operations each does
 * @param keys how many keys they share
 * @param reclaim whether threads meet now and then to reclaim what was removed, so that blocks are used again
 */
public record SetScenario(int threads, int operations, int keys, boolean reclaim) {
    private static final int BETWEEN_BARRIERS = 4;

    /** Makes a set in remote memory. */
    @FunctionalInterface
    public interface Creator {
        /** Makes an empty set. */
        RdmaPtr<?> create(ComputeThread ct);
    }

    /** Refuses what cannot be run. */
    public SetScenario {
        if (threads < 2 || threads % 2 != 0 || operations < 1 || keys < 1) {
            throw new IllegalArgumentException("threads " + threads + ", operations " + operations + ", keys " + keys
                    + ": needs an even number of threads, and at least one operation and key");
        }
    }

    private ClusterConfig config() {
        return ClusterConfig.builder()
                .cluster("scenario")
                .memoryNodes(0, 1)
                .computeNodes(2, 3)
                .threadsPerNode(threads / 2)
                .segmentSizeLog2(13)
                .checkMemory(true)
                .build();
    }

    /**
     * Runs one schedule.
     *
     * @param seed decides the operations
     * @param scheduler decides who goes on
     * @return what the checker says of the answers; a rejected history is minimised
     * @throws Exception what a thread threw, such as a pointer that must not be used or a set that is not sound
     */
    public Verdict<SetOperation<Long>, Boolean> run(
            long seed,
            Scheduler scheduler,
            Set<Weakness> weaknesses,
            Creator creator,
            Function<RdmaPtr<?>, IntSet> opener)
            throws Exception {
        Recorder<SetOperation<Long>, Boolean> recorder = new Recorder<>();
        new SimulatedCluster(config(), seed, scheduler, weaknesses).run(ct -> {
            if (ct.id() == 0) {
                ct.setRoot(creator.create(ct));
            }
            ct.barrier();
            IntSet set = opener.apply(ct.getRoot());
            SplittableRandom random = new SplittableRandom(seed * 31 + ct.id());
            for (int i = 1; i <= operations; i++) {
                operate(set, random, recorder, ct);
                if (reclaim && i % BETWEEN_BARRIERS == 0) {
                    ct.barrier();
                    ct.reclaimDeferred();
                }
            }
            ct.barrier();
            if (ct.id() == 0) {
                set.checkedSize(ct);
                set.destroy(ct);
            }
        });
        return judge(recorder.history());
    }

    private void operate(
            IntSet set, SplittableRandom random, Recorder<SetOperation<Long>, Boolean> recorder, ComputeThread ct) {
        long key = random.nextInt(keys);
        switch (random.nextInt(3)) {
            case 0 -> recorder.record(ct.id(), SetOperation.insert(key), () -> set.insert(key, ct));
            case 1 -> recorder.record(ct.id(), SetOperation.remove(key), () -> set.remove(key, ct));
            default -> recorder.record(ct.id(), SetOperation.contains(key), () -> set.contains(key, ct));
        }
    }

    private static Verdict<SetOperation<Long>, Boolean> judge(History<SetOperation<Long>, Boolean> history) {
        LinearizabilityChecker<SetOperation<Long>, Boolean> checker =
                new LinearizabilityChecker<>(new SetSpecification<>());
        Verdict<SetOperation<Long>, Boolean> verdict = checker.check(history);
        return verdict.isRejected() ? new Minimiser<>(checker).minimise(history) : verdict;
    }
}
