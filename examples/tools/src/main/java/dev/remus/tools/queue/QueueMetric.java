// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.config.Reclamation;
import java.util.List;
import java.util.Locale;

/** The counts and times of a {@link QueueExperiment}, summed over all threads. Times are in nanoseconds. */
public enum QueueMetric {
    /** Operations of the run, including those that returned FULL or EMPTY. */
    OP_COUNT,
    /** Items that were enqueued. */
    ENQUEUED,
    /** Enqueues that found no room. */
    FULL,
    /** Items that were dequeued during the run. */
    DEQUEUED,
    /** Dequeues that found no item. */
    EMPTY,
    /** Dequeues that found an item that was not ready. */
    NOT_READY,
    /** The number of items that a thread dequeued after a later item of the same producer. */
    REORDERED,
    /** A checksum of all enqueued items; different sets of items are unlikely to have the same. */
    CHECK_ENQUEUED,
    /** The checksum of all dequeued items. */
    CHECK_DEQUEUED,
    /** Time in enqueues. */
    ENQ_ALL,
    /** The part of enqueues spent finding the end of the queue. */
    ENQ_HOP,
    /** Time in dequeues. */
    DEQ_ALL,
    /** The part of dequeues spent finding the front of the queue. */
    DEQ_HOP,
    /** The part of both spent announcing front and end to all threads. */
    BCAST_ALL,
    /** Remote READs of these operations. */
    READ,
    /** Remote WRITEs. */
    WRITE,
    /** Remote COMPARE_AND_SWAPs. */
    CAS,
    /** Remote FETCH_AND_ADDs. */
    FAA,
    /** The number of times that threads waited for a completion. */
    ROUND_TRIPS,
    /** How often threads announced an epoch; this and what follows only if memory is reclaimed by epochs. */
    EPOCHS,
    /** The retired blocks. */
    RETIREMENTS,
    /** The most blocks that each thread held retired at one time, added up. */
    RETIRED_MOST,
    /** The most blocks that each thread retired in one epoch, added up. */
    RETIRED_IN_EPOCH_MOST,
    /** The round trips that announced epochs and moved them on. */
    RECLAMATION_ROUND_TRIPS,
    /** How often a node reported a thread that held the epoch up for long. */
    STALLS;

    /** The counts of a run, which begin with those that every run has. */
    static List<QueueMetric> of(ClusterConfig cluster) {
        List<QueueMetric> all = List.of(values());
        return cluster.reclaim() == Reclamation.EPOCHS ? all : all.subList(0, EPOCHS.ordinal());
    }

    /**
     * The number of counts in the row of a thread: those of a run and, if they must outlive the thread, the items that
     * it has found left after the run.
     */
    static int rowLength(ClusterConfig cluster) {
        return cluster.onNodeLoss() == OnNodeLoss.CONTINUE ? leftIn(cluster) + 1 : leftIn(cluster);
    }

    /** The place in such a row of the items that were left. */
    static int leftIn(ClusterConfig cluster) {
        return of(cluster).size();
    }

    /** The name in result files, such as {@code enq_all_ns}. */
    public String key() {
        String name = name().toLowerCase(Locale.ROOT);
        return isTime() ? name + "_ns" : name;
    }

    /**
     * The name of a time's mean in result files, such as {@code enq_all_mean_ns}: enqueues and dequeues have their own
     * means, and {@link #BCAST_ALL} that of both.
     */
    public String meanKey() {
        return name().toLowerCase(Locale.ROOT) + "_mean_ns";
    }

    /** Whether it is a time. */
    boolean isTime() {
        return ordinal() >= ENQ_ALL.ordinal() && ordinal() <= BCAST_ALL.ordinal();
    }
}
