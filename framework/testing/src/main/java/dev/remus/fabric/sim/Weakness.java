// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

/** A behaviour of memory that the fabric contract allows and hardware seldom shows. Each can be switched off. */
public enum Weakness {
    /** A transfer of several words is torn between words, which are moved in any order. */
    TORN_TRANSFERS,
    /** Requests on different lanes are executed in any order, even those of one thread to one Memory Node. */
    UNORDERED_LANES,
    /** A WRITE or atomic is executed before an earlier READ of its lane, unless it is fenced. */
    OVERTAKEN_READS,
    /** A WRITE or atomic is executed before an earlier atomic of its lane, or in its middle, unless it is fenced. */
    OVERTAKEN_ATOMICS,
    /** A completed WRITE is not visible yet, except on its own lane. */
    UNPLACED_WRITES,
    /** A plain WRITE comes between the reading and the writing half of an atomic. */
    SPLIT_ATOMICS,
    /** A COMPARE_AND_SWAP that fails writes the old value back. */
    FAILED_CAS_WRITES_BACK
}
