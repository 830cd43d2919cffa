// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.lists;

/** The measured figures of a {@link ListTrial}: the columns of the table. */
final class ListFigure {
    /** Operations per second of all threads together. */
    static final String THROUGHPUT = "op_per_s";

    /** Round trips per operation. */
    static final String ROUND_TRIPS = "round_trips_per_op";

    /** The mean time of an operation, in microseconds. */
    static final String OPERATION = "us_per_op";

    /** The mean time of a round trip and the work that belongs to it, in microseconds. */
    static final String ROUND_TRIP = "us_per_round_trip";

    /** The bytes used in the emptiest segment, divided by those in the median one. */
    static final String USED_SEGMENTS = "segments_min_to_median";

    private ListFigure() {}
}
