// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

/**
 * The segments of a Memory Node that runs in this process, for plain loads of one word. Everything else must go through
 * the fabric.
 *
 * <p>Why a load is allowed: One load reads a word whole. A WRITE or atomic that was reported as placed is in this
 * memory, so a load that begins later returns it, as a READ on any lane does. A value that a load returned is in
 * memory, so a READ that begins later returns nothing older. Loads of one thread execute in order. While a device
 * executes an atomic, memory holds the old word or the new one and never anything else, and a COMPARE_AND_SWAP that
 * fails writes back only what is there.
 *
 * <p>Why nothing else is: Atomics and stores of a processor are not atomic with respect to those of a device ({@code
 * IBV_ATOMIC_HCA}). And a load does not wait for what its own thread has posted and is still in flight: a thread that
 * has posted WRITEs or atomics to this Memory Node must read through the fabric until they are placed.
 */
public interface LocalSegments {
    /** Whether the Memory Node still offers the segments. If not, a READ finds out why. */
    boolean isOpen();

    /** The word at an offset that has been checked. Once {@link #isOpen} is false, the value has no meaning. */
    long read(int segment, long offset);
}
