// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A victim calls a method, and at one of its remote operations its node is lost, its lane breaks, or it is interrupted.
 * This is repeated for each remote operation of the method. Each time, the other threads and a victim that lives on use
 * what is left, and must find that the method was called, or was not.
 *
 * @param <H> a thread's handle to what is tested
 */
public abstract class MishapAtEachStep<H> {
    /** The thread that a mishap strikes. */
    protected static final int VICTIM = 0;

    /** Its memory is on another Memory Node than the victim's, so that requests arrive in any order. */
    protected static final int SURVIVOR = 1;

    private static final int THREADS = 2;

    /** What arrives of the outstanding requests of a dead thread differs from seed to seed. */
    private static final int SEEDS = 6;

    /** All requests of an interrupted thread arrive. */
    private static final int SEEDS_OF_INTERRUPTS = 3;

    /** After so many steps without a mishap, the method has ended. No lane breaks while a thread waits for none. */
    private static final int LONGEST_WAIT = 12;

    private static final long QUIET_NANOS = 8_000_000_000L;

    private final List<H> handles = new ArrayList<>(Collections.nCopies(THREADS, null));
    private final Set<Integer> ended = new TreeSet<>();

    /** Whether the method has returned. */
    private boolean isDone;

    /** Whether the mishap has struck before the victim ended. */
    private boolean isStruck;

    /** Makes what is tested, in remote memory, and sets the root. Called by one thread. */
    protected abstract void create(ComputeThread ct);

    /** Makes a thread's handle. */
    protected abstract H open(ComputeThread ct);

    /** What the survivor does before the victim calls the method. */
    protected void prepare(H handle, ComputeThread ct) {}

    /** Calls the method, as the victim. */
    protected abstract void call(H handle, ComputeThread ct);

    /** What the survivor does meanwhile. */
    protected void compete(H handle, ComputeThread ct) {}

    /**
     * Looks at what is left, and uses it: first as the survivor and then, if it is alive, as the victim.
     *
     * @param wasCalled whether the method has returned; otherwise it may have taken effect, or not
     */
    protected abstract void audit(H handle, boolean wasCalled, ComputeThread ct);

    /** Makes a new test for the next run. */
    @FunctionalInterface
    public interface Maker {
        /** Makes it. */
        MishapAtEachStep<?> make();
    }

    /** Repeats a test for each remote operation of its method; returns the number of those that a mishap struck. */
    public static int of(Fault fault, Maker test) throws Exception {
        int last = 0;
        int struck = 0;
        int seeds = fault == Fault.INTERRUPTED_THREADS ? SEEDS_OF_INTERRUPTS : SEEDS;
        for (int step = 1; step <= last + LONGEST_WAIT; step++) {
            boolean isAnyStruck = false;
            for (long seed = 0; seed < seeds; seed++) {
                isAnyStruck |= test.make().run(fault, step, seed);
            }
            last = isAnyStruck ? step : last;
            struck += isAnyStruck ? 1 : 0;
        }
        return struck;
    }

    private boolean run(Fault fault, int step, long seed) throws Exception {
        Strike strike = new Strike(fault, VICTIM, step);
        // Half of the requests of a dead thread are in the middle of a transfer.
        Strike[] strikes = fault == Fault.LOST_COMPUTE_NODES && seed % 2 != 0
                ? new Strike[] {new Strike(Fault.LATE_REQUESTS, VICTIM, step), strike}
                : new Strike[] {strike};
        ClusterConfig config = SimulatedCluster.small(THREADS)
                .computeNodes(2, 1 + THREADS)
                .threadsPerNode(1)
                .onNodeLoss(OnNodeLoss.CONTINUE)
                .build();
        SimulatedCluster cluster =
                new SimulatedCluster(config, Schedule.random(seed).withStrikes(strikes));
        cluster.simulator().quietAfter(QUIET_NANOS);
        String where = strike + ", seed " + seed;
        try {
            cluster.prepared(this::meet).run(ct -> work(cluster, ct));
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("after " + where + ": " + e.getMessage(), e);
        }
        boolean isLost = cluster.stoppedThreads().contains(VICTIM);
        for (int thread = 0; thread < THREADS; thread++) {
            if (!ended.contains(thread) && !(isLost && thread == VICTIM)) {
                throw new AssertionError("thread " + thread + " does not end after " + where);
            }
        }
        return isStruck;
    }

    private void meet(ComputeThread ct) {
        if (ct.id() == SURVIVOR) {
            create(ct);
        }
        ct.barrier();
        H handle = open(ct);
        handles.set(ct.id(), handle);
        if (ct.id() == SURVIVOR) {
            prepare(handle, ct);
        }
    }

    private void work(SimulatedCluster cluster, ComputeThread ct) {
        H handle = handles.get(ct.id());
        if (ct.id() == VICTIM) {
            isDone = unlessBroken(() -> call(handle, ct));
            while (!unlessBroken(ct::place)) { // so that nothing of the call arrives any more
                ct.pause();
            }
            isStruck = !cluster.struck().isEmpty();
            ended.add(VICTIM);
            while (!ended.contains(SURVIVOR)) {
                ct.pause();
            }
            audit(handle, true, ct);
        } else {
            compete(handle, ct);
            while (!ended.contains(VICTIM) && !ct.peers().isLost(VICTIM)) { // then nothing of it arrives any more
                ct.pause();
            }
            isStruck |= !ended.contains(VICTIM);
            audit(handle, isDone, ct);
            ended.add(SURVIVOR);
        }
    }

    /** Does something; returns false if a lane broke meanwhile. */
    private static boolean unlessBroken(Runnable action) {
        try {
            action.run();
            return true;
        } catch (FabricException e) {
            return false;
        }
    }
}
