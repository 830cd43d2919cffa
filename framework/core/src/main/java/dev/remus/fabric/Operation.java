package dev.remus.fabric;

/** The four one-sided operations. */
public enum Operation {
    /** Remote memory to local memory. */
    READ,
    /** Local memory to remote memory. */
    WRITE,
    /** If the remote word equals the expected value, replace it; the old value goes to local memory either way. */
    COMPARE_AND_SWAP,
    /** Add to the remote word, with wrap-around; the old value goes to local memory. */
    FETCH_AND_ADD
}
