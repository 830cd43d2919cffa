package dev.remus.fabric.sim;

/**
 * What may go wrong in a simulated cluster, and does so rarely enough that most of a run is left to see what comes of
 * it. All are off unless asked for. A fault strikes a Compute Thread, or what that uses.
 */
public enum Fault {
    /** A Compute Thread stops for ever, at any point; its node does not notice, and lives on. */
    STOPPED_THREADS,
    /** A Compute Thread stops for so long that all others can do everything they had to do. */
    PAUSED_THREADS,
    /** A Compute Node is killed: its threads stop, what was outstanding has an unknown outcome, and others notice. */
    LOST_COMPUTE_NODES,
    /** A Memory Node dies, and its memory with it. */
    LOST_MEMORY_NODES,
    /** A lane breaks; what was outstanding on it has an unknown outcome. */
    BROKEN_LANES,
    /** A Compute Node's lanes take long over everything. */
    SLOW_NODES,
    /** The clocks of Compute Nodes differ, and drift. */
    SKEWED_CLOCKS,
    /**
     * A lane that a Compute Thread waits for stands still, perhaps in the middle of a transfer, until others have
     * posted WRITEs or atomics to the same words, or for long: two that change a word meet there, however rarely they
     * come.
     */
    LATE_REQUESTS
}
