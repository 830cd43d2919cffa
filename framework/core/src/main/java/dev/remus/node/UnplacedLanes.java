package dev.remus.node;

import org.jspecify.annotations.Nullable;

/** The lanes on which a thread has posted WRITEs that are not known to be placed, by Memory Node and number. */
final class UnplacedLanes {
    private final SharedLane[][] lanes;
    private final boolean[][] unplaced;

    /** How often the lane had broken when the first of its unplaced WRITEs was posted. */
    private final int[][] breaksBefore;

    private int count;

    UnplacedLanes(SharedLane[][] lanes) {
        this.lanes = lanes;
        this.unplaced = new boolean[lanes.length][lanes[0].length];
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

    /** To be called before a WRITE is posted. */
    void add(int node, int lane) {
        if (!unplaced[node][lane]) {
            unplaced[node][lane] = true;
            breaksBefore[node][lane] = lanes[node][lane].breaks();
            count++;
        }
    }

    /**
     * Called when the WRITEs of a lane are placed.
     *
     * @return the lane if it broke and was repaired meanwhile, perhaps by another thread, so that the WRITEs may have
     *     been lost; otherwise null
     */
    @Nullable
    SharedLane remove(int node, int lane) {
        if (!unplaced[node][lane]) {
            return null;
        }
        unplaced[node][lane] = false;
        count--;
        SharedLane shared = lanes[node][lane];
        return shared.breaks() == breaksBefore[node][lane] ? null : shared;
    }

    /** Called when all WRITEs are placed. Returns a lane on which they may have been lost, or null. */
    @Nullable
    SharedLane removeAll() {
        SharedLane broken = null;
        for (int node = 0; node < lanes.length; node++) {
            for (int lane = 0; lane < lanes[node].length; lane++) {
                SharedLane here = remove(node, lane);
                broken = here != null ? here : broken;
            }
        }
        return broken;
    }
}
