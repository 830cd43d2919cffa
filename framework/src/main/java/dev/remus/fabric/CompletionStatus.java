package dev.remus.fabric;

/** How a work request ended. Names follow the verbs manual's {@code ibv_wc_status} where one exists. */
public enum CompletionStatus {
    /** Executed. A WRITE is thereby acknowledged, not yet placed. */
    SUCCESS,
    /** The Memory Node refused it: wrong key, or outside the segment. Breaks the lane. */
    REMOTE_ACCESS_ERROR,
    /** Not executed, because the lane had been broken by an earlier request. */
    FLUSHED,
    /** The Memory Node is gone; whether the request was executed is unknown. Breaks the lane. */
    PEER_LOST
}
