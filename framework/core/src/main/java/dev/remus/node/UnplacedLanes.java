// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.OutcomeUnknownException;
import org.jspecify.annotations.Nullable;

/** The lanes on which a thread has posted what is not known to be placed, by Memory Node and number. */
final class UnplacedLanes {
    private final SharedLane[][] lanes;
    private final boolean[][] unplaced;

    /** Whether anything was posted there whose loss is to be reported: not releases of locks, which are repeated. */
    private final boolean[][] mayBeLost;

    /** How often the lane had broken when the first of its unplaced WRITEs was posted. */
    private final int[][] breaksBefore;

    private int count;

    UnplacedLanes(SharedLane[][] lanes) {
        this.lanes = lanes;
        this.unplaced = new boolean[lanes.length][lanes[0].length];
        this.mayBeLost = new boolean[lanes.length][lanes[0].length];
        this.breaksBefore = new int[lanes.length][lanes[0].length];
    }

    int count() {
        return count;
    }

    boolean isAny() {
        return count > 0;
    }

    boolean isAnyTo(int node) {
        boolean any = false;
        for (boolean u : unplaced[node]) {
            any |= u;
        }
        return any;
    }

    boolean is(int node, int lane) {
        return unplaced[node][lane];
    }

    /** Posts a READ on each of these lanes: when it has completed, everything that was posted before is placed. */
    void postReadBacks(Chain chain, LocalBuffer to, long toOffset, long id, ThreadLanes of) {
        for (int node = 0; node < lanes.length; node++) {
            for (int lane = 0; lane < lanes[node].length; lane++) {
                if (unplaced[node][lane]) {
                    of.post(of.readBack(chain, node, to, toOffset).signalled(id), node, lane);
                }
            }
        }
    }

    /** Waits for those READs. */
    void await(AwaitedCompletions awaited, Backoff backoff, ThreadLanes of) {
        backoff.beginRoundTrip();
        while (!awaited.isOver()) {
            poll();
            if (!awaited.isOver()) {
                checkAlive(of);
                backoff.pause();
            }
        }
    }

    /** Passes on what has completed on these lanes. */
    private void poll() {
        for (int node = 0; node < lanes.length; node++) {
            for (int lane = 0; lane < lanes[node].length; lane++) {
                if (unplaced[node][lane]) {
                    lanes[node][lane].poll();
                }
            }
        }
    }

    /** Throws if a Memory Node of these lanes is lost, or the run is over. */
    private void checkAlive(ThreadLanes of) {
        for (int node = 0; node < lanes.length; node++) {
            if (isAnyTo(node)) {
                of.checkAlive(node);
            }
        }
    }

    /**
     * Reconnects those that have failed; returns an exception if that is impossible, else null. Why one of them failed
     * says nothing about the others: they may lead to other Memory Nodes.
     */
    @Nullable
    FabricException reconnect(ThreadLanes of, AwaitedCompletions awaited) {
        CompletionStatus status = awaited.failure();
        FabricException impossible = null;
        for (int node = 0; node < lanes.length && status != CompletionStatus.SUCCESS; node++) {
            for (int lane = 0; lane < lanes[node].length; lane++) {
                SharedLane shared = lanes[node][lane];
                if (unplaced[node][lane] && shared.isBroken()) {
                    CompletionStatus here = shared == awaited.failedLane() ? status : CompletionStatus.FLUSHED;
                    FabricException failure = of.failure(shared, here, "placing on " + shared);
                    impossible = failure instanceof OutcomeUnknownException ? impossible : failure;
                }
            }
        }
        return impossible;
    }

    /**
     * To be called before something is posted.
     *
     * @param isRepeated whether it is repeated if it is lost
     */
    void add(int node, int lane, boolean isRepeated) {
        mayBeLost[node][lane] |= !isRepeated;
        if (!unplaced[node][lane]) {
            unplaced[node][lane] = true;
            breaksBefore[node][lane] = lanes[node][lane].breaks();
            count++;
        }
    }

    /**
     * Whether a lane broke and was repaired since the first of these was posted, perhaps by another thread, so that
     * they may be lost.
     */
    boolean hasBroken(int node, int lane) {
        return unplaced[node][lane] && lanes[node][lane].breaks() != breaksBefore[node][lane];
    }

    /**
     * Called when what was posted on a lane is placed.
     *
     * @return the lane if it {@linkplain #hasBroken has broken} and something may be lost for good, otherwise null
     */
    @Nullable
    SharedLane remove(int node, int lane) {
        if (!unplaced[node][lane]) {
            return null;
        }
        boolean isLost = mayBeLost[node][lane] && hasBroken(node, lane);
        unplaced[node][lane] = false;
        mayBeLost[node][lane] = false;
        count--;
        return isLost ? lanes[node][lane] : null;
    }

    /** Whether any lane {@linkplain #hasBroken has broken}. */
    boolean hasAnyBroken() {
        boolean any = false;
        for (int node = 0; node < lanes.length; node++) {
            for (int lane = 0; lane < lanes[node].length; lane++) {
                any |= hasBroken(node, lane);
            }
        }
        return any;
    }

    /**
     * Called when everything is placed, or the wait for that was abandoned. Then it stays unplaced, except at lost
     * nodes, but its loss is not reported any more.
     *
     * @return a lane on which something may be lost for good, or null
     */
    @Nullable
    SharedLane removeAll(boolean isAbandoned, ThreadLanes of) {
        SharedLane broken = null;
        for (int node = 0; node < lanes.length; node++) {
            for (int lane = 0; lane < lanes[node].length; lane++) {
                boolean stays = isAbandoned && unplaced[node][lane] && !of.isLost(node);
                SharedLane here = remove(node, lane);
                broken = here != null ? here : broken;
                if (stays) {
                    add(node, lane, true);
                }
            }
        }
        return broken;
    }

    /** Reports that something may be lost on a lane, if there is one. */
    static void throwIfLost(@Nullable SharedLane lane) {
        if (lane != null) {
            throw new OutcomeUnknownException(
                    lane + " broke after this thread had posted WRITEs there: their outcome is unknown");
        }
    }
}
