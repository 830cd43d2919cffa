// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.logging.Loggers;
import java.util.Arrays;
import org.slf4j.Logger;

/** The releases of locks that a thread has posted, or that failed, and that are not known to have taken effect. */
final class PostedReleases {
    private static final Logger LOG = Loggers.of(PostedReleases.class);
    private static final int FIRST_CAPACITY = 8;

    private long[] locks = new long[FIRST_CAPACITY];
    private long[] marks = new long[FIRST_CAPACITY];

    /** The lane on which each was posted. */
    private SharedLane[] lanes = new SharedLane[FIRST_CAPACITY];

    /** How often that lane had broken before. */
    private int[] breaks = new int[FIRST_CAPACITY];

    private int size;
    private boolean mustRepeat;
    private boolean isRepeating;

    /** Adds one, before it is posted. Allocates only if more are in flight than ever before. */
    void add(long lock, long mark, SharedLane lane) {
        if (size == locks.length) {
            locks = Arrays.copyOf(locks, 2 * size);
            marks = Arrays.copyOf(marks, 2 * size);
            lanes = Arrays.copyOf(lanes, 2 * size);
            breaks = Arrays.copyOf(breaks, 2 * size);
        }
        locks[size] = lock;
        marks[size] = mark;
        lanes[size] = lane;
        breaks[size] = lane.breaks();
        size++;
    }

    /** Adds one that has failed, unless that was a repetition. */
    void addFailed(long lock, long mark, SharedLane lane) {
        if (!isRepeating) {
            add(lock, mark, lane);
        }
        mustRepeat = true;
    }

    /** Called when some may be lost: the next operation repeats all, and not this one, whose result is in use. */
    void repeatLater() {
        mustRepeat = true;
    }

    /** Whether all are to be repeated. */
    boolean mustRepeat() {
        return mustRepeat;
    }

    /** Whether {@link #repeat} is going on. */
    boolean isRepeating() {
        return isRepeating;
    }

    /**
     * Called when some may be lost: makes all once more. One that had taken effect changes nothing, since its mark is
     * not used again. If a lane stays broken, the next operation tries again.
     */
    void repeat(BlockingOperations by) {
        if (isRepeating) {
            return;
        }
        isRepeating = true;
        mustRepeat = true;
        try {
            for (int i = 0; i < size; i++) {
                try {
                    by.release(locks[i], marks[i]);
                } catch (NodeLostException e) {
                    LOG.debug("a lock is lost with its node: {}", e.getMessage());
                }
            }
            size = 0;
            mustRepeat = false;
        } catch (FabricException e) {
            LOG.debug("locks are released later: {}", e.getMessage());
        } finally {
            isRepeating = false;
        }
    }

    /** Whether a lane has broken since, so that a release may be lost. Repairs broken lanes. */
    boolean mayAnyBeLost(ThreadLanes of) {
        boolean may = false;
        for (int i = 0; i < size; i++) {
            lanes[i].poll(); // a lane is found broken by a thread that polls it
            of.repair(lanes[i]);
            may |= lanes[i].breaks() != breaks[i];
        }
        return may;
    }

    /** Called when everything that was posted on a lane has taken effect. */
    void placed(SharedLane lane) {
        if (mustRepeat) {
            return;
        }
        int left = 0;
        for (int i = 0; i < size; i++) {
            if (lanes[i] != lane) {
                locks[left] = locks[i];
                marks[left] = marks[i];
                lanes[left] = lanes[i];
                breaks[left] = breaks[i];
                left++;
            }
        }
        size = left;
    }

    /** Called when everything that was posted has taken effect. */
    void placed() {
        size = mustRepeat ? size : 0;
    }
}
