// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import java.util.List;
import java.util.Locale;

/**
 * The counts of an {@link IntSetExperiment}, over all threads. Names are those in {@code metrics.txt} of the C++ Remus.
 */
public enum Metric {
    /** Calls of contains that found the key. */
    GET_T,
    /** Calls of contains that did not find the key. */
    GET_F,
    /** Calls of insert that added the key. */
    INS_T,
    /** Calls of insert that found the key present. */
    INS_F,
    /** Calls of remove that removed the key. */
    RMV_T,
    /** Calls of remove that did not find the key. */
    RMV_F,
    /** Operations of the run. */
    OP_COUNT,
    /** Remote WRITEs of these operations; like the counts below, without those of barriers. */
    WRITE,
    /** Bytes sent by WRITEs. */
    BYTES_WRITE,
    /** Remote READs. */
    READ,
    /** Bytes fetched by READs. */
    BYTES_READ,
    /** Remote FETCH_AND_ADDs. */
    FAA,
    /** Remote COMPARE_AND_SWAPs. */
    CAS,
    /** Keys inserted before the run. */
    PREFILLED,
    /** The number of times that threads waited for a completion. */
    ROUND_TRIPS,
    /** How often a read cache had a copy of a record that an operation went past. */
    CACHE_HITS,
    /** How often it had none. */
    CACHE_MISSES,
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
    static List<Metric> of(ClusterConfig cluster) {
        List<Metric> all = List.of(values());
        return cluster.reclaim() == Reclamation.EPOCHS ? all : all.subList(0, EPOCHS.ordinal());
    }

    /** Whether the audit of the set relies on it. */
    boolean isAudited() {
        return this == PREFILLED || this == INS_T || this == RMV_T;
    }

    /** The name in result files, such as {@code get_t}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
