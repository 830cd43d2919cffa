// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.logging.Loggers;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The releases of locks that a thread has posted, or that failed, and that are not known to have taken effect; and its
 * {@link Cleanup}s that are not done.
 */
final class PostedReleases {
    /** The operations of the thread that has posted the releases. */
    interface Repeater {
        /** Releases a lock that has a mark, if it still has it, and waits for that. */
        void release(long lock, long mark);

        /** Waits until nothing that this thread gave up waiting for can still take effect. */
        void awaitAbandoned();
    }

    private static final Logger LOG = Loggers.of(PostedReleases.class);
    private static final int FIRST_CAPACITY = 8;
    private static final int MOST_ATTEMPTS = 16;

    private long[] locks = new long[FIRST_CAPACITY];
    private long[] marks = new long[FIRST_CAPACITY];

    /** The lane on which each was posted. */
    private SharedLane[] lanes = new SharedLane[FIRST_CAPACITY];

    /** How often that lane had broken before. */
    private int[] breaks = new int[FIRST_CAPACITY];

    private int size;
    private final Deque<Runnable> cleanups = new ArrayDeque<>(1);

    /** The reason why the last repetition has ended early. */
    private @Nullable FabricException failure;

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

    /** Whether all are to be repeated, or a cleanup is left. */
    boolean mustRepeat() {
        return mustRepeat;
    }

    /** Whether {@link #repeat} is going on. */
    boolean isRepeating() {
        return isRepeating;
    }

    /** Whether a cleanup is left. */
    boolean hasCleanups() {
        return !cleanups.isEmpty();
    }

    /** Adds a cleanup. */
    void add(Runnable cleanup) {
        cleanups.add(cleanup);
        mustRepeat = true;
    }

    /**
     * Called when some releases may be lost: makes all once more. One that had taken effect changes nothing, since its
     * mark is not used again. If a lane stays broken, the next operation tries again. Uses no chain of an operation.
     */
    void repeatReleases(Repeater by) {
        repeat(by, false);
    }

    /** The same, and then runs the cleanups. To be called before an operation makes its chain. */
    void repeat(Repeater by) {
        repeat(by, true);
    }

    private void repeat(Repeater by, boolean withCleanups) {
        if (isRepeating) {
            return;
        }
        isRepeating = true;
        mustRepeat = true;
        failure = null;
        try {
            for (int i = 0; i < size; i++) {
                try {
                    by.release(locks[i], marks[i]);
                } catch (NodeLostException e) {
                    LOG.debug("a lock is lost with its node: {}", e.getMessage());
                }
            }
            size = 0;
            while (withCleanups && !cleanups.isEmpty()) {
                by.awaitAbandoned();
                run(cleanups.element());
                cleanups.remove();
            }
            mustRepeat = !cleanups.isEmpty();
        } catch (FabricException e) {
            failure = e;
            LOG.debug("locks are released later: {}", e.getMessage());
        } finally {
            isRepeating = false;
        }
    }

    private static void run(Runnable cleanup) {
        for (int attempt = 1; ; attempt++) {
            try {
                cleanup.run();
                return;
            } catch (NodeLostException e) {
                LOG.debug("a lock is lost with its node: {}", e.getMessage());
                return;
            } catch (OutcomeUnknownException e) {
                if (attempt == MOST_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Throws why a cleanup that was just tried has failed, if one has. */
    void throwIfCleanupsAreLeft() {
        FabricException why = failure;
        if (!cleanups.isEmpty() && why != null) {
            throw why;
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
