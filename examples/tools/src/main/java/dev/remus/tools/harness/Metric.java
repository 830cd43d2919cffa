package dev.remus.tools.harness;

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
    /** Remote WRITEs of these operations; like the counts below, without those of the barriers in between. */
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
    ROUND_TRIPS;

    /** The name in result files, such as {@code get_t}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
