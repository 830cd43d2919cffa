package dev.remus.tools.queue;

import java.util.Locale;

/** What is counted and measured in a {@link QueueExperiment}, summed over all threads. Times are in nanoseconds. */
public enum QueueMetric {
    /** Operations of the run, those that were told FULL or EMPTY included. */
    OP_COUNT,
    /** Items that were enqueued. */
    ENQUEUED,
    /** Attempts to enqueue that found no room. */
    FULL,
    /** Items that were dequeued during the run. */
    DEQUEUED,
    /** Attempts to dequeue that found nothing. */
    EMPTY,
    /** Attempts to dequeue that found an item that was not ready. */
    NOT_READY,
    /** How often somebody dequeued an item before an earlier one of the same producer. */
    REORDERED,
    /** A sum over all items that were enqueued, of which two different sets of items hardly have the same. */
    CHECK_ENQUEUED,
    /** The same over all items that were dequeued. */
    CHECK_DEQUEUED,
    /** Time in enqueues. */
    ENQ_ALL,
    /** Of it, finding the end of the queue. */
    ENQ_HOP,
    /** Time in dequeues. */
    DEQ_ALL,
    /** Of it, finding the front of the queue. */
    DEQ_HOP,
    /** Of both, telling all threads about front and end. */
    BCAST_ALL,
    /** Remote READs of these operations. */
    READ,
    /** Remote WRITEs. */
    WRITE,
    /** Remote COMPARE_AND_SWAPs. */
    CAS,
    /** Remote FETCH_AND_ADDs. */
    FAA,
    /** How often threads waited for a completion. */
    ROUND_TRIPS;

    /** The name in result files, such as {@code enq_all_ns}. */
    public String key() {
        String name = name().toLowerCase(Locale.ROOT);
        return isTime() ? name + "_ns" : name;
    }

    /** Whether it is a time. */
    boolean isTime() {
        return ordinal() >= ENQ_ALL.ordinal() && ordinal() <= BCAST_ALL.ordinal();
    }
}
