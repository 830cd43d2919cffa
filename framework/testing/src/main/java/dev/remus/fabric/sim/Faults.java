// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Decides which faults happen in a run, and when: those that were ordered, and those drawn from a separate generator,
 * so that the rest of a run does not depend on it.
 *
 * <p>Most runs with faults enabled have one fault, some have two or more. The steps are drawn so that faults are as
 * likely to be early as late in runs of very different lengths. Only exposed threads are struck, and one of them always
 * survives.
 */
final class Faults {
    private static final long GENERATOR = 0x5EED_0F_FA_17L;
    private static final int SHORTEST_LOG2 = 6;
    private static final int LENGTHS = 7;
    private static final int MORE_ONE_IN = 4;
    private static final Set<Fault> LOSSES = EnumSet.of(
            Fault.LOST_COMPUTE_NODES,
            Fault.LOST_MEMORY_NODES,
            Fault.BROKEN_LANES,
            Fault.DOWN_LINKS,
            Fault.LOST_LINKS,
            Fault.STUCK_LANES,
            Fault.INTERRUPTED_THREADS); // a node whose thread does not handle it ends
    private static final long NEVER = Long.MAX_VALUE;

    /** Pauses of a struck thread last from a few operations to longer than any thread backs off between two polls. */
    static final int SHORTEST_FREEZE_LOG2 = 12;

    private static final int FREEZES = 15;

    private final SimWorld world;
    private final SimThreads threads;
    private final SplittableRandom random;
    private final boolean skewed;
    private final List<Fault> drawn;

    /** The strikes that were ordered, by their {@link #moment}: there may be many, and each wait asks for its own. */
    private final Map<Long, List<Strike>> ordered = new HashMap<>();

    private final List<Strike> struck = new ArrayList<>();
    private final List<SimTask> exposed = new ArrayList<>();
    private boolean lost;
    private int left;
    private long next = NEVER;

    Faults(SimWorld world, SimThreads threads, long seed, Set<Fault> possible, List<Strike> ordered) {
        this.world = world;
        this.threads = threads;
        this.random = new SplittableRandom(seed ^ GENERATOR);
        for (Strike strike : ordered) {
            this.ordered
                    .computeIfAbsent(moment(strike.thread(), strike.waits()), moment -> new ArrayList<>())
                    .add(strike);
        }
        this.skewed = possible.contains(Fault.SKEWED_CLOCKS);
        Set<Fault> moments = EnumSet.noneOf(Fault.class);
        moments.addAll(possible);
        moments.remove(Fault.SKEWED_CLOCKS);
        this.drawn = List.copyOf(moments);
        if (!drawn.isEmpty()) {
            left = 1;
            while (random.nextInt(MORE_ONE_IN) == 0) {
                left++;
            }
        }
    }

    boolean areClocksSkewed() {
        return skewed;
    }

    SplittableRandom random() {
        return random;
    }

    /** The faults that have happened, in order. */
    List<Strike> struck() {
        return struck;
    }

    /** Whether a fault has happened after which others may wait in vain. */
    boolean mayLeaveOthersWaiting() {
        return !struck.isEmpty();
    }

    /** Whether a node or a lane has been lost. */
    boolean isSomethingLost() {
        return lost;
    }

    /** Lets faults strike a thread from now on. */
    void expose(SimTask task, long step) {
        exposed.add(task);
        if (left > 0 && next == NEVER) {
            next = step + gap();
        }
    }

    void shelter(SimTask task) {
        exposed.remove(task);
    }

    private long gap() {
        return random.nextInt(1 << (SHORTEST_LOG2 + random.nextInt(LENGTHS)));
    }

    boolean isDue(long step) {
        return step >= next;
    }

    /** Applies the fault that is due to a random victim. If there is none, the fault stays due. */
    void strike(long step) {
        List<SimTask> victims = new ArrayList<>(exposed);
        victims.removeIf(task -> !task.canGoOn());
        if (victims.isEmpty()) {
            return;
        }
        Fault fault = drawn.get(random.nextInt(drawn.size()));
        if (!strike(fault, victims.get(random.nextInt(victims.size())), victims)) {
            return;
        }
        left--;
        next = left > 0 ? step + gap() : NEVER;
    }

    /** Applies the faults that were ordered for this moment, at which an exposed thread waits. */
    void waits(SimTask task) {
        if (ordered.isEmpty()) {
            return;
        }
        for (Strike strike : ordered.getOrDefault(moment(task.exposedAs, task.waits), List.of())) {
            if (task.canGoOn()) {
                strike(strike.fault(), task, List.of());
            }
        }
    }

    private static long moment(int thread, int waits) {
        return (long) thread << Integer.SIZE | waits;
    }

    /** Applies a fault; returns whether it could happen. */
    private boolean strike(Fault fault, SimTask task, List<SimTask> survivors) {
        boolean last = survivors.size() == 1;
        boolean lastNode = !survivors.isEmpty() && survivors.stream().allMatch(other -> other.home == task.home);
        boolean happens = switch (fault) {
            case STOPPED_THREADS -> !last && stop(task);
            case PAUSED_THREADS -> freeze(task);
            case LOST_COMPUTE_NODES -> !lastNode && task.home != null && kill(task.home);
            case LOST_MEMORY_NODES -> task.home != null && task.home.loseMemoryNode(task, random);
            case BROKEN_LANES -> task.home != null && task.home.breakLane(task, random);
            case SLOW_NODES -> task.home != null && task.home.slowDown(random);
            case LATE_REQUESTS -> task.home != null && task.home.delayRequests(task, random);
            case DOWN_LINKS -> task.home != null && task.home.takeLinkDown(task, random);
            case LOST_LINKS -> task.home != null && task.home.loseLink(task, random);
            case STUCK_LANES -> task.home != null && task.home.jamLane(task, random);
            case INTERRUPTED_THREADS -> interrupt(task);
            case SKEWED_CLOCKS -> false;
        };
        if (happens) {
            Strike strike = new Strike(fault, task.exposedAs, Math.max(1, task.waits));
            struck.add(strike);
            lost |= LOSSES.contains(fault);
            world.mix(fault.ordinal());
            world.happened("fault: " + strike);
        }
        return happens;
    }

    private boolean stop(SimTask task) {
        threads.stop(task);
        return true;
    }

    private boolean freeze(SimTask task) {
        threads.freeze(task, random.nextLong(1L << (SHORTEST_FREEZE_LOG2 + random.nextInt(FREEZES))));
        return true;
    }

    private boolean interrupt(SimTask task) {
        threads.interrupt(task);
        return true;
    }

    private boolean kill(SimNode node) {
        threads.endAllOf(node);
        exposed.removeIf(task -> !task.isAlive());
        node.die(random);
        return true;
    }
}
