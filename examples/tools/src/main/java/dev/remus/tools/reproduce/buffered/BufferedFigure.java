// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.buffered;

/** The measured figures of a point: the columns of the table. */
enum BufferedFigure {
    /** Items per second that the consumer dequeued. */
    THROUGHPUT("items_per_s"),
    /** The mean time of an enqueue, waiting included. */
    ENQUEUE_MEAN("enqueue_mean_us"),
    /** Its median. */
    ENQUEUE_P50("enqueue_p50_us"),
    /** Its 99th percentile. */
    ENQUEUE_P99("enqueue_p99_us"),
    /** The mean time of a dequeue, waiting included. */
    DEQUEUE_MEAN("dequeue_mean_us"),
    /** Its median. */
    DEQUEUE_P50("dequeue_p50_us"),
    /** Its 99th percentile. */
    DEQUEUE_P99("dequeue_p99_us"),
    /** Round trips of an enqueue. */
    ENQUEUE_TRIPS("round_trips_per_enqueue"),
    /** Round trips of a dequeue, or with work for each item, of a dequeue and its work. */
    DEQUEUE_TRIPS("round_trips_per_dequeue"),
    /** The fewest items of a producer, divided by the most. */
    ITEMS_MIN_MAX("items_min_to_max"),
    /** Jain's index of the producers' items. */
    ITEMS_JAIN("items_jain"),
    /** The shortest mean wait of a producer, divided by the longest. */
    WAIT_MIN_MAX("wait_min_to_max"),
    /** Jain's index of the producers' mean waits. */
    WAIT_JAIN("wait_jain");

    private final String column;

    BufferedFigure(String column) {
        this.column = column;
    }

    /** The name of the column. */
    String column() {
        return column;
    }
}
