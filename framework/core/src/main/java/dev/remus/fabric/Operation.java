// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

/** The four one-sided operations. */
public enum Operation {
    /** Copies remote memory to local memory. */
    READ,
    /** Copies local memory to remote memory. */
    WRITE,
    /** Replaces the remote word if it equals the expected value. The old value goes to local memory either way. */
    COMPARE_AND_SWAP,
    /** Adds to the remote word, with wrap-around. The old value goes to local memory. */
    FETCH_AND_ADD
}
