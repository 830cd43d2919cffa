// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import java.util.Locale;

/** The counts of a {@link KvExperiment}, over all threads. All but the last four are those of the run itself. */
enum KvMetric {
    /** Operations. */
    OP_COUNT,
    /** Reads that found the key. */
    READ_T,
    /** Reads that did not find the key. */
    READ_F,
    /** Updates of a key that was there. */
    UPDATE_T,
    /** Updates that added the key, since it was removed before. */
    UPDATE_F,
    /** Inserts that added the key. */
    INSERT_T,
    /** Inserts that found the key, which must not happen. */
    INSERT_F,
    /** Read-modify-writes that replaced a value. */
    RMW_T,
    /** Read-modify-writes that did not find the key, or whose thread's log was full before they succeeded. */
    RMW_F,
    /** Removes that removed the key. */
    REMOVE_T,
    /** Removes that did not find the key. */
    REMOVE_F,
    /** Scans that found a key. */
    SCAN_T,
    /** Scans that found none. */
    SCAN_F,
    /** The keys that scans have found. */
    SCANNED,
    /** How often a read-modify-write began again, since another thread had changed the value. */
    RMW_AGAIN,
    /** Remote WRITEs. */
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
    /** The number of times that threads waited for a completion. */
    ROUND_TRIPS,
    /** How often threads announced an epoch; 0, as the next ones, if memory is not reclaimed by epochs. */
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
    STALLS,
    /** Keys added before the run. */
    LOADED,
    /** Keys added later, also while warming up. */
    ADDED,
    /** Keys removed, also while warming up. */
    REMOVED,
    /** The sum of all values written, less those that were replaced or removed, modulo 2^64. */
    SUM;

    /** The name in result files, such as {@code read_t}. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
