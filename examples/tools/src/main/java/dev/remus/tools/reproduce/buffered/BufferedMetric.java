// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.buffered;

/** The counts of one thread of a {@link BufferedTrial}. */
enum BufferedMetric {
    /** Items that it enqueued or dequeued. */
    ITEMS,
    /** Calls that moved them; a call moves a batch. */
    OPERATIONS,
    /** Calls that were timed. */
    TIMED,
    /** The time in these calls, waiting included, in nanoseconds. */
    TIMED_NANOS,
    /** The time of all calls and what lay between them, in nanoseconds. */
    NANOS,
    /** Of the consumer: items that it dequeued while the producers were busy; about, as not every call is timed. */
    ITEMS_MEANWHILE,
    /** The time for these. */
    NANOS_MEANWHILE,
    /** The number of times that it waited for a completion. */
    ROUND_TRIPS,
    /** Items that were left when all producers had ended. */
    LEFT,
    /** Items that it dequeued after a later item of the same producer. */
    REORDERED,
    /** The checksum of the items that it enqueued. */
    CHECK_ENQUEUED,
    /** The checksum of the items that it dequeued. */
    CHECK_DEQUEUED
}
