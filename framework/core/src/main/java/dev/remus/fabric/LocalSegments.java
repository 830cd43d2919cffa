package dev.remus.fabric;

/**
 * The segments of a Memory Node that runs in this very process, for plain reads of one word that need no READ. Nothing
 * else may go past the fabric.
 *
 * <p>Why a read may. A word is read whole, by one load. A WRITE or atomic that somebody was told to be placed is in
 * this memory, so that a load that begins later sees it, as a READ on any lane does; and what a load sees is in memory,
 * so that a READ that begins later does not see anything older. Loads of one thread are executed in order. While a
 * device executes an atomic, memory holds the old word or the new one, never anything else, and a COMPARE_AND_SWAP that
 * fails writes back only what is there.
 *
 * <p>Why nothing else may. A processor's own atomics, and its stores, are not atomic towards those of a device ({@code
 * IBV_ATOMIC_HCA}). And a load knows nothing of what its own thread has posted and is still on its way: who has posted
 * WRITEs or atomics to this Memory Node reads through the fabric until they are placed.
 */
public interface LocalSegments {
    /** Whether the Memory Node still offers them; if not, a READ is to find out what has become of it. */
    boolean isOpen();

    /** The word at an offset that has been checked. Also after {@link #isOpen} has become false, then of no meaning. */
    long read(int segment, long offset);
}
