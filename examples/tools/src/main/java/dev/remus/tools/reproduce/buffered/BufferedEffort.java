// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.buffered;

/**
 * The size of a run.
 *
 * @param items the items of each producer if there is room for all
 * @param nanos the time during which producers begin operations otherwise
 * @param sampling one in this many operations is timed while threads run as fast as they can
 */
record BufferedEffort(int items, long nanos, int sampling) {
    private static final int STREAM_CAPACITY = 1024;
    private static final int FULL_CAPACITY = 16;
    private static final int TIMES_LONGER_WHEN_FULL = 4;

    /** The time of a point; longer under a full buffer, where each producer enqueues few items. */
    long nanosOf(BufferedPoint point) {
        return point.load() == BufferedLoad.FULL ? TIMES_LONGER_WHEN_FULL * nanos : nanos;
    }

    /** The capacity of the queue at a point. */
    int capacity(BufferedPoint point) {
        return switch (point.load()) {
            case ROOM -> items * point.producers();
            case STREAM -> STREAM_CAPACITY;
            case FULL -> FULL_CAPACITY;
        };
    }

    /** One in this many operations is timed: all, unless timing would slow down what is measured. */
    int samplingOf(BufferedPoint point) {
        return point.load() == BufferedLoad.STREAM && point.batch() == 1 ? sampling : 1;
    }
}
