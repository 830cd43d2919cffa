package dev.remus.fabric;

/** How a work request ended. Names follow the verbs manual's {@code ibv_wc_status} where one exists. */
public enum CompletionStatus {
    /** Executed. A WRITE is thereby acknowledged, not yet placed. */
    SUCCESS,
    /** The Memory Node refused it: wrong key, or outside the segment. Breaks the lane. */
    REMOTE_ACCESS_ERROR,
    /**
     * Given up, because the lane is broken. What was posted after that was not executed; of what was outstanding when
     * it broke, that is unknown.
     */
    FLUSHED,
    /** The Memory Node is gone; whether the request was executed is unknown. Breaks the lane. */
    PEER_LOST,
    /** The Memory Node has not answered in time; whether the request was executed is unknown. Breaks the lane. */
    RETRY_EXCEEDED,
    /** This node's own device failed; whether the request was executed is unknown. Breaks the lane. */
    DEVICE_ERROR
}
