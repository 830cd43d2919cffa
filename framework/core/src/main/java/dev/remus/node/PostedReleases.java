package dev.remus.node;

import java.util.Arrays;

/** The releases of locks that a thread has posted, and that are not known to have taken effect. */
final class PostedReleases {
    private static final int FIRST_CAPACITY = 8;

    private long[] locks = new long[FIRST_CAPACITY];
    private long[] marks = new long[FIRST_CAPACITY];

    /** The lane on which each was posted. */
    private SharedLane[] lanes = new SharedLane[FIRST_CAPACITY];

    /** How often that lane had broken before. */
    private int[] breaks = new int[FIRST_CAPACITY];

    private int size;

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

    int size() {
        return size;
    }

    /** The word that is to become 0. */
    long lock(int i) {
        return locks[i];
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

    /** The value that it has until then. */
    long mark(int i) {
        return marks[i];
    }

    /** Called when everything that was posted on a lane has taken effect. */
    void placed(SharedLane lane) {
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

    /** Called when all have taken effect. */
    void clear() {
        size = 0;
    }
}
