package dev.remus.tools.harness;

import java.util.Locale;

/** What is counted in an {@link IntSetExperiment}, over all threads. Names are those of the original's {@code metrics.txt}. */
public enum Metric {
    /** Calls of contains that found the key. */
    GET_T,
    /** Calls of contains that did not find the key. */
    GET_F,
    /** Calls of insert that added the key. */
    INS_T,
    /** Calls of insert that found the key there. */
    INS_F,
    /** Calls of remove that took the key out. */
    RMV_T,
    /** Calls of remove that did not find the key. */
    RMV_F,
    /** Operations of the run. */
    OP_COUNT,
    /** Remote WRITEs of these operations; like all that follow, without those of the barriers in between. */
    WRITE,
    /** Bytes that those sent. */
    BYTES_WRITE,
    /** Remote READs. */
    READ,
    /** Bytes that those fetched. */
    BYTES_READ,
    /** Remote FETCH_AND_ADDs. */
    FAA,
    /** Remote COMPARE_AND_SWAPs. */
    CAS,
    /** Keys that were inserted before the run. */
    PREFILLED,
    /** How often threads waited for a completion. */
    ROUND_TRIPS;

    /** The name in result files, such as {@code get_t}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
