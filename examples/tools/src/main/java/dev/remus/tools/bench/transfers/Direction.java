package dev.remus.tools.bench.transfers;

/** Where the bytes of a transfer go. */
enum Direction {
    /** From the Memory Node to the Compute Node. */
    READ,
    /** From the Compute Node to the Memory Node. */
    WRITE
}
